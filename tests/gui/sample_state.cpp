// SPDX-License-Identifier: Apache-2.0
#include "gui/sample_state.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kwb::test {
namespace {

constexpr std::int64_t kEdge = 1024;

std::shared_ptr<Snapshot> snapshot(Snapshot::Phase phase) {
    auto made = std::make_shared<Snapshot>();
    made->phase = phase;
    DeviceInfo device;
    device.id = "pocl:0";
    device.name = "pthread-AMD EPYC 7B13";
    device.max_work_group_size = 4096;
    made->devices = DeviceList{{device}, {}};
    return made;
}

KernelResult base_result(const std::string& kernel) {
    KernelResult result;
    result.kernel = "matmul/" + kernel;
    result.file = "kernels/matmul/" + kernel + ".cl";
    result.problem = "matmul";
    result.size = {{"M", kEdge}, {"N", kEdge}, {"K", kEdge}};
    result.device = "pocl:0";
    result.launches = {{"matmul_" + kernel, {1024, 1024}, {16, 16}, {}}};
    result.build_ms = 84.0;
    return result;
}

/// Expected value of element (row, column).
double expected_at(std::uint64_t row, std::uint64_t column) {
    return 500 + static_cast<double>(row % 7) / 4 + static_cast<double>(column % 5) / 8;
}

/// Errors far below the bound. If wrong, except in the last rows and columns, and one block was never
/// written.
ErrorMap sample_map(bool is_wrong) {
    ErrorMap map;
    map.buffer = "C";
    map.rows = map.columns = 64;
    for (unsigned row = 0; row < map.rows; ++row)
        for (unsigned column = 0; column < map.columns; ++column) {
            const float wave = 0.02f + 0.015f * std::sin(static_cast<float>(row * 7 + column * 3));
            const bool tail = is_wrong && row >= 60 && column >= 48;
            const bool unwritten = is_wrong && row < 8 && column >= 56;
            map.worst_share.push_back(unwritten ? std::numeric_limits<float>::infinity()
                                      : tail    ? 40.0f * (1 + wave)
                                                : wave);
            const std::uint64_t first_row = row * 16, first_column = column * 16;
            const double expected = expected_at(first_row + 3, first_column + 5);
            map.worst_elements.push_back({(first_row + 3) * kEdge + first_column + 5, expected,
                                          unwritten ? std::nan("")
                                          : tail    ? expected - 17.5
                                                    : expected + 0.001});
        }
    map.extents = MapExtents{kEdge, kEdge};
    return map;
}

KernelResult wrong_result() {
    KernelResult result = base_result("tail");
    result.verdict = Verdict::Wrong;
    result.reason =
        "C[0][896] is wrong: expected 511.25, got nan. 20480 of 1048576 elements are wrong; the block of "
        "rows "
        "0 to 127 and columns 896 to 1023 was never written.";
    result.wrong_elements = 20480;
    result.max_error_share = 42.5;
    result.error_map = sample_map(true);
    for (std::uint64_t i = 0; i < 8; ++i)
        result.first_wrong.push_back({{0, 896 + i}, 511.25 + static_cast<double>(i) / 3, std::nan(""), "C"});
    result.hints = {{24, "The loop over tiles ends before the last, partial tile: K / TILE rounds down."}};
    return result;
}

KernelResult stray_result() {
    KernelResult result = base_result("guardless");
    result.verdict = Verdict::OutOfBounds;
    result.reason = "Work-item (1024, 0) wrote C[1048576], one element behind the last.";
    Evidence evidence;
    evidence.stage = "launch";
    evidence.signal = "SIGSEGV";
    evidence.buffer = "C";
    evidence.access = "write";
    evidence.element = 1048576;
    evidence.work_item = std::vector<std::uint64_t>{1024, 0};
    result.evidence = evidence;
    return result;
}

KernelResult rejected_result() {
    KernelResult result = base_result("typo");
    result.verdict = Verdict::CompileError;
    result.reason = "The compiler rejects the source: line 12: use of undeclared identifier 'acc2'.";
    result.build_ms.reset();
    result.diagnostics = {
        {Severity::Error, "kernels/matmul/typo.cl", 12, 9, "use of undeclared identifier 'acc2'"},
        {Severity::Warning, "kernels/matmul/typo.cl", 20, 5, "unused variable 'row'"}};
    result.log =
        "typo.cl:12:9: error: use of undeclared identifier 'acc2'\n        acc2 += a[i] * b[i];\n        "
        "^~~~\ntypo.cl:20:5: warning: unused variable 'row'\n1 error and 1 warning generated.\n";
    return result;
}

KernelResult hung_result() {
    KernelResult result = base_result("endless");
    result.verdict = Verdict::Timeout;
    result.reason =
        "The launch did not end within 30 s. A loop may never end, or a barrier may wait in vain.";
    result.expected = Expectation{{Verdict::Timeout}, "its loop counts with an unsigned number down to zero"};
    result.output = "work-group 0 begins\nwork-group 1 begins\n";
    return result;
}

}  // namespace

