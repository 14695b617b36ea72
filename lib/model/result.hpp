// SPDX-License-Identifier: Apache-2.0
// The result of one kernel at one size: the record shown in the table, the JSON output and the window.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/interval.hpp"
#include "base/record.hpp"
#include "model/effect.hpp"
#include "model/finding.hpp"
#include "model/gpu_profile.hpp"
#include "model/hot_loop.hpp"
#include "model/image.hpp"
#include "model/kernel_spec.hpp"
#include "model/plan.hpp"
#include "model/xray.hpp"

namespace kwb {

/// Where a fault was observed; unknown fields are empty.
struct Evidence {
    std::optional<std::string> stage;   ///< last stage the runner entered: "compile", "launch", …
    std::optional<std::string> signal;  ///< "SIGSEGV"
    std::optional<std::string> buffer;
    std::optional<std::string> access;    ///< "read" or "write"
    std::optional<std::int64_t> element;  ///< index in `buffer`; negative: before its first element
    std::optional<std::vector<std::uint64_t>> work_item =
        {};  ///< global ids of the faulting work-item, one per dimension
};

struct WrongElement {
    std::vector<std::uint64_t> index;  ///< in the shape of `buffer`
    double expected = 0;
    double got = 0;
    std::string buffer;
};

/// The buffer's shape as rows and columns of elements. A one-dimensional buffer is a single row. With more
/// than two dimensions, all but the last are combined into rows, in row-major order.
struct MapExtents {
    std::uint64_t rows = 0;  ///< at least the map's number of cell rows; columns likewise
    std::uint64_t columns = 0;
};

/// The element with the largest error in a cell of an error map.
struct WorstElement {
    std::uint64_t element = 0;  ///< row-major index in the map's buffer
    double expected = 0;        ///< rounded to float if the buffer holds floats or halves
    double got = 0;             ///< may be NaN or infinite; the poison value if it was never written
};

inline constexpr std::uint32_t kMostMapCells = 256;  ///< cells per side of an error map

/// Errors of one output over its index space, for drawing.
/// Cell (r, c) contains the elements (i, j) with floor(i * rows / extents.rows) = r; likewise for columns.
struct ErrorMap {
    std::string buffer;
    std::uint32_t rows = 0;  ///< at most kMostMapCells
    std::uint32_t columns = 0;
    std::vector<float>
        worst_share;  ///< row-major: largest error in the cell as a share of the bound; inf: unwritten
    std::optional<MapExtents> extents = {};  ///< nullopt in records saved by older versions
    /// One per cell: the first element with the cell's worst_share. Empty in records saved by older versions.
    /// Requires `extents`.
    std::vector<WorstElement> worst_elements = {};
};

struct LaunchResult {
    std::string kernel;
    std::vector<std::uint64_t> global;
    std::vector<std::uint64_t> local;  ///< empty: the driver chose
    std::optional<double> median_ms;
};

/// Properties of a compiled kernel function on the device (clGetKernelWorkGroupInfo).
struct KernelInfo {
    std::uint64_t work_group_size = 0;
    std::uint64_t preferred_multiple = 0;
    std::uint64_t local_mem_bytes = 0;
    std::uint64_t private_mem_bytes = 0;
};

struct Speedup {
    std::string to;    ///< the kernel it is compared with
    double value = 1;  ///< above 1: this kernel is faster
    std::optional<Interval> interval;
};

enum class Severity { Note, Warning, Error };

template <>
inline constexpr auto kEnumNames<Severity> = std::to_array<std::string_view>({"note", "warning", "error"});

/// A compiler message, with its location in the user's file.
struct Diagnostic {
    Severity severity = Severity::Error;
    std::string file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::string message;
};

/// A remark about suspicious source code; never affects the verdict.
struct Hint {
    std::uint32_t line = 0;
    std::string sentence;
};

/// Fewer rounds were timed than a confidence interval needs.
struct TooFewRounds {
    /// Time budget per kernel that would have been enough; nullopt: the rounds did not end for lack of time.
    std::optional<double> needed_ms;
};

/// How outputs were checked when a full reference would have taken too long: by products with random vectors,
/// and by comparing some elements one by one.
struct RandomCheck {
    std::uint32_t vectors = 0;  ///< random vectors; the larger number of the two passes
    /// Upper bound of the probability that a wrong element is missed. In the pass with integers this covers
    /// any wrong element; in the pass with random numbers, one that is off by more than `visible_error`.
    double miss_chance = 0;
    std::optional<double> visible_error;  ///< nullopt: only the pass with integers was done
    std::uint64_t compared_elements = 0;  ///< compared one by one; the larger number of the two passes
};

enum class XrayState {
    Observed,
    LeftOut,     ///< as the user chose
    NotPossible  ///< for a reason
};

template <>
inline constexpr auto kEnumNames<XrayState> = std::to_array<std::string_view>({"observed", "left_out",
                                                                               "not_possible"});

/// One observation of a kernel.
struct XrayObservation {
    Sizes size;
    std::uint64_t groups = 0;           ///< work-groups of all launches
    std::uint64_t observed_groups = 0;  ///< fewer: the others were left out
    bool is_shuffled = false;           ///< in another order of groups and work-items
};

/// X-ray's result (model/xray.hpp) for a kernel.
struct XrayOutcome {
    XrayState state = XrayState::Observed;
    std::string reason;                     ///< of NotPossible: a sentence
    std::vector<XrayObservation> observed;  ///< with Observed, at least one
    std::vector<Finding> undefined;         ///< undefined behaviour, each once
    std::vector<Finding> remarks;           ///< gaps in the observation, and why
    bool is_foreign = false;  ///< observed in the process of an untrusted kernel, which may forge this
    /// Accesses, lines and barriers of whole launches at the size of the run, without maps and findings.
    std::optional<XrayReport> counts = {};
};

struct KernelResult {
    std::string kernel;
    std::string file;
    std::string source_sha256;
    bool unsaved = false;  ///< the source, or a file that it includes, had unsaved changes in the editor
    std::string problem;
    Sizes size;
    std::optional<std::uint64_t> seed = {};  ///< of the inputs
    ParamChoice params;
    std::vector<LaunchResult> launches;
    std::optional<std::string> library =
        {};  ///< of cpu:blas: "OpenBLAS 0.3.21 (SkylakeX kernels, 2 threads)"
    std::string device;
    std::string place = {};  ///< of the device: a name of the settings or a launch command; empty: here
    /// False while a run is in progress: there are times, but `verdict` is not valid yet. Always true in a
    /// judge's response, in files and in the history, so it is not part of the JSON.
    bool judged = true;
    Verdict verdict = Verdict::Skipped;
    std::optional<Expectation> expected;
    std::string reason;  ///< a sentence for display only; empty for `correct`
    /// The reason as data, if other code needs more detail than the verdict; otherwise nullopt.
    std::optional<Finding> finding = {};
    std::optional<Evidence> evidence;
    std::optional<double> build_ms;
    std::optional<double> upload_ms;    ///< all inputs
    std::optional<double> download_ms;  ///< all outputs
    std::optional<double> first_run_ms;
    std::vector<double> samples_ms;  ///< one per round, in order
    std::optional<double> median_ms;
    std::optional<Interval> ci95_ms;
    std::optional<double> gflops;
    std::optional<double> gbytes_s;
    std::optional<Speedup> speedup;
    std::optional<std::uint64_t> wrong_elements;  ///< with `random_check`, a lower bound
    std::vector<WrongElement> first_wrong;        ///< the first in index order, at most 16
    std::optional<double> max_error_share;        ///< largest error as a share of the bound; above 1 is wrong
    std::optional<RandomCheck> random_check;      ///< nullopt: every element was compared
    std::optional<KernelInfo> kernel_info;
    std::vector<Diagnostic> diagnostics;
    std::vector<Hint> hints;
    std::optional<XrayOutcome> xray = {};  ///< nullopt: the run ended before X-ray
    std::optional<TooFewRounds> too_few_rounds = {};
    /// Of RunRequest::what_if, for a kernel without fault; nullopt: not measured.
    std::optional<std::vector<Effect>> effects = {};
    /// Of RunRequest::what_if; nullopt: not known.
    std::optional<HotLoop> hot_loop = {};
    /// Computed from `xray`, on GPUs that the machine need not have; nullopt: not computed.
    std::optional<std::vector<GpuView>> gpus = {};
    std::vector<Finding> warnings;
    std::string output;  ///< what the program printed
    std::string log;     ///< the compiler's output
    std::optional<ErrorMap> error_map;
    std::optional<Picture> picture = {};  ///< the first output that is one

    /// True if it was judged and the verdict is the one expected by the kernel's file, by default a good one.
    bool as_expected() const {
        if (!expected || !judged) return judged && is_good(verdict);
        return std::ranges::find(expected->verdicts, verdict) != expected->verdicts.end();
    }
};

/// Where a measurement was made.
struct Environment {
    std::string device;
    std::string platform;
    std::string driver;
    std::string opencl_c;
    std::string host_cpu;
    std::string kwb_version;
    std::string sandbox;  ///< the isolation in force, e.g. "none"
};

}  // namespace kwb
