// Rounds and turns: who runs when, and when it is enough.
#pragma once

#include <functional>
#include <vector>

#include "judge/entrant.hpp"
#include "model/request.hpp"

namespace kwb {

/// Lets all entrants that are in the race take turns, in random order within each round.
class Rounds {
public:
    /// One turn; the entrant may drop out of the race.
    /// @return  the device's time for all of its runs
    using TakeTurn = std::function<double(Entrant&)>;
    /// Told after each turn; `rounds` are finished.
    using Report = std::function<void(const Entrant&, std::uint32_t rounds)>;

    Rounds(const RunRequest& request, std::vector<Entrant>& entrants);

    /// Returns when enough is known, the rounds asked for are done, the time budget is spent, or nobody is
    /// left. Even a budget that is too small gets every entrant one turn. After the budget those go on that
    /// get an interval within the request's interval budget; the others say what they lack.
    /// The time budget is the device's: fetching and judging outputs does not count, unless it takes most of
    /// the time (kMostWaiting).
    void run(const TakeTurn& take_turn, const Report& report);

private:
    /// What an entrant's turns have cost.
    struct Cost {
        double device_ms = 0;
        double spent_ms = 0;  ///< by the wall clock, with what the judge did
        double fastest_turn_ms = 0;
    };

    void take(Entrant& entrant, const TakeTurn& take_turn);
    bool has_all_rounds(std::uint32_t rounds) const;
    bool is_budget_spent(std::uint32_t rounds) const;
    /// The budget ends the common rounds: who has too few is told the budget that would have been enough.
    void note_shortage(std::uint32_t rounds);
    bool may_go_on(const Entrant& entrant) const;
    bool all_narrow() const;
    std::vector<Entrant*> racing() const;
    double device_ms() const;
    double spent_ms() const;

    const RunRequest& request_;
    std::vector<Entrant>& entrants_;
    std::vector<Cost> costs_;  ///< one an entrant
};

/// Nobody waits longer than so many time budgets, whatever the time goes into.
inline constexpr double kMostWaiting = 3;

/// Intervals narrower than this share of the median on either side are good enough.
inline constexpr double kNarrowShare = 0.02;

}  // namespace kwb