DeskState empty_state() {
    DeskState state;
    state.session = snapshot(Snapshot::Phase::Idle);
    state.device = &state.session->devices->devices.front();
    state.choices.device = "pocl:0";
    state.choices.problem = "matmul";
    state.choices.contestants = {{"matmul/naive", {}, ""}};
    state.choices.sizes = {{"M", kEdge}, {"N", kEdge}, {"K", kEdge}};
    return state;
}

KernelResult timed_result(const std::string& kernel, double median_ms, std::size_t rounds) {
    KernelResult result = base_result(kernel);
    result.verdict = Verdict::Correct;
    result.wrong_elements = 0;
    result.max_error_share = 0.12;
    result.error_map = sample_map(false);
    for (std::size_t i = 0; i < rounds; ++i) {
        const double phase = static_cast<double>(i) + median_ms;
        result.samples_ms.push_back(median_ms *
                                    (1 + 0.02 * std::sin(phase * 2.4) + 0.015 * std::cos(phase * phase)));
    }
    result.median_ms = median_ms;
    result.ci95_ms = Interval{median_ms * 0.985, median_ms * 1.017};
    result.gflops = 2.0 * kEdge * kEdge * kEdge / (median_ms * 1e6);
    result.gbytes_s = 3.0 * 4 * kEdge * kEdge / (median_ms * 1e6);
    result.first_run_ms = median_ms * 1.3;
    result.upload_ms = 1.9;
    result.download_ms = 0.8;
    return result;
}

std::shared_ptr<ShownRun> shown_run(std::vector<KernelResult> results) {
    auto shown = std::make_shared<ShownRun>();
    shown->run.problem = "matmul";
    shown->run.sizes = {{"M", kEdge}, {"N", kEdge}, {"K", kEdge}};
    shown->run.environment.device = "pthread-AMD EPYC 7B13";
    for (const KernelResult& result : results) shown->labels.push_back(result.kernel.substr(7));
    // Speed-up relative to the first result, if both were timed.
    for (std::size_t i = 1; i < results.size(); ++i)
        if (results[0].median_ms && results[i].median_ms) {
            const double ratio = *results[0].median_ms / *results[i].median_ms;
            results[i].speedup = Speedup{results[0].kernel, ratio, Interval{ratio * 0.97, ratio * 1.02}};
        }
    shown->run.results = std::move(results);
    return shown;
}

DeskState mixed_state() {
    DeskState state = empty_state();
    std::vector<KernelResult> results = {timed_result("naive", 182.0),
                                         timed_result("tiled TILE=16", 41.3),
                                         wrong_result(),
                                         stray_result(),
                                         rejected_result(),
                                         hung_result()};
    results[0].warnings = {
        remark("The rounds drift by 4 % from first to last: close other programs and run again.")};
    results[1].warnings = results[0].warnings;
    state.shown = shown_run(std::move(results));
    state.selected = 2;
    return state;
}

