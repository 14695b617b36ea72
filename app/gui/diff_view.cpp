// SPDX-License-Identifier: Apache-2.0
#include "gui/diff_view.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "editor/columns.hpp"
#include "gui/widgets.hpp"

namespace kwb::gui {

using editor::ColumnRange;
using editor::DiffKind;
using editor::DiffRow;

namespace {

/// Background of a differing line; lines missing on this side are hatched instead.
Color ground_of(DiffKind kind, bool is_left) {
    switch (kind) {
        case DiffKind::Changed:
            return colors().warning_tint;
        case DiffKind::Added:
        case DiffKind::Removed:
            return is_left ? colors().danger_tint : colors().success_tint;
        case DiffKind::Same:
            break;
    }
    return colors().surface;
}

}  // namespace

DiffView::Side DiffView::side_of(std::span<const std::string> lines) {
    Side side;
    side.lines.assign(lines.begin(), lines.end());
    side.spans = editor::highlight_lines(lines);
    for (const std::string& line : side.lines) side.longest = std::max(side.longest, editor::cells_of(line));
    return side;
}

void DiffView::compare(const Texts& key, std::span<const std::string> left,
                       std::span<const std::string> right) {
    const bool same_texts = key_ && key_->left == key.left && key_->right == key.right;
    key_ = key;
    left_ = side_of(left);
    right_ = side_of(right);
    rows_ = editor::diff_side_by_side(left, right);
    differences_.clear();
    for (std::size_t row = 0; row < rows_.size(); ++row)
        if (rows_[row].kind != DiffKind::Same && (row == 0 || rows_[row - 1].kind == DiffKind::Same))
            differences_.push_back(row);
    current_.reset();
    if (!same_texts) wanted_row_ = differences_.empty() ? 0 : differences_.front();
}

void DiffView::mark(std::span<const std::size_t> left, std::span<const std::size_t> right) {
    left_.marked.assign(left.begin(), left.end());
    right_.marked.assign(right.begin(), right.end());
    show_marked();
}

void DiffView::show_marked() {
    const auto holds = [](const Side& side, const std::optional<std::size_t>& line) {
        return line && std::ranges::find(side.marked, *line) != side.marked.end();
    };
    const auto first = std::ranges::find_if(
        rows_, [&](const DiffRow& row) { return holds(left_, row.left) || holds(right_, row.right); });
    if (first != rows_.end()) wanted_row_ = static_cast<std::size_t>(first - rows_.begin());
}

void DiffView::step(int by) {
    if (differences_.empty()) return;
    const std::size_t count = differences_.size();
    if (!current_)
        current_ = by > 0 ? 0 : count - 1;
    else
        current_ = (*current_ + count + static_cast<std::size_t>(by > 0 ? 1 : count - 1)) % count;
    wanted_row_ = differences_[*current_];
}

void DiffView::draw(std::string_view id, std::string_view left_title, std::string_view right_title,
                    ImVec2 size) {
    const CodeGrid grid = code_grid();
    const std::string name(id);
    const float room_x = size.x > 0 ? size.x : ImGui::GetContentRegionAvail().x;
    const float start_y = ImGui::GetCursorPosY();
    const float overview = tokens().gap_small + tokens().hair;

    // Headings above the halves.
    const float half = std::floor((room_x - tokens().scrollbar - overview) / 2);
    const float left_x = ImGui::GetCursorPosX();
    const auto heading = [&](const char* part, std::string_view title, float x) {
        ImGui::SetCursorPos({x, start_y});
        compat::begin_child((name + "/heading/" + part).c_str(),
                            {half - tokens().gap, ImGui::GetTextLineHeight()}, false,
                            ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
        text(name + "/" + part, title, {.tone = Tone::Muted, .shortens = true});
        ImGui::EndChild();
    };
    heading("left", left_title, left_x + tokens().gap_small);
    heading("right", right_title, left_x + half + tokens().gap_small);
    ImGui::SetCursorPos({left_x, start_y + ImGui::GetTextLineHeight() + tokens().hair});

    const float height = std::max(grid.line_height * 2, size.y - ImGui::GetTextLineHeight() - tokens().hair);
    const std::size_t last_number = std::max(left_.lines.size(), right_.lines.size());
    const float gutter = std::round(number_width(grid, last_number, 2) + 2 * tokens().gap_small);
    const float content_width = 2 * (gutter + tokens().gap_small +
                                     to_float(std::max(left_.longest, right_.longest) + 1) * grid.advance);
    ImGui::SetNextWindowContentSize({content_width, to_float(rows_.size()) * grid.line_height});
    // At another scale, and in another area of the window, the same row stays on top.
    const ImGuiID inside = ImGui::GetCurrentWindow()->ID;
    const bool is_elsewhere = std::exchange(inside_, inside) != inside;
    const bool is_scaled = std::exchange(line_height_, grid.line_height) != grid.line_height;
    // A row that was scrolled to stays in view at another scale, until somebody scrolls.
    if (!wanted_row_ && (is_elsewhere || is_scaled) && shown_row_ && shown_first_ == first_row_)
        wanted_row_ = shown_row_;
    const bool scrolls = wanted_row_.has_value();
    if (scrolls) {
        shown_row_ = wanted_row_;
        const float y = to_float(*wanted_row_) * grid.line_height - height / 4;
        ImGui::SetNextWindowScroll({-1, std::max(0.0f, std::round(y))});
        wanted_row_.reset();
    } else if (is_elsewhere || is_scaled) {
        ImGui::SetNextWindowScroll({-1, to_float(first_row_) * grid.line_height});
    }
    if (compat::begin_child((name + "/rows").c_str(), {room_x, height}, false,
                            ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoMove)) {
        const ImRect view = ImGui::GetCurrentWindow()->InnerRect;
        const ImVec2 scroll(ImGui::GetScrollX(), ImGui::GetScrollY());
        first_row_ = static_cast<std::size_t>(scroll.y / grid.line_height);
        if (scrolls) shown_first_ = first_row_;
        const ImGuiID item = ImGui::GetID("rows");
        ImGui::ItemAdd(view, item);
        probe(id);
        if (ImGui::IsItemFocused()) {
            // Arrow keys move to the next widget; Page Up and Page Down scroll this one.
            const float page = view.GetHeight() - grid.line_height;
            if (pressed(plain(Key::PageDown), true)) ImGui::SetScrollY(scroll.y + page);
            if (pressed(plain(Key::PageUp), true)) ImGui::SetScrollY(std::max(0.0f, scroll.y - page));
            if (pressed(plain(Key::Home))) ImGui::SetScrollY(0);
            if (pressed(plain(Key::End))) ImGui::SetScrollY(ImGui::GetScrollMaxY());
        }
        ImDrawList& list = *ImGui::GetWindowDrawList();
        const float middle = view.Min.x + half;
        // Both halves scroll by the same number of columns.
        const ImVec2 half_scroll(scroll.x / 2, scroll.y);
        draw_side(list, left_, true, {view.Min, {middle, view.Max.y}}, gutter, half_scroll);
        draw_side(list, right_, false, {{middle, view.Min.y}, {view.Max.x - overview, view.Max.y}}, gutter,
                  half_scroll);
        list.AddLine({middle, view.Min.y}, {middle, view.Max.y}, colors().border.u32(), tokens().border);
        draw_overview(list, {{view.Max.x - overview + tokens().hair / 2, view.Min.y}, view.Max});
        compat::draw_focus_ring(view, item);
    }
    ImGui::EndChild();
}

void DiffView::draw_side(ImDrawList& list, const Side& side, bool is_left, ImRect area, float gutter,
                         ImVec2 scroll) const {
    const CodeGrid grid = code_grid();
    const std::size_t first = static_cast<std::size_t>(scroll.y / grid.line_height);
    const std::size_t last =
        std::min(rows_.size(), first + static_cast<std::size_t>(area.GetHeight() / grid.line_height) + 2);
    const float text_x = area.Min.x + gutter + tokens().gap_small - scroll.x;
    VisibleColumns columns;
    columns.first = static_cast<std::size_t>(std::max(0.0f, scroll.x - tokens().gap_small) / grid.advance);
    columns.last = columns.first + static_cast<std::size_t>(area.GetWidth() / grid.advance) + 2;
    const auto y_of = [&](std::size_t row) {
        return area.Min.y + to_float(row) * grid.line_height - scroll.y;
    };

    ImGui::PushClipRect(area.Min, area.Max, true);
    for (std::size_t row = first; row < last; ++row) {
        const DiffRow& shown = rows_[row];
        const auto& line = is_left ? shown.left : shown.right;
        const float y = y_of(row);
        if (!line) {
            // There is no line on this side. Hatching has no meaning, unlike a colour.
            ImGui::PushClipRect({area.Min.x, y}, {area.Max.x, y + grid.line_height}, true);
            for (float x = area.Min.x - grid.line_height; x < area.Max.x; x += grid.line_height / 2)
                list.AddLine({x, y + grid.line_height}, {x + grid.line_height, y}, colors().border.u32());
            ImGui::PopClipRect();
            continue;
        }
        if (shown.kind != DiffKind::Same)
            list.AddRectFilled({area.Min.x, y}, {area.Max.x, y + grid.line_height},
                               ground_of(shown.kind, is_left).u32());
        const Color strong = colors().highlight;
        ImGui::PushClipRect({area.Min.x + gutter, area.Min.y}, area.Max, true);
        const auto x_of = [&](std::size_t column) {
            return text_x + to_float(editor::cell_of_column(side.lines[*line], column)) * grid.advance;
        };
        for (const ColumnRange& range : is_left ? shown.left_changes : shown.right_changes)
            list.AddRectFilled({x_of(range.begin), y}, {x_of(range.end), y + grid.line_height}, strong.u32(),
                               2);
        draw_code_line(list, {text_x, y}, grid, side.lines[*line], side.spans[*line], columns);
        ImGui::PopClipRect();
        if (std::ranges::find(side.marked, *line) != side.marked.end())
            list.AddRect({area.Min.x + 1, y}, {area.Max.x - 1, y + grid.line_height}, colors().accent.u32(),
                         2, 0, std::max(2.0f, tokens().hair / 2));
        draw_line_number(list, {area.Min.x + gutter - tokens().gap_small, y}, grid, *line + 1,
                         (shown.kind == DiffKind::Same ? colors().text_disabled : colors().text).u32());
    }
    ImGui::PopClipRect();
}

void DiffView::draw_overview(ImDrawList& list, ImRect area) const {
    if (rows_.empty()) return;
    const float step = area.GetHeight() / to_float(rows_.size());
    for (const std::size_t first : differences_) {
        std::size_t last = first;
        DiffKind kind = rows_[first].kind;
        for (; last < rows_.size() && rows_[last].kind != DiffKind::Same; ++last)
            if (rows_[last].kind != kind) kind = DiffKind::Changed;
        const Color color = kind == DiffKind::Added     ? colors().success
                            : kind == DiffKind::Removed ? colors().danger
                                                        : colors().warning;
        const float y = area.Min.y + to_float(first) * step;
        list.AddRectFilled({area.Min.x, y}, {area.Max.x, std::max(y + 3, area.Min.y + to_float(last) * step)},
                           color.u32(), 1);
    }
}

}  // namespace kwb::gui
