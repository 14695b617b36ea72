// SPDX-License-Identifier: Apache-2.0
#include "judge/contestant_state.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.hpp"
#include "judge/build/source_hints.hpp"
#include "stats/interval.hpp"
#include "stats/noise.hpp"

namespace kwb {
namespace {

/// Drops the error counts of an unfinished check unless it found errors: "no errors" is known only at the
/// end.
void drop_unfinished_counts(KernelResult& result) {
    const bool is_finished = result.verdict == Verdict::Correct || result.verdict == Verdict::Wrong ||
                             result.verdict == Verdict::Undefined || result.verdict == Verdict::OutOfBounds;
    if (is_finished || result.wrong_elements.value_or(0) > 0) return;
    result.wrong_elements.reset();
    result.max_error_share.reset();
    result.random_check.reset();
    result.error_map.reset();
}

/// Remarks that may explain the verdict, in addition to the finding itself.
/// @param result  of `contestant`, including all its output
std::string remarks_on(const KernelResult& result, const ContestantState& contestant) {
    std::string remarks;
    const std::string stage =
        result.evidence && result.evidence->stage ? *result.evidence->stage : std::string();
    if (result.verdict == Verdict::Timeout && (stage == kLaunchStage || stage == kFirstLaunchStage) &&
        result.output.empty() && contestant.plan->source_text.find("printf") != std::string::npos)
        remarks = ". Its output is lost, because the driver keeps it until the launch has ended";
    if (contestant.plan != nullptr) remarks += refer_to_tiles(result.verdict, *contestant.plan);
    return remarks + refer_to_hints(result.verdict, result.hints);
}

Finding finding_of(const stats::NoiseWarning& noise) {
    const double share = std::abs(noise.share);
    switch (noise.kind) {
        case stats::NoiseKind::SlowFirst:
            return {.code = FindingCode::SlowFirstRound, .numbers = {{"ratio", noise.ratio}}};
        case stats::NoiseKind::Drifting:
            return {.code = noise.share > 0 ? FindingCode::DriftsSlower : FindingCode::DriftsFaster,
                    .numbers = {{"share", share}}};
        case stats::NoiseKind::Wandering:
            return {.code = FindingCode::Wanders, .numbers = {{"share", share}}};
        case stats::NoiseKind::Bimodal:
            return {.code = FindingCode::TwoGroups, .numbers = {{"share", share}, {"ratio", noise.ratio}}};
        case stats::NoiseKind::Noisy:
            break;
    }
    return {.code = noise.few_far ? FindingCode::FewFarRounds : FindingCode::Scatters,
            .numbers = {{"share", share}},
            .remedy = Remedy{RemedyKind::TimeBudget}};
}

/// The time of each round in the launches that are launch `place` of the result.
std::vector<double> times_of(const ContestantState& contestant, const std::vector<std::size_t>& places,
                             std::size_t place) {
    std::vector<double> times;
    for (const std::vector<double>& round : contestant.launch_ms) {
        double& time = times.emplace_back();
        for (std::size_t i = 0; i < places.size(); ++i)
            if (places[i] == place) time += round[i];
    }
    return times;
}

}  // namespace

ResultEvent partial_result(const ContestantState& contestant, const RunRequest& request,
                           std::size_t samples_sent) {
    const auto index = static_cast<std::uint32_t>(contestant.index);
    if (!contestant.is_undecided()) {
        ResultEvent event{index, contestant.result, false};
        event.result.error_map.reset();
        drop_unfinished_counts(event.result);
        event.result.output = OutputCapture(contestant.output).take();
        if (!is_good(event.result.verdict)) event.result.reason += remarks_on(event.result, contestant);
        return event;
    }
    // This runs up to ten times a second, so it does not repeat logs, hints and earlier samples.
    const std::vector<double>& samples_ms = contestant.result.samples_ms;
    ResultEvent event{index, unmeasured_result(request, request.contestants[contestant.index]), false,
                      samples_sent};
    event.result.judged = false;
    event.result.samples_ms.assign(samples_ms.begin() + static_cast<std::ptrdiff_t>(samples_sent),
                                   samples_ms.end());
    event.result.median_ms = stats::median(samples_ms);
    event.result.ci95_ms = stats::median_interval(samples_ms);
    return event;
}

void complete_result(ContestantState& contestant, const ProblemInstance& instance, bool stopped,
                     const std::string& failure) {
    KernelResult& result = contestant.result;
    result.output = contestant.output.take();
    if (contestant.in_race && (stopped || !failure.empty())) {
        // Interrupted during timing: all checks so far passed, and the samples so far count.
        const bool checked = is_good(result.verdict) || !result.samples_ms.empty();
        result.verdict = checked ? contestant.verdict_if_sound : Verdict::Skipped;
        if (!checked)
            result.reason = stopped ? "stopped before it was checked and timed"
                                    : "not checked and timed to the end: " + failure;
    }
    drop_unfinished_counts(result);
    if (!is_good(result.verdict)) result.reason += remarks_on(result, contestant);
    if (!is_good(result.verdict) || result.samples_ms.empty()) return;

    const double median_ms = stats::median(result.samples_ms);
    result.median_ms = median_ms;
    result.ci95_ms = stats::median_interval(result.samples_ms);
    if (median_ms > 0) {
        const bool may_claim = contestant.plan != nullptr && contestant.plan->trust != Trust::Foreign;
        const double flops =
            may_claim ? contestant.plan->flops.value_or(instance.cost.flops) : instance.cost.flops;
        const double bytes =
            may_claim ? contestant.plan->bytes.value_or(instance.cost.bytes) : instance.cost.bytes;
        if (flops > 0) result.gflops = flops / (median_ms * 1e6);  // a copy has none
        if (bytes > 0) result.gbytes_s = bytes / (median_ms * 1e6);
    }
    if (contestant.plan != nullptr && contestant.has_clock) {
        const std::vector<std::size_t> places = places_in_result(contestant.plan->launches);
        for (std::size_t i = 0; i < result.launches.size(); ++i)
            result.launches[i].median_ms = stats::median(times_of(contestant, places, i));
    }
    const bool cut_short = stopped || !failure.empty();
    if (result.samples_ms.size() < stats::kLeastIntervalSamples && !result.too_few_rounds && !cut_short)
        result.too_few_rounds = TooFewRounds{};
    for (const stats::NoiseWarning& warning : stats::find_noise(result.samples_ms))
        result.warnings.push_back(finding_of(warning));
    const NamedList<double> rounds = {{"rounds", static_cast<double>(result.samples_ms.size())}};
    if (stopped) result.warnings.push_back({.code = FindingCode::Stopped, .numbers = rounds});
    if (!failure.empty())
        result.warnings.push_back(
            {.code = FindingCode::CutShort, .numbers = rounds, .texts = {{"sentence", failure}}});
}

void compare_times(const ContestantState& baseline, ContestantState& contestant) {
    KernelResult& result = contestant.result;
    if (&contestant == &baseline || !result.median_ms || !baseline.result.median_ms) return;
    auto comparison = stats::compare_paired(baseline.result.samples_ms, result.samples_ms);
    if (!comparison) return;
    // Where the times of rounds jump, both can be true: faster in most rounds, and slower by the medians.
    const double of_medians = *baseline.result.median_ms / *result.median_ms;
    if (comparison->interval && (of_medians - 1) * (comparison->ratio - 1) < 0) {
        comparison->interval->low = std::min(comparison->interval->low, of_medians);
        comparison->interval->high = std::max(comparison->interval->high, of_medians);
    }
    result.speedup = Speedup{baseline.result.kernel, comparison->ratio, comparison->interval};
}

}  // namespace kwb