DeskState many_kernels(std::size_t rounds) {
    DeskState state = empty_state();
    std::vector<KernelResult> results;
    const char* const kNames[] = {"naive",     "tiled TILE=8",        "tiled TILE=16",
                                  "vector4",   "register-blocked",    "transposed",
                                  "sub-group", "local-prefetch PAD=1"};
    double median_ms = 182;
    for (const char* name : kNames) {
        results.push_back(timed_result(name, median_ms, rounds));
        median_ms *= 0.72;
    }
    state.shown = shown_run(std::move(results));
    return state;
}

DeskState running_state() {
    DeskState state = empty_state();
    auto session = snapshot(Snapshot::Phase::Running);
    session->progress = Progress{"time", "matmul/tiled TILE=16", 12, 24, 41.3, Interval{40.9, 41.8}};
    state.session = session;
    state.device = &state.session->devices->devices.front();
    auto shown = shown_run({timed_result("naive", 182.0, 12), timed_result("tiled TILE=16", 41.3, 12)});
    shown->finished = false;
    state.shown = shown;
    return state;
}

DeskState compared_state() {
    DeskState state = many_kernels();
    auto earlier = shown_run({timed_result("naive", 200), timed_result("vector4", 77)});
    earlier->run.id = 4;
    state.compared = earlier;
    return state;
}

DeskState odd_state() {
    DeskState state = mixed_state();
    auto run = std::make_shared<ShownRun>(*state.shown);
    std::vector<KernelResult>& results = run->run.results;
    results[0].median_ms = std::nan("");
    results[0].ci95_ms = Interval{-1, std::numeric_limits<double>::infinity()};
    results[0].samples_ms = {std::nan(""), -3, std::numeric_limits<double>::infinity()};
    results[0].speedup = Speedup{"nobody", std::nan(""), {}};
    results[1].samples_ms.clear();
    results[1].gflops = 0;
    results[2].error_map->worst_share.resize(5);
    results[1].error_map->worst_elements.resize(7);
    results[2].first_wrong[0].index.clear();
    results[3].reason = std::string(3000, 'x');
    results[4].diagnostics = std::vector<Diagnostic>(200, results[4].diagnostics.front());
    for (int i = 0; i < 2000; ++i) results[5].output += "another line of a loop that prints too much\n";
    run->labels[3] =
        "a/kernel/whose/name/goes/on/and/on/for/ever/and/ends/only/here/\u00e4\u00f6\u00fc\u4e2d\u6587";
    run->labels.pop_back();
    run->baseline = 77;
    state.shown = run;
    return state;
}

DeskState sweep_state() {
    DeskState state = many_kernels();
    auto sweep = std::make_shared<ShownSweep>();
    sweep->problem = "matmul";
    sweep->environment.device = "pthread-AMD EPYC 7B13";
    sweep->labels = {"naive", "tiled TILE=16", "register-blocked"};
    const double kBest[] = {12, 52, 160};
    for (const std::int64_t edge : {64, 128, 256, 512, 1024, 2048}) {
        sweep->sizes.push_back({{"M", edge}, {"N", edge}, {"K", edge}});
        std::vector<KernelResult> results;
        for (std::size_t k = 0; k < 3; ++k) {
            const double gflops = kBest[k] * (1 - std::exp(-static_cast<double>(edge) / 300));
            KernelResult result = timed_result(sweep->labels[k], 2e-6 * std::pow(edge, 3) / gflops);
            result.size = sweep->sizes.back();
            result.gflops = gflops;
            results.push_back(std::move(result));
        }
        sweep->results.push_back(std::move(results));
    }
    sweep->finished = true;
    state.sweep = sweep;
    state.ceilings = Ceilings{Ceiling{412, {}, "fma_chain/fma_chain", {}}, Ceiling{38, {}, "copy/copy", {}}};
    return state;
}

