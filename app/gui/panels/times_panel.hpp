// SPDX-License-Identifier: Apache-2.0
// The times: the results table, and charts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/chart_widget.hpp"
#include "report/charts.hpp"

namespace kwb::gui {

/// The sizes of a sweep, and the quantity that its chart shows.
class SweepControls {
public:
    void draw(const DeskState& state, Commands& commands);

    SweepMeasure measure() const { return view_ == View::Time ? SweepMeasure::Time : SweepMeasure::Auto; }
    bool shows_map() const { return view_ == View::Map; }

private:
    enum class View { Speed, Time, Map };

    void draw_sizes(const DeskState& state, Commands& commands);
    void draw_views(float gap);

    std::string edges_;  ///< of the next sweep, as typed; empty: those of Experiment
    View view_ = View::Speed;
};

/// Edges of a sweep as typed: integers separated by spaces or commas.
struct Edges {
    std::vector<std::int64_t> values;  ///< ascending, without duplicates
    std::string problem;               ///< why they are invalid, as a sentence; empty if valid
};
Edges read_edges(std::string_view text);

/// A view of `shown` for charts; `shown` must outlive the result.
ChartedRun charted(const ShownRun& shown);

/// Draws into the remaining space of the current window. Stored in the settings: the front tab as tabs
/// "times"; logarithmic axes as switches "log/times", "log/speedup", "log/sweep/speed" and "log/sweep/time".
class TimesPanel {
public:
    /// @param exports, hovered  must outlive this object
    TimesPanel(ChartExports& exports, Hovered& hovered) : exports_(exports), hovered_(hovered) {}

    void draw(const DeskState& state, Commands& commands);

    /// Whether the panel, when drawn, shows X-ray's observations of the kernels.
    bool shows_xray() const { return tab_ == Tab::Roofline; }

    /// The chart of the front tab.
    const ChartWidget& chart() const { return widgets_[static_cast<std::size_t>(tab_.value_or(Tab::Times))]; }

private:
    enum class Tab { Times, Distribution, Rounds, Speedup, Phases, Sweep, Roofline };
    static constexpr std::size_t kTabs = 7;
    struct TabText;
    static const TabText& text_of(Tab tab);

    /// The inputs of a chart. Shared pointers keep the inputs alive, so that an equal address means the same
    /// run.
    struct Made {
        std::shared_ptr<const ShownRun> shown, compared;
        std::shared_ptr<const ShownSweep> sweep, compared_sweep;
        SweepMeasure measure = SweepMeasure::Auto;
        std::optional<double> gflops, gbytes_s;
        std::optional<bool> logarithmic;                      ///< as chosen; none: as suits the chart
        std::vector<std::shared_ptr<const ShownXray>> xrays;  ///< Roofline: of each result; may be null
        friend bool operator==(const Made&, const Made&) = default;
    };

    struct HeightRange {
        float least, most;
    };
    /// Of the front chart in pixels: legible, as each kernel needs its own row, and not coarse.
    HeightRange chart_height(const DeskState& state, float room) const;
    float height_of_notes(float width) const;
    void draw_notes() const;
    void draw_empty(const DeskState& state) const;
    bool is_of_run() const { return tab_ != Tab::Sweep && tab_ != Tab::Roofline; }
    /// The name of the front chart's switch; empty: its axis is not chosen.
    std::string log_switch() const;
    void draw_tabs(const DeskState& state, Commands& commands);
    void draw_chart(const DeskState& state, Commands& commands);
    void fit_to_subject(const DeskState& state);
    static ChartedSweep charted_sweep(const DeskState& state);
    plot::Chart make_chart(const DeskState& state) const;

    /// What the front chart lights up.
    Hovered& hovered_in(const DeskState& state);

    ChartExports& exports_;
    Hovered& hovered_;
    Hovered hovered_in_sweep_;                     ///< of a sweep of other kernels than those of the run
    std::shared_ptr<const ShownRun> warnings_of_;  ///< the run of `warnings_`
    std::vector<std::string> warnings_;
    SweepControls sweep_;
    std::optional<Tab> tab_;
    std::string kept_tab_;  ///< the front tab according to the settings, as last seen
    ChartWidget widgets_[kTabs];
    plot::Chart chart_;
    std::optional<Tab> chart_tab_;
    Made made_;
    std::uint64_t chart_key_ = 0;
    std::string subject_;  ///< problem and sizes for which the zooms are valid
};

}  // namespace kwb::gui
