// What a person has chosen to run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "model/problem.hpp"

namespace kwb {

inline constexpr std::size_t kMostContestants = 8;
inline constexpr std::int64_t kMostSweepEdge = std::int64_t{1} << 30;
inline constexpr std::size_t kMostSweepSizes = 64;

/// One of those compared; the same kernel may stand there several times with other parameters or dimensions.
struct ContestantChoice {
    std::string kernel;             ///< a catalogue's name, an absolute path, or kHostBlasName
    NamedList<std::string> params;  ///< as typed, where they differ from the file's defaults
    std::string local;              ///< work-group as typed, "16x16", "auto"; empty: the kernel's own

    friend bool operator==(const ContestantChoice&, const ContestantChoice&) = default;
};

struct Choices {
    std::string device;                         ///< DeviceInfo::id; empty: the best one
    std::string problem;                        ///< a problem's name
    std::vector<ContestantChoice> contestants;  ///< at most kMostContestants
    std::size_t baseline = 0;                   ///< of `contestants`
    Sizes sizes;                                ///< one a name of the problem's sizes
    std::uint64_t seed = 1;
    /// Where a sweep begins and ends, 1 … kMostSweepEdge; none: see sweep_range().
    std::optional<std::int64_t> sweep_from, sweep_to;
    /// Sizes of a person's own for a sweep, ascending, each once; empty: from and to. Choosing a from or to
    /// afterwards empties them: what was said last holds.
    std::vector<std::int64_t> sweep_edges = {};
    double time_budget_ms = 1000;   ///< a kernel
    double timeout_ms = 30'000;     ///< of each build and each launch
    bool unreadable_pages = false;  ///< look for stray accesses before timing
    bool live = false;              ///< run again on every change

    friend bool operator==(const Choices&, const Choices&) = default;
};

// ---- Which sizes a sweep goes over ----

struct SweepRange {
    std::int64_t from = 1;
    std::int64_t to = 1;  ///< not below `from`
    friend bool operator==(const SweepRange&, const SweepRange&) = default;
};

/// As chosen: the ends of Choices::sweep_edges, if there are any. Where no end is: the power of two at or
/// below the largest of the chosen sizes, or 512 if those are smaller. Where no beginning is: six times half
/// of the end, but not below 16.
SweepRange sweep_range(const Choices& choices);

/// What every button that begins a sweep measures: Choices::sweep_edges, else from the beginning on, each
/// twice the one before, and the end itself.
/// @return  ascending, 1 … kMostSweepSizes edges
std::vector<std::int64_t> sweep_steps(const Choices& choices);

}  // namespace kwb
