#include "judge/rounds.hpp"

#include <algorithm>
#include <chrono>
#include <random>

#include "judge/inputs.hpp"
#include "stats/comparison.hpp"
#include "stats/interval.hpp"

namespace kwb {

Rounds::Rounds(const RunRequest& request, std::vector<Entrant>& entrants)
    : request_(request), entrants_(entrants) {}

std::vector<Entrant*> Rounds::racing() const {
    std::vector<Entrant*> racing;
    for (Entrant& entrant : entrants_)
        if (entrant.in_race) racing.push_back(&entrant);
    return racing;
}

void Rounds::run(const TakeTurn& take_turn, const Report& report) {
    std::mt19937_64 order(derive_seed(request_.seed, "order of turns"));
    const auto start = Clock::now();
    for (std::uint32_t round = 0;; ++round) {
        const double spent_ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
        if (round > 0 && enough(round, spent_ms)) return;
        std::vector<Entrant*> turns = racing();
        if (turns.empty()) return;
        std::shuffle(turns.begin(), turns.end(), order);
        for (Entrant* entrant : turns) {
            take_turn(*entrant);
            report(*entrant, round);
        }
    }
}

bool Rounds::enough(std::uint32_t rounds, double spent_ms) const {
    if (request_.rounds && rounds >= *request_.rounds) return true;
    if (request_.time_budget_ms) {
        const double budget_ms = *request_.time_budget_ms * static_cast<double>(racing().size());
        // Half a round over the budget is as near to it as half a round under it.
        const double next_ms = spent_ms / rounds;
        if (spent_ms + next_ms / 2 > budget_ms) return true;
    }
    if (request_.rounds) return false;
    return stats::is_stop_round(rounds) && all_narrow();
}

bool Rounds::all_narrow() const {
    const Entrant& baseline = entrants_[request_.baseline];
    for (const Entrant* entrant : racing()) {
        const std::vector<double>& samples_ms = entrant->result.samples_ms;
        const auto interval = stats::median_interval(samples_ms);
        if (!interval || !stats::narrower_than(*interval, stats::median(samples_ms), kNarrowShare))
            return false;
        if (entrant == &baseline || !baseline.in_race) continue;
        const auto comparison = stats::compare_paired(baseline.result.samples_ms, samples_ms);
        if (!comparison || !comparison->interval ||
            !stats::narrower_than(*comparison->interval, comparison->ratio, kNarrowShare))
            return false;
    }
    return true;
}

}  // namespace kwb
