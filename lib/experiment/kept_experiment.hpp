// SPDX-License-Identifier: Apache-2.0
// The saved form of an experiment, in the settings and in experiment files.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "base/record.hpp"
#include "model/problem.hpp"

namespace kwb {

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

struct KeptExperiment {
    std::string device;                ///< DeviceInfo::id; empty: the default device
    std::string problem = "matmul";    ///< a problem's name
    std::vector<std::string> kernels;  ///< names or paths, at most 8
    Sizes sizes;                       ///< empty: the problem's default; each 1 … 2^31 - 1, at most 8
    std::string baseline;              ///< a contestant's name; empty: the first contestant
    std::string local;                 ///< work-group as typed, "16x16", "auto"; empty: as in the kernel file
    std::vector<std::string> locals;   ///< one per kernel, overrides `local`; may be shorter than `kernels`
    std::vector<std::string> devices;  ///< one per kernel: DeviceInfo::id, empty: `device`; may be shorter
    std::vector<std::string> params;   ///< one per kernel, "TILE=8 PAD=1"; may be shorter than `kernels`
    NamedList<OwnText> own;            ///< by kernel, as in `kernels`
    NamedList<std::int64_t> sweep;     ///< "from", "to", "sizeN": chosen sizes, 1 … 2^30
    double time_budget_ms = 1000;      ///< per kernel; 10 … 3,600,000
    double timeout_ms = 30'000;        ///< for each build and each launch; 100 … 3,600,000
    bool unreadable_pages = false;     ///< detect out-of-bounds accesses before timing
    bool xray = true;                  ///< check for undefined behaviour

    friend bool operator==(const KeptExperiment&, const KeptExperiment&) = default;
};

/// The keys in the order in which they are written, with their ranges.
template <class Fields>
void describe(Fields& f, KeptExperiment& e) {
    constexpr std::size_t kMostChosen = 8;  // kernels or sizes
    f("device", e.device);
    f("problem", e.problem);
    f("kernels", e.kernels, items(0, kMostChosen));
    f("baseline", e.baseline);
    f("local", e.local);
    f("locals", e.locals, items(0, kMostChosen));
    f("devices", e.devices, items(0, kMostChosen));
    f("params", e.params, items(0, kMostChosen));
    f("time_budget_ms", e.time_budget_ms, between(10, 3'600'000));
    f("timeout_ms", e.timeout_ms, between(100, 3'600'000));
    f("unreadable_pages", e.unreadable_pages);
    f("xray", e.xray);
    f("sizes", e.sizes, between(1, std::numeric_limits<std::int32_t>::max()).items(0, kMostChosen));
    f("sweep", e.sweep, between(1, 1 << 30).items(0, 66));
    f("own", e.own, items(0, kMostChosen));
}

}  // namespace kwb
