// Part 1: does the workbench report the times that a bare loop of the same kernel measures?
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <random>

#include "bare_loop_process.hpp"
#include "parts.hpp"
#include "stats/interval.hpp"

namespace kwb::bench {
namespace {

constexpr double kLargestDeviation = 0.03;

constexpr int kTurns = 5;

/// New processes each time: where the system puts their memory decides by some 15 % how fast a kernel is that
/// strides through it, for as long as they live.
double reported_median_ms(const Setting& setting, const char* file, int n) {
    LiveJudge judge(setting);
    RunRequest request = judge.request_for(setting.kernel(file), square(n));
    request.rounds = kTurns;
    return judge.ask(std::move(request)).result.median_ms.value();
}

double bare_median_ms(const Setting& setting, const char* file, const KernelPlan& plan, int n) {
    BareLoopProcess bare(setting, setting.kernel(file), plan, n);
    bare.take_turn();  // compiles
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

}  // namespace kwb::bench
