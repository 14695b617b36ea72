// SPDX-License-Identifier: Apache-2.0
// Whether the result is correct, and if not: where, how large the error is, and possible reasons. Before the
// first run, and on request: the launch as a picture (launch_picture.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/chart_widget.hpp"
#include "gui/panels/reasons_panel.hpp"
#include "gui/panels/source_links.hpp"
#include "gui/widgets.hpp"

namespace kwb::gui {

/// Shows the currently chosen launch of the selected contestant. Above, the whole NDRange with its
/// work-groups; a click selects one. Below, the work-items of that work-group; a click selects one. For a
/// matrix product with one work-item per element of C, also the row of A and the column of B that this
/// element needs.
class LaunchPicture {
public:
    /// Draws into the remaining width of the current window.
    void draw(const DeskState& state, Commands& commands);

    /// Global index of the selected work-item, dimensions 0 and 1.
    std::array<std::uint64_t, 2> selected() const { return selected_; }

private:
    std::array<std::uint64_t, 2> selected_ = {0, 0};
    bool is_chosen_ = false;  ///< by the user
};

/// Draws into the remaining space of the current window, and scrolls there.
class CorrectnessPanel {
public:
    /// All must outlive this object.
    CorrectnessPanel(ChartExports& exports, Hovered& hovered, RunReasons& reasons)
        : exports_(exports), hovered_(hovered), reasons_(reasons) {}

    void draw(const DeskState& state, Commands& commands);

    const ChartWidget& map() const { return map_; }

private:
    void draw_map(const KernelResult& result, const std::string& label, float width, Commands& commands);

    ChartExports& exports_;
    Hovered& hovered_;
    RunReasons& reasons_;
    ChartWidget map_;
    LaunchPicture launch_;
    bool shows_launch_ = false;                ///< instead of the result
    bool explains_ = false;                    ///< of the contestant shown
    std::shared_ptr<const ShownRun> made_of_;  ///< run and contestant from which `chart_` was made
    std::size_t made_index_ = 0;
    std::string subject_;  ///< problem and sizes for which the zoom is valid
    plot::Chart chart_;
    std::uint64_t chart_key_ = 0;
};

}  // namespace kwb::gui
