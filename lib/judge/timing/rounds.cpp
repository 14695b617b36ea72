// SPDX-License-Identifier: Apache-2.0
#include "judge/timing/rounds.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <random>

#include "judge/reference/inputs.hpp"
#include "stats/interval.hpp"

namespace kwb {
namespace {

/// By how much `slow` was at least slower than `fast` in all their observations.
struct Lag {
    std::size_t observations = 0;
    double least = std::numeric_limits<double>::infinity();

    void add(double fast_ms, double slow_ms) {
        if (!(fast_ms > 0)) return;
        ++observations;
        least = std::min(least, slow_ms / fast_ms);
    }
};

}  // namespace

Rounds::Rounds(const RunRequest& request, std::vector<ContestantState>& contestants)
    : request_(request), contestants_(contestants), costs_(contestants.size()) {
    for (const ContestantState& contestant : contestants)
        if (contestant.proven_outputs.size() > 1)  // the first run of a kernel does not count
            costs_[contestant.index].checked_ms = contestant.last_run_ms;
}

std::vector<ContestantState*> Rounds::racing() const {
    std::vector<ContestantState*> racing;
    for (ContestantState& contestant : contestants_)
        if (contestant.in_race && !costs_[contestant.index].is_outrun) racing.push_back(&contestant);
    return racing;
}

double Rounds::charged_ms() const {
    double device_ms = 0;
    double spent_ms = 0;
    for (const ContestantState* contestant : racing()) {
        device_ms += costs_[contestant->index].device_ms;
        spent_ms += costs_[contestant->index].spent_ms;
    }
    return std::max(device_ms, spent_ms / kMostWaiting);
}

void Rounds::run(const TakeTurn& take_turn, const Report& report) {
    std::mt19937_64 order(derive_seed(request_.seed.value(), "order of turns"));
    bool is_overtime = false;  // never reset: a sample's index in its list is its round
    for (std::uint32_t round = 0;; ++round) {
        if (round > 0 && request_.races) drop_slower();
        if (round > 0 && !is_overtime) {
            if (has_all_rounds(round)) return;
            is_overtime = is_budget_spent(round) && !may_extend(round);
            if (is_overtime) note_shortage(round);
        }
        std::vector<ContestantState*> turns = racing();
        if (is_overtime)
            std::erase_if(turns, [&](const ContestantState* contestant) { return !may_go_on(*contestant); });
        if (turns.empty()) return;
        std::shuffle(turns.begin(), turns.end(), order);
        for (ContestantState* contestant : turns) {
            take(*contestant, take_turn);
            report(*contestant, round);
        }
    }
}

void Rounds::take(ContestantState& contestant, const TakeTurn& take_turn) {
    const auto start = Clock::now();
    const double device_ms = take_turn(contestant);
    const double turn_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
    Cost& cost = costs_[contestant.index];
    cost.fastest_turn_ms = cost.spent_ms > 0 ? std::min(cost.fastest_turn_ms, turn_ms) : turn_ms;
    cost.spent_ms += turn_ms;
    cost.device_ms += device_ms;
    if (contestant.result.samples_ms.size() >= stats::kLeastIntervalSamples)
        contestant.result.too_few_rounds.reset();
}

bool Rounds::is_outrun(const ContestantState& slow, const ContestantState& fast) const {
    const std::vector<double>& slow_ms = slow.result.samples_ms;
    const std::vector<double>& fast_ms = fast.result.samples_ms;
    const auto comparison = stats::compare_paired(fast_ms, slow_ms);
    if (!comparison) return false;
    if (comparison->interval)
        return stats::is_stop_round(comparison->rounds) && comparison->interval->high < 1;
    Lag lag;
    if (costs_[slow.index].checked_ms > 0)
        lag.add(costs_[fast.index].checked_ms, costs_[slow.index].checked_ms);
    for (std::size_t i = 0; i < comparison->rounds; ++i) lag.add(fast_ms[i], slow_ms[i]);
    return std::ranges::any_of(kFarBehind, [&](const FarBehind& behind) {
        return lag.observations >= behind.observations && lag.least >= behind.factor;
    });
}

void Rounds::drop_slower() {
    const std::vector<ContestantState*> racing = this->racing();
    const auto median_ms = [](const ContestantState* contestant) {
        return stats::median(contestant->result.samples_ms);
    };
    const auto fastest = std::ranges::min_element(racing, {}, median_ms);
    if (fastest == racing.end()) return;
    for (ContestantState* contestant : racing) {
        KernelResult& result = contestant->result;
        if (contestant == *fastest || !is_outrun(*contestant, **fastest)) continue;
        costs_[contestant->index].is_outrun = true;
        result.too_few_rounds.reset();
        if (result.samples_ms.size() < stats::kLeastIntervalSamples)
            result.warnings.push_back(
                {.code = FindingCode::Outrun,
                 .numbers = {{"rounds", static_cast<double>(result.samples_ms.size())}}});
    }
}

bool Rounds::has_all_rounds(std::uint32_t rounds) const {
    if (request_.rounds) return rounds >= *request_.rounds;
    return stats::is_stop_round(rounds) && all_narrow();
}

bool Rounds::is_budget_spent(std::uint32_t rounds) const {
    if (!request_.time_budget_ms) return false;
    const double budget_ms = *request_.time_budget_ms * static_cast<double>(racing().size());
    // Stop after the round whose end is nearest to the budget.
    return charged_ms() * (1 + 0.5 / rounds) > budget_ms;
}

void Rounds::note_shortage(std::uint32_t rounds) {
    if (request_.rounds && *request_.rounds < stats::kLeastIntervalSamples) return;
    const std::vector<ContestantState*> racing = this->racing();
    const double round_ms = charged_ms() / rounds / static_cast<double>(racing.size());
    for (ContestantState* contestant : racing)
        if (contestant->result.samples_ms.size() < stats::kLeastIntervalSamples)
            contestant->result.too_few_rounds = TooFewRounds{round_ms * stats::kLeastIntervalSamples};
}

bool Rounds::may_go_on(const ContestantState& contestant) const {
    const std::size_t rounds = contestant.result.samples_ms.size();
    if (!request_.interval_budget_ms || rounds >= stats::kLeastIntervalSamples) return false;
    const Cost& cost = costs_[contestant.index];
    const auto missing = static_cast<double>(stats::kLeastIntervalSamples - rounds);
    // The first turn is always verified, later ones perhaps not, so it predicts their cost poorly.
    const double next_ms = rounds < 2 ? cost.device_ms : cost.fastest_turn_ms;
    return cost.spent_ms + missing * next_ms <= *request_.interval_budget_ms;
}

bool Rounds::all_narrow() const {
    const ContestantState& baseline = contestants_[request_.baseline];
    for (const ContestantState* contestant : racing()) {
        const std::vector<double>& samples_ms = contestant->result.samples_ms;
        const auto interval = stats::median_interval(samples_ms);
        if (!interval || !stats::narrower_than(*interval, stats::median(samples_ms), kNarrowShare))
            return false;
        if (contestant == &baseline || !baseline.in_race || costs_[baseline.index].is_outrun) continue;
        const auto comparison = compare_with_baseline(*contestant);
        if (!comparison || !comparison->interval ||
            !stats::narrower_than(*comparison->interval, comparison->ratio, kNarrowShare))
            return false;
    }
    return true;
}

bool Rounds::may_extend(std::uint32_t rounds) {
    if (!request_.answer_budget_ms || watch_.ms() > *request_.answer_budget_ms) return is_extended_ = false;
    if (is_extended_ && !stats::is_stop_round(rounds)) return true;
    const ContestantState& baseline = contestants_[request_.baseline];
    const std::vector<ContestantState*> racing = this->racing();
    is_extended_ = std::ranges::count(racing, &baseline) > 0 &&
                   std::ranges::any_of(racing, [&](const ContestantState* contestant) {
                       const auto comparison = compare_with_baseline(*contestant);
                       return contestant != &baseline && comparison &&
                              (!comparison->interval || !(stats::is_clear(*comparison->interval) ||
                                                          stats::is_far_from_one(*comparison->interval)));
                   });
    return is_extended_;
}

std::optional<stats::Comparison> Rounds::compare_with_baseline(const ContestantState& contestant) const {
    return stats::compare_paired(contestants_[request_.baseline].result.samples_ms,
                                 contestant.result.samples_ms);
}

}  // namespace kwb
