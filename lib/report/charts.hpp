// Results as charts: the very same for the window and for the HTML page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/result.hpp"
#include "plot/chart.hpp"

namespace kwb {

/// The results of one run as its charts name them. Borrows: for the length of a call.
/// A contestant's colour is its index in `results`, in all charts of the run.
struct ChartedRun {
    std::span<const KernelResult> results;
    std::span<const std::string> labels;  ///< one a result, unique and short
    std::size_t baseline = 0;             ///< of `results`, for speed-ups
    std::string device;                   ///< its name, for the notes; may be empty
    std::string name = "earlier run";     ///< in legends, where it is the run that another is compared with
};

// All of them: what was not measured stands as its verdict in the place of its value, and is never a number.
// Times are in one unit a chart. Without results a chart has an `empty_text` that says what to do.
// @throws ContractError  not as many labels as results

/// Bars of the medians with 95 % intervals, over them one sample a round.
/// @param compared  an earlier run: contestants of the same label get a second bar; may be null
plot::Chart time_chart(const ChartedRun& run, const ChartedRun* compared = nullptr);

/// A box a contestant: quartiles, 5 and 95 %, the median's interval as a notch, the samples beside it; as
/// difference from its own median in per cent, as in rounds_chart().
plot::Chart distribution_chart(const ChartedRun& run);

/// Each contestant's samples in the order of measuring, as difference from its own median in per cent, so
/// that fast and slow ones show the same drift alike.
plot::Chart rounds_chart(const ChartedRun& run);

/// How many times as fast as the baseline, made of the ratios within each round, with the interval of their
/// median. A ratio without interval is not shown: it would claim more than was measured.
plot::Chart speedup_chart(const ChartedRun& run);

/// What is paid once (build, transfers, first run) beside a later run, one group of bars a phase. They often
/// differ a thousandfold: then on a logarithmic axis. Where a contestant got stuck its verdict stands.
plot::Chart phases_chart(const ChartedRun& run);

/// The points of a sweep so far. Borrows.
struct ChartedSweep {
    std::span<const Sizes> sizes;                        ///< in any order
    std::span<const std::vector<KernelResult>> results;  ///< a list a size; fewer while it runs
    std::span<const std::string> labels;                 ///< results[i][k] is of labels[k]
    std::string device;
    std::string name = "earlier sweep";  ///< in legends, where it is the sweep that another is compared with
};

enum class SweepMeasure {
    Auto,  ///< GFLOP/s; GB/s for problems that do no arithmetic
    Gflops,
    GbytesS,
    Time,
};

/// A line a contestant over the size, on a logarithmic axis of powers of two, bands are 95 % intervals.
/// Where several extents differ the size is their geometric mean.
/// @param compared  an earlier sweep of the same problem: dashed lines, in the colours of the contestants of
///                  the same labels; may be null
plot::Chart sweep_chart(const ChartedSweep& sweep, SweepMeasure measure = SweepMeasure::Auto,
                        const ChartedSweep* compared = nullptr);

/// The best rates that were measured on the device; missing: not measured.
struct RooflineCeilings {
    std::optional<double> gflops;
    std::optional<double> gbytes_s;
};

/// Contestants at their arithmetic intensity (least bytes of the problem) under the ceilings.
/// Source: Williams, Waterman and Patterson, "Roofline: an insightful visual performance model for multicore
/// architectures", Communications of the ACM 52, 2009.
plot::Chart roofline_chart(const ChartedRun& run, const RooflineCeilings& ceilings);

/// Where the result is off, and by how much of its bound.
/// Indices of a map that does not know the extents of its buffer count cells.
plot::Chart error_map_chart(const KernelResult& result, const std::string& label);

/// "wrong", "out of bounds": what stands in the place of a value; "not timed" for a correct result, "not yet
/// timed" for one that has yet to be judged.
std::string missing_text(const KernelResult& result);

}  // namespace kwb
