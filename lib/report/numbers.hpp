// SPDX-License-Identifier: Apache-2.0
// Numbers for human readers: few digits, suitable units, values with their intervals.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "base/interval.hpp"
#include "model/device_info.hpp"
#include "model/request.hpp"
#include "model/result.hpp"

namespace kwb {

/// "12.3", "0.0456", "1.00", "12345": three significant digits, but at least the whole integer part.
/// "nan", "inf" or "-inf" for values that are not finite; scientific notation below 1e-6.
std::string format_digits(double value);

/// "12.3 ms", "456 µs", "1.20 s", "80.0 ns": three significant digits in a suitable unit. With an interval
/// "12.3 ms (12.1 – 12.6)", all with the unit and the decimals of the value.
std::string format_time_ms(double time_ms, const std::optional<Interval>& interval_ms = {});

/// "12.1 – 12.6": an interval next to its median of `time_ms`, in the same unit and with the same decimals.
std::string format_time_interval_ms(double time_ms, const Interval& interval_ms);

/// "40 s", "12 min", "3.5 h": a duration that is only an estimate.
std::string rough_duration(double ms);

/// True if no difference is established: there is no interval, or it includes 1.
bool is_undecided(const Speedup& speedup);

/// A ratio and its interval with as many decimals as the interval's width justifies. The interval is rounded
/// outward, so that it claims no more than was measured, but not to 1 or beyond if it excludes 1.
struct RatioTexts {
    std::string value;     ///< "1.34"
    std::string interval;  ///< "1.31 – 1.37"
};
/// @param speedup  with an interval
RatioTexts ratio_texts(const Speedup& speedup);

/// "+12 %", "−30 %", "± 0 %": a time against another. It has no interval, because the drift between runs is
/// not known.
/// @param time_ms, other_ms  above 0
std::string format_change(double time_ms, double other_ms);

/// How a missing interval is described: in full, or briefly if space is short.
enum class Wording { Full, Short };

/// "5.1 (4.9 – 5.3)"; "no difference seen" if the interval includes 1, "too noisy to compare" if it is also
/// wide; "too few rounds" if there is no interval, because a bare ratio would claim more than was measured.
std::string format_speedup(const Speedup& speedup, Wording wording);

/// A bar of block characters in steps of an eighth; at least one eighth for any share above 0.
/// @param share  in [0, 1]
/// @param cells  width of a full bar, in columns
std::string bar(double share, unsigned cells);

/// "12.0 % of bound", "3.40 × the bound"; "-" if the share is not finite.
std::string format_error_share(double share);

// How long a run or the start of a driver has taken so far.

/// "12 s of at most 30 s", or "12 s" if the step has no time limit.
/// @return  empty during the first second, because most steps take less than that
std::string waiting_words(const Progress& progress);

/// "waiting for the driver nvidia.icd, 12 s of at most 60 s", for the first driver that is still starting.
/// @return  empty if none is starting
std::string starting_words(const DeviceList& list);

// The figures of a result that have their own column in the terminal and the HTML page.

/// To add a figure, add one line to numbers.cpp.
struct ResultFigure {
    enum class Kind {
        Cost,  ///< one-time cost in milliseconds; shown before the median, or after all other columns
        Rate   ///< per second; shown after the median
    };
    const char* header;  ///< "1st run"
    Kind kind;
    unsigned worth;  ///< columns of lower worth are dropped first if there is no room
    std::optional<double> KernelResult::*value;
};

/// All figures, in the order of columns.
std::span<const ResultFigure> result_figures();

/// "12.3 ms", "45.6"; empty if the figure was not measured. An absurdly large number from a corrupt record is
/// written in short form.
std::string figure_text(const ResultFigure& figure, const KernelResult& result);

}  // namespace kwb
