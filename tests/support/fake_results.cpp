// SPDX-License-Identifier: Apache-2.0
#include "support/fake_results.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "base/named.hpp"
#include "support/sample_xray.hpp"

namespace kwb::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

void add_times(KernelResult& result, std::size_t index, std::size_t rounds) {
    const double typical_ms = 1.0 + 0.5 * static_cast<double>(index);
    for (std::size_t i = 0; i < rounds; ++i)
        result.samples_ms.push_back(typical_ms * (1 + 0.01 * static_cast<double>(i * 7 % 11)));
    result.median_ms = typical_ms * 1.05;
    result.ci95_ms = Interval{typical_ms * 1.04, typical_ms * 1.06};
    result.gflops = 100 / typical_ms;
    result.gbytes_s = 10 / typical_ms;
    result.build_ms = 30;
    result.upload_ms = 0.5;
    result.download_ms = 0.25;
    result.first_run_ms = 3 * typical_ms;
}

void make_wrong(KernelResult& result) {
    result.verdict = Verdict::Wrong;
    result.reason = "C[0][1] is 3, but 4 is expected";
    result.wrong_elements = 1;
    result.first_wrong = {{{0, 1}, 4, 3, "C"}};
    result.max_error_share = 2;
    result.error_map = ErrorMap{"C", 2, 2, {0, 2, 0.5f, 1}, MapExtents{2, 2}, {}};
    result.error_map->worst_elements = {{0, 1, 1}, {1, 4, 3}, {2, 5, 5}, {3, 8, 8}};
}

void fail_to_compile(KernelResult& result) {
    result.verdict = Verdict::CompileError;
    result.reason = "the compiler rejects the source";
    result.error_map.reset();
    result.diagnostics = {{Severity::Error, result.file, 2, 3, "use of undeclared identifier 'sum'"},
                          {Severity::Warning, result.file, 1, 1, "unused variable 'x'"}};
    result.log = "2:3: error: use of undeclared identifier 'sum'";
}

void write_outside(KernelResult& result) {
    result.verdict = Verdict::OutOfBounds;
    result.reason = "the kernel wrote element 4096 of C, one behind its last";
    Evidence evidence;
    evidence.stage = "launch";
    evidence.buffer = "C";
    evidence.access = "write";
    evidence.element = 4096;
    evidence.work_item = std::vector<std::uint64_t>{64, 0};
    result.evidence = evidence;
}

void change_input(KernelResult& result) {
    result.verdict = Verdict::Wrong;
    result.reason = "the kernel changed its input A, first at A[7]; inputs are read-only";
    Evidence evidence;
    evidence.buffer = "A";
    evidence.access = "write";
    evidence.element = 7;
    result.evidence = evidence;
}

void print(KernelResult& result) {
    result.output = "work-group (0, 0) begins\n\033[31mred\033[0m \xff\xfe\x80 caf\xe9\n";
}

