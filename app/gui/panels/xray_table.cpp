// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/xray_panel.hpp"

#include <algorithm>
#include <utility>

#include "gui/code_line.hpp"
#include "gui/widgets.hpp"

namespace kwb::gui {
namespace {

constexpr std::size_t kMostWrapped = 64;  ///< rows; of more, all have one height
constexpr std::size_t kMostTurned = 3;    ///< rows that become columns where a table is too wide

/// The table with its columns as rows: their heads, then their cells.
/// @param help  of each column
void draw_turned(const std::string& id, const XrayTable& table, const std::vector<std::string>& help,
                 float room) {
    const std::size_t rows = table.columns.front().cells.size();
    std::vector<TableColumn> columns = {{"head"}};
    for (std::size_t row = 0; row < rows; ++row) {
        columns.push_back({std::to_string(row)});
        columns.back().wraps = true;
    }
    for (const XrayTable::Column& column : table.columns) {
        columns[0].fit(column.header);
        for (std::size_t row = 0; row < rows; ++row) columns[row + 1].fit(column.cells[row]);
    }
    narrow_columns(columns, room);
    Table turned(id, columns, {.size = {room, 0}});
    turned.draw_rows(table.columns.size(), [&](std::size_t k) {
        const XrayTable::Column& column = table.columns[k];
        std::size_t lines = 1;
        for (std::size_t row = 0; row < rows; ++row)
            lines = std::max(lines, columns[row + 1].lines_of(column.cells[row]));
        turned.press_row(k, false, lines);  // for the tooltip only
        if (!help[k].empty()) row_tooltip(help[k]);
        turned.cell(column.header, Tone::Muted);
        for (std::size_t row = 0; row < rows; ++row)
            turned.cell(column.cells[row], column.is_bad(row) ? Tone::Warning : Tone::Normal);
    });
}

}  // namespace

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
        measured.wraps = !column.is_number && !is_coloured_ && column.cells.size() <= kMostWrapped;
        for (const std::string& cell : column.cells) measured.fit(cell);
    }
}

float XrayTableView::width() {
    measure();
    return table_width(columns_);
}

void XrayTableView::draw(const std::string& id, float room, const DeskState& state, Commands& commands) {
    measure();
    std::vector<TableColumn> columns = columns_;
    {
        const FontScope scope(font());
        narrow_columns(columns, room);
    }
    const bool scrolls = table_width(columns) > room;
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + room);
    text(id + "/title", table_.title, {.font = fonts().strong, .wraps = true});
    ImGui::PopTextWrapPos();
    const FontScope scope(font());
    const std::size_t rows = table_.columns.front().cells.size();
    if (scrolls && !is_coloured_ && rows <= kMostTurned) return draw_turned(id, table_, help_, room);
    if (scrolls) columns = columns_;  // it scrolls in its own widths
    Table table(id, columns,
                {.size = {room, scrolls ? table_height(rows) + tokens().scrollbar : 0},
                 .flags = scrolls ? ImGuiTableFlags_ScrollX : 0,
                 .fixed = static_cast<int>(table_.keys)});
    table.draw_rows(rows, [&](std::size_t row) {
        const XrayPlace place = row < table_.places.size() ? table_.places[row] : XrayPlace{};
        std::size_t lines = 1;
        for (std::size_t k = 0; k < columns.size(); ++k)
            lines = std::max(lines, columns[k].lines_of(table_.columns[k].cells[row]));
        if (place.line == 0) {
            table.begin_row(row, lines);
        } else {
            if (table.press_row(row, false, lines))
                go_to_line(state, file_of(place, file_).string(), place.line, commands);
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
