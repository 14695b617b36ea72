// Helpers shared by the charts of results.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "plot/chart.hpp"
#include "plot/numbers.hpp"
#include "report/charts.hpp"

namespace kwb::chart_parts {

/// Text of a chart without any results.
inline constexpr const char* kRunFirst = "Nothing has run yet. Choose kernels and run them.";

/// The time of a wrong result means nothing. While a run is in progress no result has been judged yet, so
/// every finite time counts.
inline bool is_timed(const KernelResult& result) {
    return (!result.judged || result.verdict == Verdict::Correct) && result.median_ms &&
           std::isfinite(*result.median_ms);
}

inline void check(const ChartedRun& run) {
    expects(run.results.size() == run.labels.size(), "charts: one label a result");
}

inline plot::Axis label_axis(std::span<const std::string> labels) {
    plot::Axis axis;
    axis.kind = plot::ScaleKind::Categories;
    axis.categories.assign(labels.begin(), labels.end());
    return axis;
}

/// Chooses one unit for all times of a chart, to fit the longest of them.
class TimeUnit {
public:
    void see(const std::optional<double>& time_ms) {
        if (time_ms && std::isfinite(*time_ms)) largest_ms_ = std::max(largest_ms_, *time_ms);
    }
    std::string name() const { return unit().unit; }
    double of(double time_ms) const { return time_ms * unit().factor; }
    Interval of(const Interval& ms) const { return {of(ms.low), of(ms.high)}; }
    std::vector<double> of(std::vector<double> times_ms) const {
        const double factor = unit().factor;
        for (double& time : times_ms) time *= factor;
        return times_ms;
    }

private:
    plot::ScaledUnit unit() const { return plot::choose_unit("ms", largest_ms_); }

    double largest_ms_ = 0;
};

/// Set `empty_text` to the reason if no contestant has a time, because the chart then has no axis either.
/// @return  true if no contestant has a time
inline bool nothing_timed(plot::Chart& chart, const ChartedRun& run) {
    if (std::ranges::any_of(run.results, is_timed)) return false;
    if (run.results.empty())
        chart.empty_text = kRunFirst;
    else if (!std::ranges::all_of(run.results, &KernelResult::judged))
        chart.empty_text = "Times appear here as the rounds come in.";
    else if (std::ranges::all_of(run.results, [](const KernelResult& result) {
                 return result.verdict == Verdict::Skipped || result.verdict == Verdict::Correct;
             }))
        chart.empty_text = "The run ended before any kernel was timed. Run it again.";
    else
        chart.empty_text = "No kernel was timed. The verdicts say why; mend one and run again.";
    return true;
}

/// "12 rounds" or "6 to 32 rounds", of the contestants that were timed; empty if none was.
std::string rounds_text(const ChartedRun& run);

/// Add a note that names the device, if it is known.
void note_device(plot::Chart& chart, const std::string& device);

}  // namespace kwb::chart_parts
