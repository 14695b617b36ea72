// Numbers as people read them: few digits, fitting units, intervals beside values.
#pragma once

#include <optional>
#include <string>

#include "base/interval.hpp"
#include "model/device_info.hpp"
#include "model/request.hpp"
#include "model/result.hpp"

namespace kwb {

/// "12.3", "0.0456", "1.00", "12345": three significant digits, never fewer than the integer part.
/// "nan" and "inf" for what is no number; below 1e-6 in scientific form.
std::string format_digits(double value);

/// "12.3 ms", "456 µs", "1.20 s", "80.0 ns": three significant digits in the unit that suits.
std::string format_time_ms(double time_ms);

/// "12.3 ms (12.1 – 12.6)", all in the value's unit and decimals; without an interval just "12.3 ms".
std::string format_time_ms(double time_ms, const std::optional<Interval>& interval_ms);

/// How a speed-up is told: with words, or short where the words have no room.
enum class Wording { Full, Short };

/// "5.1 (4.9 – 5.3) times as fast"; "no difference seen" where the interval includes 1; "too few rounds"
/// where there is none, because a bare ratio would claim more than was measured.
/// As many decimals as the width of the interval justifies, and more where an end would else be rounded onto
/// 1: the interval is rounded outward, so that it claims no more than was measured, but never across 1.
std::string format_speedup(const Speedup& speedup, Wording wording);

/// A bar of eighth blocks, at least one eighth for any share above 0.
/// @param share  in [0, 1]
/// @param cells  columns of a full bar
std::string bar(double share, unsigned cells);

/// "12.0 % of bound", "3.40 × the bound"; "-" where the error has no share of a bound.
std::string format_error_share(double share);

// How long a run, or the start of a driver, has taken so far.

/// "12 s of at most 30 s", or "12 s" where nothing bounds the step.
/// @return  empty in the first second, which most steps do not outlast
std::string waiting_words(const Progress& progress);

/// "waiting for the driver nvidia.icd, 12 s of at most 60 s", of the first that is still starting.
/// @return  empty if none is
std::string starting_words(const DeviceList& list);

}  // namespace kwb
