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
    using TakeTurn = std::function<void(Entrant&)>;
    /// Told after each turn; `rounds` are finished.
    using Report = std::function<void(const Entrant&, std::uint32_t rounds)>;

    Rounds(const RunRequest& request, std::vector<Entrant>& entrants);

    /// Returns when enough is known, the rounds asked for are done, the time budget is spent, or nobody is
    /// left. Even a budget that is too small gets every entrant one turn.
    void run(const TakeTurn& take_turn, const Report& report);

private:
    bool enough(std::uint32_t rounds, double spent_ms) const;
    bool all_narrow() const;
    std::vector<Entrant*> racing() const;

    const RunRequest& request_;
    std::vector<Entrant>& entrants_;
};

/// Intervals narrower than this share of the median on either side are good enough.
inline constexpr double kNarrowShare = 0.02;

}  // namespace kwb
