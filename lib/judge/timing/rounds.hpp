// SPDX-License-Identifier: Apache-2.0
// Rounds and turns: the order in which contestants run, and when to stop.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <vector>

#include "ipc/channel.hpp"
#include "judge/contestant_state.hpp"
#include "model/request.hpp"
#include "stats/interval.hpp"

namespace kwb {

/// Lets all contestants in the race take turns, in random order within each round.
class Rounds {
public:
    /// Performs one turn; the contestant may drop out of the race.
    /// @return  device time of all its runs
    using TakeTurn = std::function<double(ContestantState&)>;
    /// Called after each turn; `rounds` is the number of completed rounds.
    using Report = std::function<void(const ContestantState&, std::uint32_t rounds)>;

    Rounds(const RunRequest& request, std::vector<ContestantState>& contestants);

    /// Returns when the intervals are narrow enough, the requested rounds are done, the time budget is spent,
    /// or no contestant is left. Every contestant gets at least one turn, however small the budget. After the
    /// budget, contestants that can get an interval within the request's interval budget continue; the others
    /// record the budget that they would need. While a ratio to the baseline is too wide for an answer, all
    /// of them continue within the request's answer budget: a rule about widths alone, because one that stops
    /// at an interval without 1 would find differences by chance. The budget counts device time; fetching and
    /// checking outputs counts only if it takes most of the time (kMostWaiting).
    ///
    /// If the request lets contestants race, one takes no more turns once it is slower than the fastest:
    /// when the interval of their ratio shows it, or earlier if it was slower in every round by much (see
    /// kFarBehind). Such an early decision is no statement about times, only about where to spend them.
    /// Source of the idea: Maron and Moore, "Hoeffding races", NIPS 6, 1993.
    void run(const TakeTurn& take_turn, const Report& report);

    /// Whether the rounds go on only because the ratios are too wide.
    bool is_extended() const { return is_extended_; }

private:
    /// The cost of a contestant's turns so far.
    struct Cost {
        double device_ms = 0;
        double spent_ms = 0;  ///< by the wall clock, including the judge's work
        double fastest_turn_ms = 0;
        double checked_ms = 0;   ///< of its last checked run, unless that was its first; else 0
        bool is_outrun = false;  ///< it is slower, and takes no more turns
    };

    void take(ContestantState& contestant, const TakeTurn& take_turn);
    bool has_all_rounds(std::uint32_t rounds) const;
    bool is_budget_spent(std::uint32_t rounds) const;
    /// The budget has ended the common rounds: records the budget that would have been enough for an
    /// interval.
    void note_shortage(std::uint32_t rounds);
    bool may_go_on(const ContestantState& contestant) const;
    bool all_narrow() const;
    /// Past the other budgets.
    bool may_extend(std::uint32_t rounds);
    /// @return  nullopt: they have no common round, or it cannot be timed
    std::optional<stats::Comparison> compare_with_baseline(const ContestantState& contestant) const;
    bool is_outrun(const ContestantState& slow, const ContestantState& fast) const;
    /// Takes those that are slower than the fastest out of the race.
    void drop_slower();
    /// Those that take turns.
    std::vector<ContestantState*> racing() const;
    /// What counts against the time budget: the turns of those that race.
    double charged_ms() const;

    const RunRequest& request_;
    std::vector<ContestantState>& contestants_;
    std::vector<Cost> costs_;  ///< one for each contestant
    const Stopwatch watch_;
    bool is_extended_ = false;
};

/// Without the other budgets, the user waits for at most this many time budgets, whatever takes the time.
inline constexpr double kMostWaiting = 3;

/// A contestant that took at least this many times as long as the fastest in every observation is far behind,
/// by their number: few need a large factor, because a disturbance may last for some of them. Observations
/// are the rounds, and the last checked run before them, unless it was the contestant's first.
struct FarBehind {
    std::size_t observations = 0;
    double factor = 1;
};
inline constexpr std::array kFarBehind = {FarBehind{2, 1.4}, FarBehind{3, 1.2}};

/// An interval is narrow if it extends less than this share of the median to either side.
inline constexpr double kNarrowShare = 0.02;

}  // namespace kwb
