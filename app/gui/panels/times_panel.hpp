// The times: the results table, and charts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/chart_export.hpp"
#include "gui/chart_widget.hpp"
#include "gui/panels/run_bar.hpp"
#include "gui/panels/run_headline.hpp"

namespace kwb::gui {

/// Draws into the remaining space of the current window. The front tab is stored in the settings as tabs
/// "times".
class TimesPanel {
public:
    /// @param exports  must outlive this object
    explicit TimesPanel(ChartExports& exports) : exports_(exports) {}

    void draw(const DeskState& state, Commands& commands);

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
        friend bool operator==(const Made&, const Made&) = default;
    };

    /// Minimum legible height of the front chart in pixels; each kernel needs its own row.
    float least_chart_height(const DeskState& state) const;
    float height_of_notes(float width) const;
    void draw_notes() const;
    void draw_empty(const DeskState& state) const;
    bool is_of_run() const { return tab_ != Tab::Sweep && tab_ != Tab::Roofline; }
    void draw_tabs(const DeskState& state, Commands& commands);
    void draw_chart(const DeskState& state, Commands& commands);
    void fit_to_subject(const DeskState& state);
    plot::Chart make_chart(const DeskState& state) const;

    ChartExports& exports_;
    RunHeadline headline_;
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
