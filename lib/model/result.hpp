// What came of one kernel at one size: the record behind the table, the JSON and the window.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/interval.hpp"
#include "base/record.hpp"
#include "model/finding.hpp"
#include "model/plan.hpp"
#include "model/verdict.hpp"

namespace kwb {

/// Where a fault showed itself; what is unknown stays empty.
struct Evidence {
    std::optional<std::string> stage;   ///< last stage the runner entered: "compile", "launch", …
    std::optional<std::string> signal;  ///< "SIGSEGV"
    std::optional<std::string> buffer;
    std::optional<std::string> access;    ///< "read" or "write"
    std::optional<std::int64_t> element;  ///< of `buffer`; negative: before its first
    std::optional<std::vector<std::uint64_t>> work_item =
        {};  ///< global ids of the one that did it, as many as dimensions
};

struct WrongElement {
    std::vector<std::uint64_t> index;  ///< in the shape of `buffer`
    double expected = 0;
    double got = 0;
    std::string buffer;
};

/// How many elements a map of cells stands for. Buffers of one dimension are one row; of more than two, all
/// but the last dimension are rows, in row-major order.
struct MapExtents {
    std::uint64_t rows = 0;  ///< at least as many as cells
    std::uint64_t columns = 0;
};

/// The element that a cell of an error map shows.
struct WorstElement {
    std::uint64_t element = 0;  ///< row-major index in the map's buffer
    double expected = 0;        ///< as the buffer's own float, where it is one of at most 32 bits
    double got = 0;             ///< NaN or infinite too; poison if it was never written
};

inline constexpr std::uint32_t kMostMapCells = 256;  ///< of an error map, a side

/// Errors of one output over its index space, for drawing.
/// Cell (r, c) holds the elements (i, j) with floor(i * rows / extents.rows) = r, and columns alike.
struct ErrorMap {
    std::string buffer;
    std::uint32_t rows = 0;  ///< at most kMostMapCells
    std::uint32_t columns = 0;
    std::vector<float>
        worst_share;  ///< row-major: largest error of the cell as share of its bound; inf: unwritten
    std::optional<MapExtents> extents = {};  ///< none: a record from before they were kept
    /// One a cell, the first of those with its worst_share; none at all in a record from before they were
    /// kept. Needs `extents`.
    std::vector<WorstElement> worst_elements = {};
};

struct LaunchResult {
    std::string kernel;
    std::vector<std::uint64_t> global;
    std::vector<std::uint64_t> local;  ///< empty: the driver chose
    std::optional<double> median_ms;
};

/// The compiler's view of one kernel function on the device.
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

/// One message of the compiler, at the person's own file and line.
struct Diagnostic {
    Severity severity = Severity::Error;
    std::string file;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    std::string message;
};

/// A remark on suspicious source; never a verdict.
struct Hint {
    std::uint32_t line = 0;
    std::string sentence;
};

/// Fewer rounds were timed than an interval needs.
struct TooFewRounds {
    /// A time budget a kernel that would have been enough; none: it was not the time that ended the rounds.
    std::optional<double> needed_ms;
};

/// How outputs were checked where a full reference would have taken too long: by products with random
/// vectors, and a part of the elements one by one.
struct RandomCheck {
    std::uint32_t vectors = 0;  ///< at most, in a pass
    /// At most, that a wrong element is not seen: any of the pass with integers, of that with random numbers
    /// one that is off by more than `visible_error`.
    double miss_chance = 0;
    std::optional<double> visible_error;  ///< none: integers alone
    std::uint64_t compared_elements = 0;  ///< with sums of their own, at most in a pass
};

struct KernelResult {
    std::string kernel;
    std::string file;
    std::string source_sha256;
    bool unsaved = false;  ///< an editor's text ran, its own or a neighbour's, that was in no file then
    std::string problem;
    Sizes size;
    ParamChoice params;
    std::vector<LaunchResult> launches;
    std::string device;
    /// False in a run under way: times so far, but `verdict` says nothing yet. Never false in what a judge
    /// answers, a file or the history holds, so it has no place in their JSON.
    bool judged = true;
    Verdict verdict = Verdict::Skipped;
    std::optional<Expectation> expected;
    std::string reason;  ///< a sentence to show, and for nothing else; empty for `correct`
    /// The same as data, where the judge says more than the verdict; none: nobody needs to tell it apart.
    std::optional<Finding> finding = {};
    std::optional<Evidence> evidence;
    std::optional<double> build_ms;
    std::optional<double> upload_ms;    ///< all inputs
    std::optional<double> download_ms;  ///< all outputs
    std::optional<double> first_run_ms;
    std::vector<double> samples_ms;  ///< one a round, in their order
    std::optional<double> median_ms;
    std::optional<Interval> ci95_ms;
    std::optional<double> gflops;
    std::optional<double> gbytes_s;
    std::optional<Speedup> speedup;
    std::optional<std::uint64_t> wrong_elements;  ///< with `random_check` at least so many
    std::vector<WrongElement> first_wrong;        ///< the first ones in index order, at most 16
    std::optional<double> max_error_share;        ///< of the bound; above 1 is wrong
    std::optional<bool> numpy_allclose;           ///< rtol 1e-5 against the double-precision reference
    std::optional<RandomCheck> random_check;      ///< none: every element was compared
    std::optional<KernelInfo> kernel_info;
    std::vector<Diagnostic> diagnostics;
    std::vector<Hint> hints;
    std::optional<TooFewRounds> too_few_rounds = {};
    std::vector<Finding> warnings;
    std::string output;  ///< what the program printed
    std::string log;     ///< the compiler's words
    std::optional<ErrorMap> error_map;

    /// True if it was judged, and the verdict is `correct` or what the kernel's file says it should be.
    bool as_expected() const {
        if (!expected || !judged) return judged && verdict == Verdict::Correct;
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
    std::string sandbox;  ///< which isolation was in force, e.g. "none"
};

}  // namespace kwb
