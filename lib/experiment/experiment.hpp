// SPDX-License-Identifier: Apache-2.0
// What the user has chosen to run: the choices of the window, and the content of an experiment's file.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "base/record.hpp"
#include "model/problem.hpp"

namespace kwb {

inline constexpr std::size_t kMostContestants = 8;
inline constexpr std::int64_t kMostSweepEdge = std::int64_t{1} << 30;
inline constexpr std::size_t kMostSweepSizes = 64;

/// The user's settings for a file that does not declare its launch, as in the options of `kwb run`; empty:
/// the workbench infers them.
struct OwnText {
    std::string entry = {};          ///< the kernel function, as --entry
    std::string args = {};           ///< as --args: "A, B, C, n = M * N"
    std::string global = {};         ///< as --global: "round_up(N, 16), M"
    std::string local = {};          ///< as --local: "16x16", "TILE, TILE"
    std::string local_mem = {};      ///< "tile = TILE * TILE", separated by semicolons
    std::string defines = {};        ///< "TILE = 16; REAL = float"
    std::string init = {};           ///< "C = 0", separated by semicolons
    std::string build_options = {};  ///< as --build-options: "-cl-opt-disable"

    friend bool operator==(const OwnText&, const OwnText&) = default;
};

template <class Fields>
void describe(Fields& f, OwnText& own) {
    f("entry", own.entry);
    f("args", own.args);
    f("global", own.global);
    f("local", own.local);
    f("local_mem", own.local_mem);
    f("defines", own.defines);
    f("init", own.init);
    f("build_options", own.build_options);
}

struct Experiment {
    /// One of the compared kernels. The same kernel may occur several times, with different parameters or
    /// work-group sizes.
    struct Contestant {
        std::string kernel;             ///< a name from the catalogue, an absolute path, or kHostBlasName
        NamedList<std::string> params;  ///< as typed; only those that differ from the file's defaults
        std::string local;        ///< work-group size as typed, "16x16", "auto"; empty: the kernel's default
        std::string device = {};  ///< DeviceInfo::id; empty: Experiment::device
        bool pinned = false;      ///< stays when the others are cleared; not kept between sessions

        friend bool operator==(const Contestant&, const Contestant&) = default;
    };

    std::string device;                   ///< DeviceInfo::id; empty: the best one
    std::string problem = "matmul";       ///< a problem's name
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
    bool live = false;              ///< run again after every change; no part of an experiment's file

    friend bool operator==(const Experiment&, const Experiment&) = default;
};

template <class Fields>
void describe(Fields& f, Experiment::Contestant& c) {
    f("name", c.kernel);
    f("local", c.local);
    f("device", c.device);
    f("params", c.params, items(0, 64));
}

/// What is kept, in the order in which it is written, with the ranges.
template <class Fields>
void describe(Fields& f, Experiment& c) {
    constexpr std::size_t kMostSizes = 8;
    constexpr Limits kEdge = between(1, kMostSweepEdge);
    f("device", c.device);
    f("problem", c.problem);
    f("baseline", c.baseline, between(0, kMostContestants - 1));
    f("time_budget_ms", c.time_budget_ms, between(10, 3'600'000));
    f("timeout_ms", c.timeout_ms, between(100, 3'600'000));
    f("unreadable_pages", c.unreadable_pages);
    f("xray", c.xray);
    f("sweep_from", c.sweep_from, kEdge);
    f("sweep_to", c.sweep_to, kEdge);
    f("sweep_sizes", c.sweep_edges, kEdge.items(0, kMostSweepSizes));
    f("sizes", c.sizes, between(1, std::numeric_limits<std::int32_t>::max()).items(0, kMostSizes));
    f("kernels", c.contestants, items(0, kMostContestants));
    f("own", c.own, items(0, kMostContestants));
}

/// The change from one to the other. It changes only what differs, so that it can follow another change.
std::function<void(Experiment&)> change_between(const Experiment& before, Experiment after);

// ---- What is the same ----

/// Where and with what kernels are measured.
struct Setting {
    std::string place;   ///< of the judge: a name in the settings; empty: this machine
    std::string device;  ///< DeviceInfo::id
    std::string problem;
    Sizes sizes;

    friend bool operator==(const Setting&, const Setting&) = default;
};

/// A contestant and a hash of its text, its declarations and all files that it includes.
struct ChosenKernel {
    Experiment::Contestant chosen;  ///< not pinned
    std::string text;

    friend bool operator==(const ChosenKernel&, const ChosenKernel&) = default;
};

/// What a run measures, to tell whether the choices on the screen are still the same.
struct RunKey {
    Setting setting;
    std::vector<ChosenKernel> contestants;

    friend bool operator==(const RunKey&, const RunKey&) = default;
};

// ---- The sizes of a sweep ----

struct SweepRange {
    std::int64_t from = 1;
    std::int64_t to = 1;  ///< at least `from`
    friend bool operator==(const SweepRange&, const SweepRange&) = default;
};

/// As chosen: the first and last of Experiment::sweep_edges, if there are any. The default of `to` is the
/// largest of the chosen sizes, but at least 512, rounded down to a power of two; it is not below a chosen
/// `from`. The default of `from` is `to` / 64, but at least the smaller of 16 and `to`.
SweepRange sweep_range(const Experiment& choices);

/// The sizes that every button that starts a sweep measures: Experiment::sweep_edges, or else the
/// powers-of-two multiples of `from` below `to`, and `to` itself.
/// @return  ascending, 1 … kMostSweepSizes edges
std::vector<std::int64_t> sweep_steps(const Experiment& choices);

}  // namespace kwb