DeskState compared_sweeps_state() {
    DeskState state = sweep_state();
    auto earlier = std::make_shared<ShownSweep>(*state.sweep);
    earlier->id = 7;
    earlier->when = state.sweep->when - std::chrono::hours(2);
    earlier->labels.erase(earlier->labels.begin());
    earlier->sizes.pop_back();
    earlier->results.pop_back();
    for (std::vector<KernelResult>& results : earlier->results) {
        results.erase(results.begin());
        for (KernelResult& result : results) result.gflops = 0.8 * *result.gflops;
    }
    state.compared_sweep = earlier;
    return state;
}

std::shared_ptr<const ShownXray> shown_xray(const std::string& label, XrayReport report) {
    auto shown = std::make_shared<ShownXray>();
    shown->key.kernel.chosen.kernel = "matmul/" + label;
    shown->observed = {label,
                       "kernels/matmul/" + label + ".cl",
                       {},
                       2.0 * 64 * 64 * 64,
                       3.0 * 4 * 64 * 64,
                       std::move(report)};
    shown->observed.is_multiply_adds = true;
    shown->play = XrayPlay(shown->observed.report);
    shown->heat = source_heat(shown->observed.report);
    return shown;
}

DeskState explained_state() {
    DeskState state = empty_state();
    std::vector<KernelResult> results = {timed_result("naive", 182), timed_result("tiled", 61)};
    for (std::size_t i = 0; i < results.size(); ++i) {
        results[i].file = "kernels/matmul/" + std::string(i == 0 ? "naive" : "tiled") + ".cl";
        XrayReport& counts = results[i].xray.emplace().counts.emplace();
        counts.launches = {{"k", {64}, {64}, 1, 1, 0}};
        counts.buffers = {{.name = "A", .type = "float", .element_bytes = 4, .extents = {1}}};
        const std::uint64_t bytes = i == 0 ? 8u << 20 : 1u << 20;
        const std::uint32_t line = i == 0 ? 35 : 49;
        counts.sites.push_back({.place = {"", line, 1}, .requested_bytes = bytes, .sectors = bytes / 32});
        const double time_ms = *results[i].median_ms;
        const auto effect = [&](WhatIf what, const char* buffer, double share, Interval interval) {
            return Effect{.what = what,
                          .buffer = buffer,
                          .rounds = 40,
                          .as_it_is_ms = time_ms,
                          .changed_ms = time_ms * (1 - share),
                          .share = share,
                          .interval = interval};
        };
        results[i].effects = {effect(WhatIf::CacheHits, "A", 0.004, {-0.01, 0.02}),
                              effect(WhatIf::CacheHits, "B", i == 0 ? 0.5 : 0.01,
                                     i == 0 ? Interval{0.48, 0.53} : Interval{-0.01, 0.02}),
                              effect(WhatIf::CacheHits, "", i == 0 ? 0.51 : 0.01,
                                     i == 0 ? Interval{0.49, 0.54} : Interval{-0.02, 0.03}),
                              effect(WhatIf::EmptyKernel, "", 0.02, {0.018, 0.022})};
        if (i == 1) {
            results[i].effects->push_back(effect(WhatIf::NoBarriers, "", 0.09, {0.07, 0.11}));
            results[i].effects->push_back(effect(WhatIf::Together, "", 0.9, {0.88, 0.92}));
        }
    }
    state.shown = shown_run(std::move(results));
    return state;
}

DeskState observed_state(const SampleXray& tiled) {
    DeskState state = empty_state();
    state.choices.contestants = {{"matmul/tiled", {}, ""}, {"matmul/naive", {}, ""}};
    state.preview.contestants.resize(2);
    state.preview.contestants[0].label = "tiled";
    state.preview.contestants[1].label = "naive";
    for (Preview::Contestant& one : state.preview.contestants)
        one.file = "kernels/matmul/" + one.label + ".cl";
    state.documents.push_back(std::make_shared<Document>(7, "kernels/matmul/tiled.cl", true));
    state.xrays = {{shown_xray("tiled", sample_xray(tiled))},
                   {shown_xray("naive", sample_xray({.edge = 8}))}};
    return state;
}

}  // namespace kwb::test
