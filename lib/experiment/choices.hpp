// SPDX-License-Identifier: Apache-2.0
// What the user has chosen to run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "experiment/kept_experiment.hpp"
#include "model/problem.hpp"

namespace kwb {

inline constexpr std::size_t kMostContestants = 8;
inline constexpr std::int64_t kMostSweepEdge = std::int64_t{1} << 30;
inline constexpr std::size_t kMostSweepSizes = 64;

struct Choices {
    /// One of the compared kernels. The same kernel may occur several times, with different parameters or
    /// work-group sizes.
    struct Contestant {
        std::string kernel;             ///< a name from the catalogue, an absolute path, or kHostBlasName
        NamedList<std::string> params;  ///< as typed; only those that differ from the file's defaults
        std::string local;        ///< work-group size as typed, "16x16", "auto"; empty: the kernel's default
        std::string device = {};  ///< DeviceInfo::id; empty: Choices::device
        bool pinned = false;      ///< stays when the others are cleared; not kept between sessions

        friend bool operator==(const Contestant&, const Contestant&) = default;
    };

    std::string device;                   ///< DeviceInfo::id; empty: the best one
    std::string problem;                  ///< a problem's name
    std::vector<Contestant> contestants;  ///< at most kMostContestants
    std::size_t baseline = 0;             ///< index into `contestants`
    NamedList<OwnText> own;               ///< by Contestant::kernel
    Sizes sizes;                          ///< one for each of the problem's size names
    std::optional<std::uint64_t> seed;    ///< none: the judge draws one; not kept between sessions
    /// Ends of the sweep range, 1 … kMostSweepEdge; if empty, see sweep_range().
    std::optional<std::int64_t> sweep_from, sweep_to;
    /// The user's own sizes for a sweep, ascending and distinct; if empty, sweep_from and sweep_to apply. A
    /// later change of sweep_from or sweep_to clears them: the last choice wins.
    std::vector<std::int64_t> sweep_edges = {};
    double time_budget_ms = 1000;   ///< for each kernel
    double timeout_ms = 30'000;     ///< for each build and each launch
    bool unreadable_pages = false;  ///< detect out-of-bounds accesses before timing
    bool xray = true;               ///< observe undefined behaviour before timing
    bool live = false;              ///< run again after every change

    friend bool operator==(const Choices&, const Choices&) = default;
};

/// "A=1 B=2"
std::string params_text(const NamedList<std::string>& params);
NamedList<std::string> parse_params(const std::string& text);

/// The part of the choices that is kept.
/// All but the contestants.
void take_kept(const KeptExperiment& kept, Choices& choices);
KeptExperiment kept_experiment(const Choices& choices);

// ---- The sizes of a sweep ----

struct SweepRange {
    std::int64_t from = 1;
    std::int64_t to = 1;  ///< at least `from`
    friend bool operator==(const SweepRange&, const SweepRange&) = default;
};

/// As chosen: the first and last of Choices::sweep_edges, if there are any. The default of `to` is the
/// largest of the chosen sizes, but at least 512, rounded down to a power of two; it is not below a chosen
/// `from`. The default of `from` is `to` / 64, but at least the smaller of 16 and `to`.
SweepRange sweep_range(const Choices& choices);

/// The sizes that every button that starts a sweep measures: Choices::sweep_edges, or else the powers-of-two
/// multiples of `from` below `to`, and `to` itself.
/// @return  ascending, 1 … kMostSweepSizes edges
std::vector<std::int64_t> sweep_steps(const Choices& choices);

}  // namespace kwb
