// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/xray_table.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "gui/panels/source_remark.hpp"
#include "gui/widgets.hpp"

namespace kwb::gui {
namespace {

float column_gap() {
    return 2 * tokens().gap_small;
}

}  // namespace

XrayTableView::XrayTableView(XrayTable table, std::string file, bool coloured)
    : table_(std::move(table)), file_(std::move(file)), is_coloured_(coloured) {}

ImFont* XrayTableView::font() const {
    return is_coloured_ ? fonts().mono : fonts().small;
}

float XrayTableView::row_height() const {
    return compat::size_of(*font()) + 2 * tokens().hair;
}

void XrayTableView::measure() {
    const float size = compat::size_of(*font());
    if (measured_at_ == size) return;
    measured_at_ = size;
    widths_.clear();
    width_ = 3 * tokens().hair - column_gap();
    const FontScope scope(font());
    for (const XrayTable::Column& column : table_.columns) {
        float width = width_of(column.header);
        for (const std::string& cell : column.cells) width = std::max(width, width_of(cell));
        widths_.push_back(std::ceil(width));
        width_ += widths_.back() + column_gap();
    }
}

float XrayTableView::width() {
    measure();
    return width_;
}

void XrayTableView::draw_head(const std::string& id) const {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    float x = at.x + 2 * tokens().hair;
    for (std::size_t k = 0; k < widths_.size(); ++k) {
        const XrayTable::Column& column = table_.columns[k];
        const float inset = column.is_number ? widths_[k] - width_of(column.header) : 0;
        if (!column.header.empty())
            paint_text(id + "/head/" + std::to_string(k), {x + inset, at.y}, column.header, Tone::Muted);
        x += widths_[k] + column_gap();
    }
    ImGui::Dummy({width_, row_height()});
}

void XrayTableView::draw_row(const std::string& id, std::size_t row, float width, const DeskState& state,
                             Commands& commands) const {
    const std::string name = id + "/" + std::to_string(row);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    if (row < table_.places.size()) {
        const XrayPlace& place = table_.places[row];
        const ImGuiSelectableFlags flags = place.line == 0 ? ImGuiSelectableFlags_Disabled : 0;
        if (ImGui::Selectable(("##" + name).c_str(), false, flags, {width, row_height()})) {
            go_to_line(state, file_of(place, file_).string(), place.line, commands);
        }
        probe(name, {.container = true});
        if (place.line > 0) tooltip("Go to this line of the source");
    } else {
        ImGui::Dummy({width, row_height()});
    }
    if (is_coloured_ && table_.places[row].line > 0)
        ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + tokens().hair, at.y + row_height()},
                                                  series_color(table_.places[row].line - 1));
    float x = at.x + 2 * tokens().hair;
    for (std::size_t k = 0; k < widths_.size(); ++k) {
        const std::string& cell = table_.columns[k].cells[row];
        const float inset = table_.columns[k].is_number ? widths_[k] - width_of(cell) : 0;
        paint_text(name + "/" + std::to_string(k), {std::round(x + inset), at.y + tokens().hair}, cell,
                   Tone::Normal);
        x += widths_[k] + column_gap();
    }
}

void XrayTableView::draw(const std::string& id, float room, const DeskState& state, Commands& commands) {
    measure();
    text(id + "/title", table_.title, {.font = fonts().strong, .shortens = true, .room = room});
    const FontScope scope(font());
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    const std::size_t rows = table_.columns.front().cells.size();
    const bool scrolls = width_ > room;
    const float height = static_cast<float>(rows + 1) * row_height() + (scrolls ? tokens().scrollbar : 0);
    ImGui::SetNextWindowContentSize({width_, 0});
    compat::begin_child((id + "/rows").c_str(), {room, height}, false,
                        ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    draw_head(id);
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows), row_height());
    while (clipper.Step())
        for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
            draw_row(id, static_cast<std::size_t>(row), std::max(width_, room), state, commands);
    ImGui::EndChild();
    ImGui::PopStyleVar();
}

}  // namespace kwb::gui
