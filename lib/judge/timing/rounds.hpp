// Rounds and turns: who runs when, and when it is enough.
#pragma once

#include <functional>
#include <vector>

#include "judge/contestant_state.hpp"
#include "model/request.hpp"

namespace kwb {

/// Lets all contestants in the race take turns, in random order within each round.
class Rounds {
public:
    /// Takes one turn; the contestant may drop out of the race.
    /// @return  the device's time for all of its runs
    using TakeTurn = std::function<double(ContestantState&)>;
    /// Called after each turn; `rounds` are finished.
    using Report = std::function<void(const ContestantState&, std::uint32_t rounds)>;

    Rounds(const RunRequest& request, std::vector<ContestantState>& contestants);

    /// Returns when the intervals are narrow enough, the requested rounds are done, the time budget is spent,
    /// or nobody is left. Every contestant gets at least one turn, however small the budget. After the
    /// budget, contestants that can reach an interval within the request's interval budget go on; the others
    /// note what they lack. The budget counts device time: fetching and judging outputs is free unless it
    /// takes most of the time (kMostWaiting).
    void run(const TakeTurn& take_turn, const Report& report);

private:
    /// What a contestant's turns have cost.
    struct Cost {
        double device_ms = 0;
        double spent_ms = 0;  ///< by the wall clock, with what the judge did
        double fastest_turn_ms = 0;
    };

    void take(ContestantState& contestant, const TakeTurn& take_turn);
    bool has_all_rounds(std::uint32_t rounds) const;
    bool is_budget_spent(std::uint32_t rounds) const;
    /// The budget has ended the common rounds: note the budget that would have been enough for an interval.
    void note_shortage(std::uint32_t rounds);
    bool may_go_on(const ContestantState& contestant) const;
    bool all_narrow() const;
    std::vector<ContestantState*> racing() const;
    double device_ms() const;
    double spent_ms() const;

    const RunRequest& request_;
    std::vector<ContestantState>& contestants_;
    std::vector<Cost> costs_;  ///< one for each contestant
};

/// Nobody waits longer than this many time budgets, whatever the time is spent on.
inline constexpr double kMostWaiting = 3;

/// Intervals narrower than this share of the median on either side are good enough.
inline constexpr double kNarrowShare = 0.02;

}  // namespace kwb
