// The text surface's pointer: caret, selections, scrolling while one drags.
#include <algorithm>
#include <cmath>

#include "editor/columns.hpp"
#include "gui/look.hpp"
#include "gui/text_surface.hpp"

namespace kwb::gui {

using editor::Position;
using editor::Selecting;
using editor::TextBuffer;
using editor::TextRange;

std::optional<std::size_t> TextSurface::line_at(ImVec2 pixel, std::size_t line_count) const {
    const float line = std::floor((pixel.y - origin().y) / grid_.line_height);
    if (line < 0 || line >= static_cast<float>(line_count)) return std::nullopt;
    return static_cast<std::size_t>(line);
}

Position TextSurface::position_at(const TextBuffer& buffer, ImVec2 pixel) const {
    const ImVec2 start = origin();
    const float line = std::floor((pixel.y - start.y) / grid_.line_height);
    const float cell = std::round((pixel.x - start.x) / grid_.advance);
    const Position at = buffer.clamp({static_cast<std::size_t>(std::max(0.0f, line)), 0});
    if (line >= static_cast<float>(buffer.line_count())) return buffer.end();
    return {at.line,
            editor::column_of_cell(buffer.line(at.line), static_cast<std::size_t>(std::max(0.0f, cell)))};
}

void TextSurface::act_on_mouse(TextBuffer& buffer, bool hovered) {
    const ImGuiIO& io = ImGui::GetIO();
    const bool in_gutter = hovered && io.MousePos.x < view_.Min.x + gutter_;
    if (hovered && !in_gutter) ImGui::SetMouseCursor(ImGuiMouseCursor_TextInput);
    if (hovered && ImGui::IsMouseClicked(0)) {
        buffer.end_run();
        const Position at = position_at(buffer, io.MousePos);
        const int clicks = in_gutter ? 3 : (ImGui::GetMouseClickedCount(0) - 1) % 3 + 1;
        selecting_ = true;
        if (io.KeyShift && clicks == 1) {
            // The anchor stays where it is.
            pressed_on_ = {buffer.anchor(), buffer.anchor()};
            granularity_ = Granularity::Character;
            buffer.set_caret(at, Selecting::Yes);
        } else {
            granularity_ = clicks == 1   ? Granularity::Character
                           : clicks == 2 ? Granularity::Word
                                         : Granularity::Line;
            buffer.set_caret(at);
            if (granularity_ == Granularity::Word) buffer.select_word();
            if (granularity_ == Granularity::Line) buffer.select_line();
            pressed_on_ = buffer.selected();
        }
        return;
    }
    if (!selecting_) return;
    if (!io.MouseDown[0] || !has_keyboard_) {
        selecting_ = false;
        return;
    }
    if (!ImGui::IsMouseDragging(0, 2)) return;
    select_to(buffer, position_at(buffer, io.MousePos));
    scroll_while_dragging();
}

void TextSurface::select_to(TextBuffer& buffer, Position to) {
    TextRange reached{to, to};
    if (granularity_ == Granularity::Word) reached = buffer.word_at(to);
    if (granularity_ == Granularity::Line)
        reached = {{to.line, 0},
                   buffer.clamp(to.line + 1 < buffer.line_count() ? Position{to.line + 1, 0} : buffer.end())};
    // What the press selected stays selected, to whichever side one drags.
    if (to < pressed_on_.begin)
        buffer.select({pressed_on_.end, reached.begin});
    else
        buffer.select({pressed_on_.begin, std::max(reached.end, pressed_on_.end)});
}

void TextSurface::scroll_while_dragging() {
    const ImVec2 pointer = ImGui::GetIO().MousePos;
    // The further outside, the faster: pixels a second for each pixel outside. ImGui scrolls by whole ones.
    constexpr float kSpeed = 15;
    const auto step = [](float outside) {
        return std::copysign(std::max(1.0f, std::abs(outside) * kSpeed * ImGui::GetIO().DeltaTime), outside);
    };
    const auto beyond = [](float at, float min, float max) {
        return at < min ? at - min : std::max(0.0f, at - max);
    };
    const float x = beyond(pointer.x, view_.Min.x + gutter_, view_.Max.x);
    const float y = beyond(pointer.y, view_.Min.y, view_.Max.y);
    const ImVec2 to = {x == 0 ? scroll_.x : std::clamp(scroll_.x + step(x), 0.0f, ImGui::GetScrollMaxX()),
                       y == 0 ? scroll_.y : std::clamp(scroll_.y + step(y), 0.0f, ImGui::GetScrollMaxY())};
    if (to.x != scroll_.x) ImGui::SetScrollX(to.x);
    if (to.y != scroll_.y) ImGui::SetScrollY(to.y);
    if (to.x != scroll_.x || to.y != scroll_.y) look().want_frame();  // the pointer may rest there
}

}  // namespace kwb::gui
