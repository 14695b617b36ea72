// SPDX-License-Identifier: Apache-2.0
#include "gui/text_surface.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "editor/columns.hpp"
#include "gui/tooltip.hpp"
#include "gui/widgets.hpp"
#include "lessons/lesson.hpp"

namespace kwb::gui {

using editor::Position;
using editor::TextBuffer;
using editor::TextRange;

namespace {

/// Room for a mark's sign, the line number, and padding on both sides.
float gutter_width(const CodeGrid& grid, std::size_t line_count) {
    return std::round(grid.line_height + number_width(grid, line_count, 3) + 2 * tokens().gap_small);
}

}  // namespace

ImVec2 TextSurface::origin() const {
    return {view_.Min.x + gutter_ + tokens().gap_small - scroll_.x, view_.Min.y + tokens().hair - scroll_.y};
}

ImVec2 TextSurface::screen_position(const TextBuffer& buffer, Position position) const {
    const std::size_t cell = editor::cell_of_column(buffer.line(position.line), position.column);
    return {origin().x + to_float(cell) * grid_.advance, line_y(position.line)};
}

std::size_t TextSurface::page_lines() const {
    return static_cast<std::size_t>(
        std::max(1.0f, view_.GetHeight() / std::max(1.0f, grid_.line_height) - 2));
}

TextSurfaceEvents TextSurface::draw(std::string_view id, Document& document, ImVec2 size,
                                    std::span<const TextRange> found) {
    TextSurfaceEvents events;
    TextBuffer& buffer = document.buffer();
    const float caret_y = line_y(buffer.caret().line);
    const bool shows_caret = caret_y >= view_.Min.y && caret_y + grid_.line_height <= view_.Max.y;
    // At another scale, and in another area of the window, the same line stays on top.
    const float former_height = std::exchange(grid_, code_grid()).line_height;
    const ImGuiID inside = ImGui::GetCurrentWindow()->ID;
    const bool has_moved = std::exchange(inside_, inside) != inside || former_height != grid_.line_height;
    if (former_height > 0 && has_moved && !top_line_ && reveal_ == Reveal::No) top_line_ = first_line_;

    // Handle keys before drawing, so that a character shows in the frame in which it arrives.
    const bool had_keyboard = has_keyboard_;
    has_keyboard_ = item_ != 0 && GImGui->ActiveId == item_;
    events.left_by_escape = had_keyboard && !has_keyboard_ && compat::is_pressed(Key::Escape, false);
    const std::uint64_t revision = buffer.revision();
    if (has_keyboard_) act_on_keys(buffer);
    document.refresh();
    events.edited = buffer.revision() != revision;
    const ImVec2 moved = ImGui::GetIO().MouseDelta;
    typed_ = events.edited || (typed_ && moved.x == 0 && moved.y == 0);

    gutter_ = gutter_width(grid_, buffer.line_count());
    // The text can be scrolled until few lines are left, so that a short one can begin below its front
    // matter.
    constexpr float kLinesLeft = 6;
    const float beyond = std::max(0.0f, size.y - kLinesLeft * grid_.line_height);
    ImGui::SetNextWindowContentSize(
        {gutter_ + 2 * tokens().gap_small + to_float(buffer.longest_line() + 1) * grid_.advance,
         to_float(buffer.line_count()) * grid_.line_height + 2 * tokens().hair + beyond});
    // Neither a list of marks that appears below the text nor a larger scale hides the line of the caret.
    const float grown = size.y - std::exchange(height_, size.y);
    view_.Max.y += grown;
    if (shows_caret && reveal_ == Reveal::No) {
        const auto below = to_float(buffer.caret().line - std::min(first_line_, buffer.caret().line) + 1);
        const float bars = has_moved ? tokens().scrollbar : 0;  // which grow with the scale
        const bool hides_caret = below * grid_.line_height + tokens().hair + bars > view_.GetHeight();
        if (hides_caret && has_moved) top_line_.reset();
        if (hides_caret && (has_moved || grown < 0)) reveal_ = has_moved ? Reveal::Centered : Reveal::Near;
    }
    if (reveal_ != Reveal::No && view_.GetHeight() > 0) scroll_to_caret(buffer);
    if (const auto top = std::exchange(top_line_, std::nullopt))
        ImGui::SetNextWindowScroll({0, *top > 0 ? tokens().hair + to_float(*top) * grid_.line_height : 0});
    ImGuiWindowFlags flags = ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoMove;
    if (has_keyboard_) flags |= ImGuiWindowFlags_NoNavInputs;
    const std::string child = std::string(id) + "/" + std::to_string(document.id());
    if (!compat::begin_child(child.c_str(), size, false, flags)) {
        ImGui::EndChild();
        return events;
    }
    view_ = ImGui::GetCurrentWindow()->InnerRect;
    scroll_ = {ImGui::GetScrollX(), ImGui::GetScrollY()};
    const float above = std::max(0.0f, scroll_.y - tokens().hair);
    first_line_ = std::min(static_cast<std::size_t>(above / grid_.line_height), buffer.line_count());
    last_line_ = std::min(first_line_ + static_cast<std::size_t>(view_.GetHeight() / grid_.line_height) + 2,
                          buffer.line_count());
    columns_.first = static_cast<std::size_t>(std::max(0.0f, scroll_.x - tokens().gap_small) / grid_.advance);
    columns_.last = columns_.first + static_cast<std::size_t>(view_.GetWidth() / grid_.advance) + 2;

    item_ = ImGui::GetID("text");
    wants_keyboard_ = compat::add_text_item(view_, item_) || wants_keyboard_;
    const bool hovered = ImGui::IsItemHovered();
    if (hovered) ImGui::SetHoveredID(item_);
    find_blanks(document);
    take_or_leave_keyboard(hovered, had_keyboard);
    act_on_mouse(buffer, hovered);
    probe(id, {.rests = true});
    probe_rect(std::string(id) + "/gutter", {view_.Min.x, view_.Min.y, view_.Min.x + gutter_, view_.Max.y},
               {.container = true});

    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImGui::PushClipRect({view_.Min.x + gutter_, view_.Min.y}, view_.Max, true);
    draw_background(list, document, found);
    draw_brackets(list, document);
    draw_lines(list, document);
    draw_underlines(list, document);
    draw_caret(list, buffer);
    if (spotlight_ && hovered) draw_spotlight(list);
    ImGui::PopClipRect();
    draw_gutter(list, document);
    compat::draw_focus_ring(view_, item_);
    if (hovered && !selecting_ && !typed_) draw_tooltip(id, document);
    ImGui::EndChild();
    return events;
}

void TextSurface::scroll_to_caret(const TextBuffer& buffer) {
    const Position caret = buffer.caret();
    const float height = view_.GetHeight(), line = grid_.line_height;
    const float y = tokens().hair + to_float(caret.line) * line;
    ImVec2 wanted = scroll_;
    const bool is_outside = y < scroll_.y || y + line > scroll_.y + height;
    if (is_outside && reveal_ == Reveal::Centered)
        wanted.y = y - (height - line) / 2;
    else if (y < scroll_.y)
        wanted.y = y - tokens().hair;
    else if (y + line > scroll_.y + height)
        wanted.y = y + line + tokens().hair - height;
    // Also keep some columns around the caret visible.
    const float x = screen_position(buffer, caret).x - origin().x, margin = 4 * grid_.advance;
    const float width = view_.GetWidth() - gutter_ - 2 * tokens().gap_small;
    if (x - margin < scroll_.x)
        wanted.x = x - margin;
    else if (x + margin > scroll_.x + width)
        wanted.x = x + margin - width;
    ImGui::SetNextWindowScroll({std::max(0.0f, std::round(wanted.x)), std::max(0.0f, std::round(wanted.y))});
    reveal_ = Reveal::No;
}

void TextSurface::take_or_leave_keyboard(bool hovered, bool had_keyboard) {
    ImGuiContext& context = *GImGui;
    ImGuiWindow* window = ImGui::GetCurrentWindow();
    const ImGuiIO& io = ImGui::GetIO();
    const bool is_clicked = hovered && ImGui::IsMouseClicked(0);
    if (had_keyboard && !has_keyboard_)
        lent_to_scrollbar_ =
            context.ActiveId != 0 && (context.ActiveId == ImGui::GetWindowScrollbarID(window, ImGuiAxis_Y) ||
                                      context.ActiveId == ImGui::GetWindowScrollbarID(window, ImGuiAxis_X));
    if (lent_to_scrollbar_ && context.ActiveId == 0) {
        lent_to_scrollbar_ = false;
        wants_keyboard_ = true;
    }
    if ((is_clicked || wants_keyboard_) && !has_keyboard_) {
        ImGui::SetActiveID(item_, window);
        ImGui::SetFocusID(item_, window);
        ImGui::FocusWindow(window);
        has_keyboard_ = true;
        if (!is_clicked) reveal_ = Reveal::Centered;
        ImGui::GetIO().InputQueueCharacters.resize(0);  // ignore the space that activated this field
    }
    wants_keyboard_ = false;
    if (!has_keyboard_) return;
    const bool clicked_elsewhere = io.MouseClicked[0] && !hovered;
    const bool left = io.KeyCtrl && compat::is_pressed(Key::Tab, false);
    if (clicked_elsewhere || left) {
        if (context.ActiveId == item_) ImGui::ClearActiveID();
        has_keyboard_ = false;
        return;
    }
    ImGui::KeepAliveID(item_);
    window->Flags |= ImGuiWindowFlags_NoNavInputs;    // arrows and Tab are for the text
    context.ActiveIdAllowOverlap = !io.MouseDown[0];  // other widgets can be clicked
    context.NavWindowingToggleLayer = false;          // Alt is part of chords
    compat::want_text_input();
}

editor::ColumnRange TextSurface::underlined(const Document& document, const LineMark& mark) const {
    const TextBuffer& buffer = document.buffer();
    const std::string& line = buffer.line(mark.line);
    const std::size_t length = buffer.line_length(mark.line);
    const std::size_t indent = editor::blank_prefix(line);
    if (mark.kind != LineMark::Kind::Hint && mark.column < length && mark.column >= indent) {
        TextRange word = buffer.word_at({mark.line, mark.column});
        // A compiler may point at the space before the relevant word.
        if (line[editor::byte_of_column(line, mark.column)] == ' ' && word.end.column < length)
            word = buffer.word_at(word.end);
        if (!word.empty()) return {word.begin.column, word.end.column};
    }
    if (indent >= length) return {0, 1};
    return {indent, length};
}

void TextSurface::draw_range(ImDrawList& list, const TextBuffer& buffer, TextRange range, ImU32 color) const {
    const std::size_t first = std::max(range.begin.line, first_line_);
    for (std::size_t line = first; line <= range.end.line && line < last_line_; ++line) {
        const std::size_t begin = line == range.begin.line ? range.begin.column : 0;
        const bool goes_on = line != range.end.line;
        const ImVec2 from = screen_position(buffer, {line, begin});
        ImVec2 to = screen_position(buffer, {line, goes_on ? buffer.line_length(line) : range.end.column});
        if (goes_on) to.x += std::round(grid_.advance / 2);  // the line break is included
        if (to.x > from.x) list.AddRectFilled(from, {to.x, to.y + grid_.line_height}, color);
    }
}

void TextSurface::draw_background(ImDrawList& list, const Document& document,
                                  std::span<const TextRange> found) const {
    const TextBuffer& buffer = document.buffer();
    if (!buffer.has_selection()) {
        const float y = line_y(buffer.caret().line);
        list.AddRectFilled({view_.Min.x + gutter_, y}, {view_.Max.x, y + grid_.line_height},
                           colors().raised.with_alpha(0.45f).u32());
    }
    const auto first =
        std::lower_bound(found.begin(), found.end(), first_line_,
                         [](const TextRange& range, std::size_t line) { return range.begin.line < line; });
    for (auto range = first; range != found.end() && range->begin.line < last_line_; ++range)
        draw_range(list, buffer, *range, colors().highlight.u32());
    for (const TextRange& blank : blanks_)
        if (blank.begin.line >= first_line_ && blank.begin.line < last_line_)
            draw_range(list, buffer, blank, colors().warning.with_alpha(0.35f).u32());
    if (buffer.has_selection()) draw_range(list, buffer, buffer.selected(), colors().selection.u32());
}

void TextSurface::find_blanks(const Document& document) {
    static constexpr std::string_view kBlank = "____";
    const TextBuffer& buffer = document.buffer();
    const std::pair wanted(document.id(), buffer.revision());
    if (std::exchange(blanks_of_, wanted) == wanted) return;
    blanks_.clear();
    const auto has_blank = [](const std::string& line) { return line.find(kBlank) != std::string::npos; };
    if (std::ranges::none_of(buffer.lines(), has_blank)) return;  // most texts
    for (const Place& blank : kwb::find_blanks(buffer.text()))
        blanks_.push_back(
            {{blank.line - 1, blank.column - 1}, {blank.line - 1, blank.column - 1 + kBlank.size()}});
}

void TextSurface::draw_spotlight(ImDrawList& list) const {
    const float from_top = ImGui::GetIO().MousePos.y - line_y(0);
    const float y = line_y(0) + std::floor(from_top / grid_.line_height) * grid_.line_height;
    const ImU32 veil = colors().surface.with_alpha(0.6f).u32();
    list.AddRectFilled(view_.Min, {view_.Max.x, y}, veil);
    list.AddRectFilled({view_.Min.x, y + grid_.line_height}, view_.Max, veil);
}

void TextSurface::draw_brackets(ImDrawList& list, const Document& document) {
    const TextBuffer& buffer = document.buffer();
    const std::pair wanted(buffer.revision(), buffer.caret());
    if (brackets_of_ != wanted) {
        brackets_of_ = wanted;
        brackets_ = find_bracket_pair(buffer, document.colors(), buffer.caret());
    }
    if (!brackets_ || !has_keyboard_) return;
    const auto frame = [&](Position at, Color color) {
        if (at.line < first_line_ || at.line >= last_line_) return;
        const ImVec2 min = screen_position(buffer, at);
        list.AddRect(min, {min.x + grid_.advance, min.y + grid_.line_height}, color.u32(), 2);
    };
    frame(brackets_->at, brackets_->match ? colors().text_muted : colors().danger);
    if (brackets_->match) frame(*brackets_->match, colors().text_muted);
}

void TextSurface::draw_lines(ImDrawList& list, const Document& document) {
    lines_drawn_ = 0;
    for (std::size_t line = first_line_; line < last_line_; ++line, ++lines_drawn_)
        draw_code_line(list, {origin().x, line_y(line)}, grid_, document.buffer().line(line),
                       document.colors().line(line), columns_);
}

void TextSurface::draw_underlines(ImDrawList& list, const Document& document) const {
    const float step = std::max(2.0f, std::round(grid_.line_height / 8));
    // Several marks may concern the same words; underline them once.
    std::set<std::tuple<std::size_t, std::size_t, std::size_t>> drawn;
    for (const LineMark& mark : document.marks()) {
        if (mark.line < first_line_ || mark.line >= last_line_) continue;
        const editor::ColumnRange columns = underlined(document, mark);
        if (!drawn.insert({mark.line, columns.begin, columns.end}).second) continue;
        float begin = screen_position(document.buffer(), {mark.line, columns.begin}).x;
        if (begin < view_.Min.x) begin += std::floor((view_.Min.x - begin) / (2 * step)) * 2 * step;
        const float end =
            std::min(screen_position(document.buffer(), {mark.line, columns.end}).x, view_.Max.x + step);
        const float base = line_y(mark.line + 1) - step;
        int corner = 0;
        for (float x = begin; x <= end; x += step, ++corner)
            list.PathLineTo({x, base + (corner % 2 == 0 ? step / 2 : -step / 2)});
        list.PathStroke(mark_color(mark.kind).u32(), 0, std::max(1.0f, step * 0.45f));
    }
}

void TextSurface::draw_gutter(ImDrawList& list, const Document& document) const {
    const TextBuffer& buffer = document.buffer();
    const float right = view_.Min.x + gutter_ - tokens().gap_small;
    for (std::size_t line = first_line_; line < last_line_; ++line)
        draw_line_number(list, {right, line_y(line)}, grid_, line + 1,
                         (line == buffer.caret().line ? colors().text : colors().text_disabled).u32());
    list.AddLine({view_.Min.x + gutter_ - 1, view_.Min.y}, {view_.Min.x + gutter_ - 1, view_.Max.y},
                 colors().border.u32(), tokens().border);
    draw_heat(list);
    const float radius = std::round(grid_.line_height * 0.24f);
    std::vector<const LineMark*> worst(last_line_ - first_line_);
    for (const LineMark& mark : document.marks()) {
        if (mark.line < first_line_ || mark.line >= last_line_) continue;
        const LineMark*& known = worst[mark.line - first_line_];
        if (known == nullptr || is_worse(mark.kind, known->kind)) known = &mark;
    }
    for (const LineMark* mark : worst) {
        if (mark == nullptr) continue;
        const float y = line_y(mark->line) + grid_.line_height / 2;
        draw_mark_sign(list, {view_.Min.x + grid_.line_height / 2, y}, radius, mark->kind,
                       mark_color(mark->kind).u32());
    }
}

/// A bar at the right of each line number: the more executions, the stronger; grey, because colours are those
/// of kernels and marks. While machine code is shown, the colour of its instructions instead.
void TextSurface::draw_heat(ImDrawList& list) const {
    if (heat_ == nullptr) return;
    const float right = view_.Min.x + gutter_ - 1, width = tokens().hair;
    for (auto line = heat_->lower_bound(static_cast<std::uint32_t>(first_line_));
         line != heat_->end() && line->first < last_line_; ++line) {
        const float y = line_y(line->first);
        const auto share = static_cast<float>(line->second.share);
        list.AddRectFilled(
            {right - width, y}, {right, y + grid_.line_height},
            (line->second.has_code ? stripe_color(line->first + 1)
                                   : colors().text_muted.with_alpha(0.12f + 0.88f * share * share))
                .u32());
    }
}

void TextSurface::draw_caret(ImDrawList& list, const TextBuffer& buffer) const {
    if (!has_keyboard_) return;
    const ImVec2 at = screen_position(buffer, buffer.caret());
    const float width = std::max(2.0f, std::round(grid_.advance / 5));
    list.AddRectFilled({at.x - 1, at.y}, {at.x - 1 + width, at.y + grid_.line_height},
                       colors().accent_text.u32());
}

void TextSurface::draw_tooltip(std::string_view id, const Document& document) const {
    const ImVec2 pointer = ImGui::GetIO().MousePos;
    const auto line = line_at(pointer, document.buffer().line_count());
    if (!line) return;
    const bool in_gutter = pointer.x < view_.Min.x + gutter_;
    std::vector<const LineMark*> marks;
    for (const LineMark& mark : document.marks()) {
        if (mark.line != *line) continue;
        const editor::ColumnRange columns = underlined(document, mark);
        const float begin = screen_position(document.buffer(), {mark.line, columns.begin}).x;
        const float end = screen_position(document.buffer(), {mark.line, columns.end}).x;
        if (in_gutter || (pointer.x >= begin && pointer.x <= end)) marks.push_back(&mark);
    }
    const LineHeat* heat = nullptr;
    if (in_gutter && heat_ != nullptr)
        if (const auto known = heat_->find(static_cast<std::uint32_t>(*line)); known != heat_->end())
            heat = &known->second;
    if (marks.empty() && heat == nullptr) return;
    const float top = line_y(*line);
    const Tooltip box({view_.Min.x, top, view_.Max.x, top + grid_.line_height});
    ImGui::PushTextWrapPos(34 * ImGui::GetFontSize());
    ImGui::BeginGroup();
    for (const LineMark* mark : marks) {
        std::string heading = mark_name(mark->kind);
        if (!mark->kernel.empty()) heading += " in " + mark->kernel;
        ImGui::PushStyleColor(ImGuiCol_Text, mark_color(mark->kind).vec());
        ImGui::TextUnformatted(heading.c_str());
        ImGui::PopStyleColor();
        message_text(std::string(id) + "/message", mark->text);
    }
    for (std::size_t i = 0; heat != nullptr && i < heat->sentences.size(); ++i)
        text(std::string(id) + "/heat/" + std::to_string(i), heat->sentences[i],
             {.tone = i == 0 ? Tone::Normal : Tone::Muted, .wraps = true});
    ImGui::EndGroup();
    if (!marks.empty()) probe(std::string(id) + "/tooltip", {.label = marks.front()->text, .wraps = true});
    ImGui::PopTextWrapPos();
}

}  // namespace kwb::gui
