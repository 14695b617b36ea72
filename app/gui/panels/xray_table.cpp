// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/xray_panel.hpp"

#include <utility>

#include "gui/code_line.hpp"
#include "gui/widgets.hpp"

namespace kwb::gui {
XrayTableView::XrayTableView(XrayTable table, std::string file, const std::vector<Term>& glossary,
                             bool coloured)
    : table_(std::move(table)), file_(std::move(file)), is_coloured_(coloured) {
    for (const XrayTable::Column& column : table_.columns) {
        std::string& help = help_.emplace_back(column.meaning);
        const std::string term = explain(glossary, column.term);
        if (!help.empty() && !term.empty()) help += "\n\n";
        help += term;
    }
}

void XrayTableView::measure() {
    const FontScope scope(font());
    const float size = ImGui::GetFontSize();
    if (std::exchange(measured_at_, size) == size) return;
    columns_.clear();
    for (const XrayTable::Column& column : table_.columns) {
        TableColumn& measured = columns_.emplace_back(
            TableColumn{std::to_string(columns_.size()), column.header, column.is_number});
        measured.help = help_[columns_.size() - 1];
        for (const std::string& cell : column.cells) measured.fit(cell);
    }
}

float XrayTableView::width() {
    measure();
    return table_width(columns_);
}

void XrayTableView::draw(const std::string& id, float room, const DeskState& state, Commands& commands) {
    const bool scrolls = width() > room;
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + room);
    text(id + "/title", table_.title, {.font = fonts().strong, .wraps = true});
    ImGui::PopTextWrapPos();
    const FontScope scope(font());
    const std::size_t rows = table_.columns.front().cells.size();
    Table table(id, columns_,
                {.size = {room, scrolls ? table_height(rows) + tokens().scrollbar : 0},
                 .flags = scrolls ? ImGuiTableFlags_ScrollX : 0,
                 .fixed = static_cast<int>(table_.keys)});
    table.draw_rows(rows, [&](std::size_t row) {
        const XrayPlace place = row < table_.places.size() ? table_.places[row] : XrayPlace{};
        if (place.line == 0) {
            table.begin_row(row);
        } else {
            if (table.press_row(row)) go_to_line(state, file_of(place, file_).string(), place.line, commands);
            tooltip("Go to this line of the source");
            const ImVec2 min = ImGui::GetItemRectMin();
            if (is_coloured_)
                ImGui::GetWindowDrawList()->AddRectFilled(
                    min, {min.x + tokens().hair, ImGui::GetItemRectMax().y}, stripe_color(place.line).u32());
        }
        for (const XrayTable::Column& column : table_.columns)
            table.cell(column.cells[row], column.is_bad(row) ? Tone::Warning : Tone::Normal);
    });
}

}  // namespace kwb::gui
