// SPDX-License-Identifier: Apache-2.0
#include "gui/table.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/text.hpp"

namespace kwb::gui {
namespace {

constexpr ImGuiTableFlags kFlags = ImGuiTableFlags_Resizable | ImGuiTableFlags_SizingFixedFit |
                                   ImGuiTableFlags_PadOuterX | ImGuiTableFlags_BordersInnerV |
                                   ImGuiTableFlags_NoBordersInBody | ImGuiTableFlags_NoSavedSettings;

/// Draws a text in the present cell; ImGui learns its width, which a double click on the column's edge
/// restores.
void paint_cell(const std::string& id, std::string_view words, float y, bool at_right, Tone tone,
                float inset = 0) {
    const float left = ImGui::GetCursorScreenPos().x + inset, room = ImGui::GetContentRegionAvail().x - inset;
    const std::string cut = shortened(words, room + 1);
    const float indent = at_right ? std::max(0.0f, room - width_of(cut)) : 0;
    paint_text(id, {std::round(left + indent), std::round(y)}, cut, tone);
    float& reached = ImGui::GetCurrentWindow()->DC.CursorMaxPos.x;
    reached = std::max(reached, left + width_of(words));
}

/// Records the last item, a row or a head; the clip rectangle is that of the present column.
void probe_part(const std::string& id, const ProbeOptions& options) {
    constexpr float kBorders = 2;
    ImRect clip = GImGui->CurrentTable->Bg2ClipRectForDrawCmd;
    clip.Expand({kBorders, 0});
    ImGui::PushClipRect(clip.Min, clip.Max, false);
    probe(id, options);
    ImGui::PopClipRect();
}

}  // namespace

namespace {

float longest_word(std::string_view words) {
    float width = 0;
    for (const std::string& word : split(words, ' ')) width = std::max(width, std::ceil(width_of(word)));
    return width;
}

/// "block_size_x" as "block_ size_ x", because a head may break there.
std::string head_words(std::string_view head) {
    std::string words;
    for (const char c : head) words += c == '_' ? std::string("_ ") : std::string(1, c);
    return words;
}

std::vector<std::string> head_lines(std::string_view head, float width) {
    if (head.empty()) return {};
    if (width_of(head) <= width) return {std::string(head)};
    std::vector<std::string> lines = wrapped(head_words(head), width);
    for (std::string& line : lines)
        for (std::size_t at = line.find("_ "); at != line.npos; at = line.find("_ ")) line.erase(at + 1, 1);
    return lines;
}

/// Takes what is too wide from the columns, in proportion to what each can give.
/// @param least  of a column
void take_from(std::span<TableColumn> columns, float room, const auto& least) {
    const float excess = table_width(columns) - room;
    float slack = 0;
    for (const TableColumn& column : columns)
        if (column.is_shown) slack += std::max(0.0f, column.width - least(column));
    if (excess <= 0 || slack <= 0) return;
    const float share = std::min(1.0f, excess / slack);
    for (TableColumn& column : columns)
        column.width -= std::ceil(share * std::max(0.0f, column.width - least(column)));
}

}  // namespace

void TableColumn::fit(std::string_view words) {
    const float whole = std::ceil(width_of(words));
    cells = std::max(cells, whole);
    least = std::max(least, wraps ? longest_word(words) : whole);
    const FontScope font(fonts().small);
    least = std::max(least, longest_word(head_words(head)));
    width = std::max({width, whole, std::ceil(width_of(head))});
}

std::size_t TableColumn::lines_of(std::string_view words) const {
    return wraps ? std::max<std::size_t>(1, wrapped(words, width + 1).size()) : 1;
}

void narrow_columns(std::span<TableColumn> columns, float room) {
    take_from(columns, room, [](const TableColumn& column) { return std::max(column.cells, column.least); });
    take_from(columns, room, [](const TableColumn& column) { return column.least; });
}

float table_row_height() {
    return ImGui::GetTextLineHeight() + 2 * ImGui::GetStyle().CellPadding.y;
}

float table_height(std::size_t rows) {
    const float head = compat::size_of(*fonts().small) + 2 * ImGui::GetStyle().CellPadding.y;
    return head + static_cast<float>(rows) * table_row_height();
}

float table_width(std::span<const TableColumn> columns) {
    float sum = 0;
    for (const TableColumn& column : columns)
        if (column.is_shown) sum += column.width + 2 * ImGui::GetStyle().CellPadding.x + 1;
    return sum;
}

std::vector<std::size_t> sorted_rows(std::span<const SortKey> keys, bool is_reversed) {
    std::vector<std::size_t> rows(keys.size());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    std::ranges::stable_sort(rows, [&](std::size_t a, std::size_t b) {
        const bool has_number = keys[a].number.has_value();
        if (has_number != keys[b].number.has_value()) return has_number;
        if (is_reversed) std::swap(a, b);
        return has_number ? *keys[a].number < *keys[b].number : keys[a].words < keys[b].words;
    });
    return rows;
}

Table::Table(std::string id, std::span<const TableColumn> columns, const TableOptions& options)
    : id_(std::move(id)), columns_(columns) {
    const ImGuiTableFlags sorts = ImGuiTableFlags_Sortable | ImGuiTableFlags_SortTristate;
    is_visible_ = ImGui::BeginTable(id_.c_str(), static_cast<int>(columns.size()),
                                    kFlags | options.flags | (options.sorts ? sorts : 0), options.size);
    if (!is_visible_) return;
    compat::flatten_table();
    // The rows touch each other.
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 2 * ImGui::GetStyle().CellPadding.y));
    for (const TableColumn& column : columns)
        compat::setup_column(column.id.c_str(), column.is_shown ? 0 : ImGuiTableColumnFlags_Disabled,
                             column.width);
    ImGui::TableSetupScrollFreeze((options.flags & ImGuiTableFlags_ScrollX) != 0 ? options.fixed : 0,
                                  (options.flags & ImGuiTableFlags_ScrollY) != 0 ? 1 : 0);
    draw_heads(options.sorts);
    if (const ImGuiTableSortSpecs* specs = ImGui::TableGetSortSpecs(); specs && specs->SpecsCount > 0)
        order_ = TableOrder{static_cast<std::size_t>(specs->Specs->ColumnIndex),
                            specs->Specs->SortDirection == ImGuiSortDirection_Descending};
}

