// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <random>

#include "bare_loop_process.hpp"
#include "base/error.hpp"
#include "base/json.hpp"
#include "parts.hpp"
#include "process_run.hpp"
#include "stats/interval.hpp"

namespace kwb::bench {

// Part 1: does the workbench report the times that a bare loop of the same kernel measures?

namespace {

constexpr double kLargestDeviation = 0.03;

constexpr int kTurns = 5;

/// Uses new processes each time: the placement of their memory changes the speed of kernels with strided
/// access by up to about 15 %, for the life of the process.
double reported_median_ms(const Setting& setting, const char* file, int n) {
    LiveJudge judge(setting);
    RunRequest request = judge.request_for(setting.kernel(file), square(n));
    request.rounds = kTurns;
    return judge.ask(std::move(request)).result.median_ms.value();
}

double bare_median_ms(const Setting& setting, const char* file, const KernelPlan& plan, int n) {
    BareLoopProcess bare(setting, setting.kernel(file), plan, n);
    bare.take_turn();  // the first turn includes compilation
    std::vector<double> turns_ms;
    for (int i = 0; i < kTurns; ++i) turns_ms.push_back(bare.take_turn().median_ms);
    return stats::median(turns_ms);
}

Row compare(const Setting& setting, LiveJudge& judge, const char* file, int n) {
    const RunRequest request = judge.request_for(setting.kernel(file), square(n));
    const KernelPlan& plan = request.contestants.front().kernel.value();
    std::vector<double> reported_ms;
    std::vector<double> bare_ms;
    std::mt19937 random(static_cast<unsigned>(n));
    const int rounds = setting.repetitions(30, 6);
    for (int round = 0; round < rounds; ++round) {
        const bool bare_first = random() % 2 == 0;
        if (bare_first) bare_ms.push_back(bare_median_ms(setting, file, plan, n));
        reported_ms.push_back(reported_median_ms(setting, file, n));
        if (!bare_first) bare_ms.push_back(bare_median_ms(setting, file, plan, n));
    }
    announce(fmt::format("  reported [{:.4g}]\n         bare     [{:.4g}] ms", fmt::join(reported_ms, " "),
                         fmt::join(bare_ms, " ")));
    const stats::Comparison comparison = stats::compare_paired(reported_ms, bare_ms).value();
    std::string measured = fmt::format("{:+.1f} %", (comparison.ratio - 1) * 100);
    if (comparison.interval) {
        const auto [low, high] = *comparison.interval;
        measured += fmt::format(" ({:+.1f} to {:+.1f})", (low - 1) * 100, (high - 1) * 100);
        if (high - low > 2 * kLargestDeviation) measured += ", too noisy to tell";
    }
    measured += fmt::format(", {:.3g} ms, n = {}", stats::median(bare_ms), rounds);
    return {fmt::format("1. reported time against a bare loop, {} at {}", file, n), "within 3 %", measured,
            std::abs(comparison.ratio - 1) <= kLargestDeviation};
}

}  // namespace

std::vector<Row> measure_kernel_times(const Setting& setting, LiveJudge& judge) {
    std::vector<Row> rows;
    for (const char* file : {"01_naive.cl", "02_tiled.cl"})
        for (const int n : {64, 256, 512}) {
            announce(fmt::format("turns of {} at {} and of a bare loop", file, n));
            rows.push_back(compare(setting, judge, file, n));
        }
    return rows;
}

// Part 4: a kernel compared with itself. Any reported difference is a false alarm.

std::vector<Row> measure_aa_comparisons(const Setting& setting) {
    const int repetitions = setting.repetitions(200, 20);
    announce(fmt::format("a kernel against itself, {} times", repetitions));
    const NamedList<std::string> environment = {{"KWB_CACHE_DIR", setting.warm_cache().string()}};
    int different = 0;
    int unknown = 0;
    for (int i = 0; i < repetitions; ++i) {
        const ProcessRun run = run_well(
            {setting.kwb(), "run", "matmul/naive", "matmul/naive", "--size", i % 2 == 0 ? "128" : "64",
             "--time-budget", "300ms", "--seed", std::to_string(i + 1), "--json", "-"},
            environment);
        const Json json = parse_json(run.output);
        const Json& speedup = json.at("results").at(1).at("speedup");
        if (speedup.is_null() || speedup.at("ci95").is_null()) {
            ++unknown;
            continue;
        }
        const Json& interval = speedup.at("ci95");
        different += interval.at(0).get<double>() > 1 || interval.at(1).get<double>() < 1 ? 1 : 0;
    }
    const double share = static_cast<double>(different) / repetitions;
    return {{"4. a kernel against itself (64 and 128, 300 ms each) is reported as different", "5 %",
             fmt::format("{:.1f} % ({} of {}; {} without an interval)", share * 100, different, repetitions,
                         unknown),
             share <= 0.05}};
}

}  // namespace kwb::bench
