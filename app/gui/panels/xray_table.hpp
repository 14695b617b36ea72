// SPDX-License-Identifier: Apache-2.0
// A table of X-ray's report, laid out once.
#pragma once

#include <string>
#include <vector>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/imgui_compat.hpp"

namespace kwb::gui {

/// Only visible rows are drawn. A table that is too wide scrolls.
class XrayTableView {
public:
    /// @param file      of the kernel, whose folder the places are relative to
    /// @param coloured  instructions: rows have the colour of their line, as in the margin of the source
    XrayTableView(XrayTable table, std::string file, bool coloured = false);

    /// In pixels, in the current scale.
    float width();
    /// Draws its title and the table into `room` pixels. A click on a row with a place goes to its line.
    void draw(const std::string& id, float room, const DeskState& state, Commands& commands);

private:
    ImFont* font() const;  ///< monospaced for instructions
    float row_height() const;
    void measure();
    void draw_row(const std::string& id, std::size_t row, float width, const DeskState& state,
                  Commands& commands) const;
    void draw_head(const std::string& id) const;

    XrayTable table_;
    std::string file_;
    bool is_coloured_ = false;
    float measured_at_ = 0;  ///< font size
    std::vector<float> widths_;
    float width_ = 0;
};

}  // namespace kwb::gui