void make_long(KernelResult& result) {
    fail_to_compile(result);
    result.reason = std::string(20'000, 'r');
    result.diagnostics.clear();
    for (std::uint32_t i = 0; i < 10'000; ++i)
        result.diagnostics.push_back(
            {Severity::Error, result.file, 1 + i % 10, 1, "message " + std::to_string(i)});
    result.log.clear();
    while (result.log.size() < (1u << 20)) result.log += "error: a macro that repeats itself \xc3\xa4 \xff\n";
    result.output = std::string(1u << 18, 'o');  // a single line
    result.warnings = std::vector<Finding>(100, remark(std::string(500, 'w')));
    result.hints = std::vector<Hint>(100, Hint{3, std::string(300, 'h')});
}

void make_odd(KernelResult& result, std::size_t index) {
    add_times(result, index, 5);
    constexpr double kOdd[] = {kNan, kInfinity, 0, -1, 1e12, 5e-324, -kInfinity, 1e-30};
    constexpr double kOddMs[] = {0, 1e12, 5e-324, 1e-30};  // a duration is finite and not negative
    const double odd = kOdd[index % std::size(kOdd)], odd_ms = kOddMs[index % std::size(kOddMs)];
    result.median_ms = odd_ms;
    result.ci95_ms = Interval{-odd, odd};
    result.samples_ms = {odd_ms, 0, 1e12, 1};
    result.gflops = odd;
    result.gbytes_s = -odd;
    result.build_ms = result.first_run_ms = odd_ms;
    result.upload_ms = 0;
    result.max_error_share = odd;
    result.speedup = Speedup{"nobody", odd, Interval{odd, -odd}};
    result.error_map->worst_share = {static_cast<float>(kNan), static_cast<float>(kInfinity), -1, 0};
}

/// Uniform numbers in [-1, 1), the same sequence for every seed.
class Noise {
public:
    explicit Noise(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}
    double next() {  // Knuth's MMIX generator
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return static_cast<double>(state_ >> 11) * 0x1p-52 - 1;
    }

private:
    std::uint64_t state_;
};

/// An error map; if wrong, the last rows and columns have errors and one block was never written.
ErrorMap lesson_map(bool is_wrong) {
    ErrorMap map{"C", 64, 64, {}};
    for (unsigned row = 0; row < map.rows; ++row)
        for (unsigned column = 0; column < map.columns; ++column) {
            const float wave = 0.05f + 0.04f * std::sin(static_cast<float>(row * 5 + column * 3));
            const bool tail = is_wrong && row >= 60;
            const bool unwritten = is_wrong && row < 8 && column >= 56;
            map.worst_share.push_back(unwritten ? static_cast<float>(kInfinity)
                                      : tail    ? 3.0f + 40.0f * wave + static_cast<float>(column)
                                                : wave);
        }
    return map;
}

void be_wrong_at_the_end(KernelResult& result, double edge) {
    result.verdict = Verdict::Wrong;
    const auto last = static_cast<std::uint64_t>(edge) - 1;
    result.wrong_elements = static_cast<std::uint64_t>(edge * edge / 16);
    result.max_error_share = 66;
    result.error_map = lesson_map(true);
    for (std::uint64_t i = 0; i < 8; ++i)
        result.first_wrong.push_back({{last, i}, 255.5 + static_cast<double>(i) / 3, 240.25, "C"});
    result.reason = "C[" + std::to_string(last) + "][0] is 240.25, but 255.5 is expected; " +
                    std::to_string(*result.wrong_elements) + " elements differ";
    result.hints = {{6, "The loop over tiles ends before the last, partial tile: K / TILE rounds down."}};
}

void take_part_in_lesson(KernelResult& result, std::size_t index) {
    const std::string& name = result.kernel;
    const auto says = [&](const char* word) { return name.find(word) != std::string::npos; };
    const auto* columns = find_named(result.size, "N");
    const double edge = columns == nullptr ? 64 : static_cast<double>(*columns);
    if (says("typo")) return fail_to_compile(result);
    if (says("stray")) return write_outside(result);
    if (says("wrong")) return be_wrong_at_the_end(result, edge);
    const double best_gflops = 14 * std::pow(1.55, static_cast<double>(index));
    const double gflops = best_gflops * (1 - std::exp(-edge / 300));
    const double typical_ms = 2 * edge * edge * edge / (gflops * 1e6);
    Noise noise(index + static_cast<std::uint64_t>(edge));
    constexpr std::size_t kRounds = 40;
    for (std::size_t i = 0; i < kRounds; ++i) {
        const double slow = noise.next() > 0.9 ? 0.06 : 0;  // another process was running
        result.samples_ms.push_back(typical_ms * (1 + 0.012 * noise.next() + slow));
    }
    std::vector<double> sorted = result.samples_ms;
    std::sort(sorted.begin(), sorted.end());
    result.median_ms = sorted[kRounds / 2];
    result.ci95_ms = Interval{sorted[kRounds / 2 - 6], sorted[kRounds / 2 + 6]};
    result.gflops = 2 * edge * edge * edge / (*result.median_ms * 1e6);
    result.gbytes_s = 12 * edge * edge / (*result.median_ms * 1e6);
    result.build_ms = 80 + 15 * noise.next();
    result.upload_ms = edge * edge * 8 / 8e6;
    result.download_ms = edge * edge * 4 / 8e6;
    result.first_run_ms = 1.4 * typical_ms;
    result.max_error_share = 0.09;
    result.wrong_elements = 0;
    result.error_map = lesson_map(false);
}

}  // namespace

KernelResult result_named(const std::string& name) {
    KernelResult result;
    result.kernel = name;
    result.problem = "matmul";
    result.verdict = Verdict::Correct;
    return result;
}

void describe(KernelResult& result, const RunRequest& request, const Contestant& contestant) {
    result.problem = request.problem;
    result.size = request.sizes;
    result.device = request.device;
    if (!contestant.kernel) return;
    result.file = contestant.kernel->file;
    result.source_sha256 = contestant.kernel->source_sha256;
    result.params = contestant.kernel->params;
    for (const LaunchPlan& launch : contestant.kernel->launches)
        result.launches.push_back({launch.kernel, launch.global,
                                   launch.local.value_or(std::vector<std::uint64_t>{}), std::nullopt});
}

void apply_behaviour(KernelResult& result, const std::string& behaviour, std::size_t index) {
    if (behaviour == "timed" || behaviour == "explained") add_times(result, index, 12);
    if (behaviour == "races" && index == 0) add_times(result, index, 12);
    if (behaviour == "races" && index == 1) {
        result.verdict = Verdict::Undefined;
        result.wrong_elements = 0;
        result.finding = sample_xray({.is_undefined = true}).undefined.front();
        result.reason = "work-item (1, 0) reads a[0][0] at line 11:24";
    }
    if (behaviour == "many-samples") add_times(result, index, 10'000);
    if (behaviour == "wrong") make_wrong(result);
    if (behaviour == "slow") {
        result.verdict = Verdict::Timeout;
        result.reason = "a launch exceeded the time limit";
    }
    if (behaviour == "compile-error") fail_to_compile(result);
    if (behaviour == "hint") result.hints = {{2, "a barrier in a branch"}};
    if (behaviour == "guard-zone") write_outside(result);
    if (behaviour == "input-changed") change_input(result);
    if (behaviour == "printing") print(result);
    if (behaviour == "long-texts") make_long(result);
    if (behaviour == "odd-times") make_odd(result, index);
    if (behaviour == "lesson") take_part_in_lesson(result, index);
}

void add_speedups(std::vector<KernelResult>& results, std::size_t baseline) {
    if (baseline >= results.size() || !results[baseline].median_ms) return;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (i == baseline || !results[i].median_ms || results[i].speedup) continue;
        const double ratio = *results[baseline].median_ms / *results[i].median_ms;
        results[i].speedup = Speedup{results[baseline].kernel, ratio, Interval{0.98 * ratio, 1.02 * ratio}};
    }
}

}  // namespace kwb::test