Table::~Table() {
    if (!is_visible_) return;
    ImGui::PopStyleVar();
    ImGui::EndTable();
}

void Table::draw_heads(bool sorts) const {
    const FontScope font(fonts().small);
    // The arrow of the sorted column fits into the padding of its cell.
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(0, 0));
    const float line = ImGui::GetTextLineHeight();
    std::size_t most = 1;
    for (const TableColumn& column : columns_)
        if (column.is_shown) most = std::max(most, head_lines(column.head, column.width + 1).size());
    ImGui::TableNextRow(ImGuiTableRowFlags_Headers,
                        static_cast<float>(most) * line + 2 * ImGui::GetStyle().CellPadding.y);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        if (!ImGui::TableSetColumnIndex(static_cast<int>(i))) continue;
        const std::string id = id_ + "/head/" + columns_[i].id;
        const float y = ImGui::GetCursorScreenPos().y;
        ImGui::TableHeader(("##" + id).c_str());
        probe_part(id, {.label = columns_[i].head, .container = true, .wraps = true});
        std::string help = columns_[i].help;
        if (sorts) {
            if (!help.empty()) help += "\n\n";
            help += "Sort by this column; another click reverses, a third restores the order";
        }
        if (!help.empty()) tooltip(help);
        const float room = ImGui::GetContentRegionAvail().x;
        const std::vector<std::string> lines =
            head_lines(columns_[i].head, std::max(room, columns_[i].width) + 1);
        for (std::size_t k = 0; k < lines.size(); ++k)
            paint_cell(id + "/words" + (k == 0 ? "" : "/" + std::to_string(k)), lines[k],
                       y + static_cast<float>(most - lines.size() + k) * line, columns_[i].is_number,
                       Tone::Muted);
    }
    ImGui::PopStyleVar();
}

void Table::draw_rows(std::size_t count, const std::function<void(std::size_t)>& draw) {
    if (!is_visible_) return;
    constexpr std::size_t kFew = 64;  // the arrow keys reach all of these
    for (std::size_t row = 0; count <= kFew && row < count; ++row) draw(row);
    if (count <= kFew) return;
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(count), table_row_height());
    while (clipper.Step())
        for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
            draw(static_cast<std::size_t>(row));
}

void Table::begin_row(std::size_t name, std::size_t lines) {
    lines_ = lines;
    ImGui::TableNextRow(0, table_row_height() + static_cast<float>(lines - 1) * ImGui::GetTextLineHeight());
    ImGui::TableSetColumnIndex(0);
    row_ = std::to_string(name);
    next_ = 0;
    corner_ = ImGui::GetCursorScreenPos();
}

bool Table::press_row(std::size_t name, bool selected, std::size_t lines) {
    begin_row(name, lines);
    const std::string id = id_ + "/row/" + row_;
    const bool is_pressed =
        ImGui::Selectable(("##" + id).c_str(), selected, ImGuiSelectableFlags_SpanAllColumns,
                          {0, static_cast<float>(lines) * ImGui::GetTextLineHeight()});
    probe_part(id, {.container = true});
    return is_pressed;
}

void Table::cell(std::string_view words, Tone tone, float inset) {
    const std::size_t i = next_++;
    if (!ImGui::TableSetColumnIndex(static_cast<int>(i)) || words.empty()) return;
    const TableColumn& column = columns_[i];
    const std::string id = id_ + "/cell/" + row_ + "/" + column.id;
    if (!column.wraps || lines_ == 1) return paint_cell(id, words, corner_.y, column.is_number, tone, inset);
    const std::vector<std::string> lines =
        wrapped(words, std::max(ImGui::GetContentRegionAvail().x, column.width) + 1, lines_);
    for (std::size_t k = 0; k < lines.size(); ++k)
        paint_cell(id + (k == 0 ? "" : "/" + std::to_string(k)), lines[k],
                   corner_.y + static_cast<float>(k) * ImGui::GetTextLineHeight(), column.is_number, tone);
}

}  // namespace kwb::gui
