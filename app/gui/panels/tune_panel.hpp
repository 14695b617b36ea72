// SPDX-License-Identifier: Apache-2.0
// Tuning a kernel: the space, the course, and the results.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/chart_widget.hpp"
#include "gui/panels/source_links.hpp"
#include "gui/panels/tune_views.hpp"

namespace kwb::gui {

/// A budget as typed: "200" configurations, "60 s", "10 min".
struct TypedBudget {
    TuneBudget budget;    ///< without any limit for an empty text
    std::string problem;  ///< why it is invalid, as a sentence; empty if it is valid
};
TypedBudget read_budget(std::string_view text);

/// Shows one of the chosen kernels. A source that comes to the front brings its kernel with it. Draws into
/// the remaining space of the current window.
class TunePanel {
public:
    /// @param exports  must outlive this object
    explicit TunePanel(ChartExports& exports) : exports_(exports) {}

    void draw(const DeskState& state, Commands& commands);

    /// The contestant on display, as of the last frame.
    std::optional<std::size_t> target() const { return target_; }

    const ChartWidget& chart() const { return widgets_[tab_ == Tab::Values ? 1 : 0]; }

private:
    enum class Tab { Course, Map, Values, Table };

    void draw_space(const DeskState& state) const;
    void draw_controls(const DeskState& state, Commands& commands);
    void draw_status(const DeskState& state, Commands& commands) const;
    void draw_best(const DeskState& state, Commands& commands) const;
    /// Chooses the values of a trial.
    void load(const DeskState& state, std::size_t trial, Commands& commands) const;
    void draw_tabs(bool has_table);
    void draw_results(const DeskState& state, Commands& commands);
    void draw_chart(const DeskState& state, float height, Commands& commands);

    ChartExports& exports_;
    std::optional<std::size_t> target_;
    StrategyKind strategy_ = StrategyKind::Exhaustive;
    std::string budget_;  ///< as typed
    Tab tab_ = Tab::Course;
    TuneTable table_;
    TuneMap map_;
    std::array<ChartWidget, 2> widgets_;  ///< course, values
    struct Made {
        std::shared_ptr<const ShownTuning> tuning;
        Tab tab = Tab::Course;
        friend bool operator==(const Made&, const Made&) = default;
    };
    Made made_;
    plot::Chart chart_;
    std::uint64_t chart_key_ = 0;
};

}  // namespace kwb::gui
