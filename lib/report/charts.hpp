// SPDX-License-Identifier: Apache-2.0
// Results as charts, shared by the window and the HTML page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/reason.hpp"
#include "model/result.hpp"
#include "plot/chart.hpp"

namespace kwb {

/// The results of one run, with the labels for its charts. Non-owning: valid for the duration of a call.
/// A contestant's colour is chosen by its index in `results`, in all charts of the run.
struct ChartedRun {
    std::span<const KernelResult> results;
    std::span<const std::string> labels;  ///< one per result, unique and short
    std::size_t baseline = 0;             ///< index into `results`, for speed-ups
    std::string device;                   ///< name of the device, for the notes; may be empty
    std::string name = "earlier run";     ///< used in legends when this is the run compared with
    /// Bytes that each kernel moves by sectors, as X-ray observed it; shorter where they are not known.
    std::vector<std::optional<double>> sector_bytes = {};
};

/// Values that differ by more than this factor get a logarithmic axis: on a linear one the small ones are too
/// short to be seen.
inline constexpr double kTooFarApart = 30;

// For all charts: a contestant without a measured value shows its verdict in place of the value, never a
// number. Times are in milliseconds; the axis shows them in a unit that suits the longest. A chart without
// results has an `empty_text` that tells the reader what to do.
// @throws ContractError  the numbers of labels and results differ

/// Bars of the medians with 95 % intervals, overlaid with the samples, one per round.
/// @param compared  an earlier run: its times are ghosts of the bars with the same label; may be null
plot::Chart time_chart(const ChartedRun& run, const ChartedRun* compared = nullptr);

/// One box per contestant: quartiles, 5th and 95th percentile, the median's interval as a notch, and the
/// samples next to it. Values are differences from the contestant's own median in per cent, as in
/// rounds_chart().
plot::Chart distribution_chart(const ChartedRun& run);

/// Each contestant's samples in the order of measurement, as difference from its own median in per cent, so
/// that the same drift looks the same for fast and slow contestants.
plot::Chart rounds_chart(const ChartedRun& run);

/// The speed-up over the baseline: the median of the ratios within each round, with its interval. A ratio
/// without an interval is not shown, because it would claim more than was measured.
plot::Chart speedup_chart(const ChartedRun& run);

/// Makes the axis of the values logarithmic or linear: x of bars, y of lines; adds a note about it. For the
/// charts of times, speed-ups and sweeps.
void set_logarithmic(plot::Chart& chart, bool logarithmic);
bool is_logarithmic(const plot::Chart& chart);

/// One-time costs (build, transfers, first run) and the time of a later run, one group of bars per phase. The
/// axis is logarithmic where the times differ too much. A contestant that failed shows its verdict at the
/// first phase without a time.
plot::Chart phases_chart(const ChartedRun& run);

/// Each kernel's time, as it is in its what-if experiments, and below it what each of them takes away, with
/// its interval. Effects overlap, so each has a bar of its own, which begins at 0. Bar 0 of a series is the
/// kernel itself, the others are KernelResult::effects in their order, then what is left without all of them,
/// unless an effect has it. A kernel without experiments has the time of the run.
/// @param pointed  a measured reason whose bars have an arrow
plot::Chart reasons_chart(const ChartedRun& run, const std::optional<Reason>& pointed = {});

/// The same as a card for slides: titled by the answer, with its reasons as notes.
plot::Chart reasons_card(const ChartedRun& run);

/// The points of a sweep so far. Non-owning.
struct ChartedSweep {
    std::span<const Sizes> sizes;                        ///< in any order
    std::span<const std::vector<KernelResult>> results;  ///< one list per size; fewer while it runs
    std::span<const std::string> labels;                 ///< labels[k] belongs to results[i][k]
    std::string device;
    std::string name = "earlier sweep";  ///< used in legends when this is the sweep compared with
};

enum class SweepMeasure {
    Auto,  ///< GFLOP/s; GB/s for problems that do no arithmetic
    Time,
};

/// One line per contestant over the size, on a base-2 logarithmic axis; bands are 95 % intervals.
/// The size is the extent that varies, or the geometric mean of all extents if several vary independently.
/// @param compared  an earlier sweep of the same problem: ghosts, in the colours of the contestants with the
///                  same labels; may be null
plot::Chart sweep_chart(const ChartedSweep& sweep, SweepMeasure measure = SweepMeasure::Auto,
                        const ChartedSweep* compared = nullptr);

/// The best rates that were measured on the device; empty if not measured.
struct RooflineCeilings {
    std::optional<double> gflops;
    std::optional<double> gbytes_s;
};

/// Contestants at their arithmetic intensity, below the ceilings. The intensity counts the least bytes that
/// the problem must move; that of a second point, a ring, the traffic by sectors that X-ray observed. Source:
/// Williams, Waterman and Patterson, "Roofline: an insightful visual performance model for multicore
/// architectures", Communications of the ACM 52, 2009.
plot::Chart roofline_chart(const ChartedRun& run, const RooflineCeilings& ceilings);

/// Heat map of the errors of the elements, as shares of the error bound.
/// The axes count cells instead of elements if the extents of the buffer are unknown.
plot::Chart error_map_chart(const KernelResult& result, const std::string& label);

/// The text shown in place of a missing value: the verdict ("wrong", "out of bounds"), "not timed" for a
/// correct result, "not yet timed" for one that has not been judged yet.
std::string missing_text(const KernelResult& result);

/// Whether the result has a time to show. The time of a wrong result means nothing. While a run is in
/// progress no result has been judged yet, so every finite time counts.
bool is_timed(const KernelResult& result);

/// The interval of a rate, derived from that of the time; the work is known exactly.
std::optional<Interval> rate_interval(const KernelResult& result, double rate);

/// Adds a note that names the device, if it is known.
void note_device(plot::Chart& chart, const std::string& device);

}  // namespace kwb
