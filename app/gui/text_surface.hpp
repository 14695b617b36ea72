// SPDX-License-Identifier: Apache-2.0
// The text view in which the user reads and edits source code.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "desk/document.hpp"
#include "desk/shown_xray.hpp"
#include "editor/highlight.hpp"
#include "gui/code_line.hpp"
#include "gui/imgui_compat.hpp"
#include "gui/keys.hpp"

namespace kwb::gui {

/// What happened in a surface during a frame.
struct TextSurfaceEvents {
    bool edited = false;          ///< the text changed; its highlighting and marks are already updated
    bool left_by_escape = false;  ///< Escape released the keyboard focus
};

/// The view of one document: scrolling, caret, selection, marks. Only visible lines are drawn.
///
/// It takes keyboard focus like a text field: by a click, by Enter or Space while it has the focus ring, or
/// by take_keyboard(). Escape and Ctrl+Tab release it; the window's function keys work while it has focus.
/// The caret does not blink, because blinking would require continuous frames.
class TextSurface {
public:
    /// @param size   in pixels
    /// @param found  occurrences of the search text, ascending; drawn under the text
    /// Edits change the document's buffer immediately.
    TextSurfaceEvents draw(std::string_view id, Document& document, ImVec2 size,
                           std::span<const editor::TextRange> found = {});

    /// Takes keyboard focus from the next frame on.
    void take_keyboard() { wants_keyboard_ = true; }
    bool has_keyboard() const { return has_keyboard_; }

    /// Scrolls to the caret in the next frame; if it is out of sight, to the middle of the view.
    void reveal_caret() { reveal_ = Reveal::Centered; }

    /// Dims all lines but that under the pointer, to point at it in front of an audience.
    void set_spotlight(bool on) { spotlight_ = on; }

    /// How often each line is executed, shown in the margin; nullptr: not known. For the next draw().
    void set_heat(const LineHeats* heat) { heat_ = heat; }

    /// Puts a line at the top of the view in the next frame.
    void scroll_to_line(std::size_t line) { top_line_ = line; }
    /// The first line that can be seen, from the last frame.
    std::size_t first_line() const { return first_line_; }

    /// Upper left corner of a text position in window pixels, with the scroll offset of the last frame.
    ImVec2 screen_position(const editor::TextBuffer& buffer, editor::Position position) const;
    const CodeGrid& grid() const { return grid_; }
    /// Number of lines drawn in the last frame, for tests.
    std::size_t lines_drawn() const { return lines_drawn_; }

private:
    enum class Reveal { No, Near, Centered };
    enum class Granularity { Character, Word, Line };

    // text_surface.cpp
    void scroll_to_caret(const editor::TextBuffer& buffer);
    void take_or_leave_keyboard(bool hovered, bool had_keyboard);
    void draw_background(ImDrawList& list, const Document& document,
                         std::span<const editor::TextRange> found) const;
    void draw_range(ImDrawList& list, const editor::TextBuffer& buffer, editor::TextRange range,
                    ImU32 color) const;
    void find_blanks(const Document& document);
    void draw_brackets(ImDrawList& list, const Document& document);
    void draw_lines(ImDrawList& list, const Document& document);
    void draw_underlines(ImDrawList& list, const Document& document) const;
    void draw_gutter(ImDrawList& list, const Document& document) const;
    void draw_heat(ImDrawList& list) const;
    void draw_spotlight(ImDrawList& list) const;
    void draw_caret(ImDrawList& list, const editor::TextBuffer& buffer) const;
    void draw_tooltip(std::string_view id, const Document& document) const;
    ImVec2 origin() const;  ///< of line 0, column 0
    float line_y(std::size_t line) const { return origin().y + to_float(line) * grid_.line_height; }
    editor::ColumnRange underlined(const Document& document, const LineMark& mark) const;

    // text_surface_input.cpp: keys
    void act_on_keys(editor::TextBuffer& buffer);
    bool act_on_motions(editor::TextBuffer& buffer);
    bool act_on_chords(editor::TextBuffer& buffer);
    /// Selects the next blank, or the one before, around the end of the text. @return  false: there is none,
    /// the line is empty, or several lines are selected, so that Tab indents
    bool select_blank(editor::TextBuffer& buffer, bool is_next);
    void take_characters(editor::TextBuffer& buffer);

    // text_surface_input.cpp: pointer
    void act_on_mouse(editor::TextBuffer& buffer, bool hovered);
    void select_to(editor::TextBuffer& buffer, editor::Position to);
    void scroll_while_dragging();
    editor::Position position_at(const editor::TextBuffer& buffer, ImVec2 pixel) const;
    std::optional<std::size_t> line_at(ImVec2 pixel, std::size_t line_count) const;

    std::size_t page_lines() const;

    ImGuiID item_ = 0;  ///< of the last frame
    bool has_keyboard_ = false;
    bool wants_keyboard_ = false;
    bool lent_to_scrollbar_ = false;  ///< keyboard focus returns when the scroll bar is released
    Reveal reveal_ = Reveal::No;
    bool spotlight_ = false;
    const LineHeats* heat_ = nullptr;
    std::optional<std::size_t> top_line_;  ///< requested

    bool selecting_ = false;  ///< the mouse button is held
    Granularity granularity_ = Granularity::Character;
    editor::TextRange pressed_on_;  ///< the selection made by the initial press; it stays selected

    ImGuiID inside_ = 0;  ///< the window that it was drawn in last
    float height_ = 0;    ///< with scroll bars
    bool typed_ = false;  ///< the pointer has not moved since

    // State of the current frame.
    CodeGrid grid_;
    ImRect view_;       ///< the visible area, including the gutter
    float gutter_ = 0;  ///< width in pixels
    ImVec2 scroll_;
    std::size_t first_line_ = 0, last_line_ = 0;  ///< visible: [first, last)
    VisibleColumns columns_;
    std::size_t lines_drawn_ = 0;

    std::pair<DocumentId, std::uint64_t> blanks_of_;  ///< document and revision
    std::vector<editor::TextRange> blanks_;           ///< "____" to be filled in, in the order of the text
    std::optional<std::pair<std::uint64_t, editor::Position>> brackets_of_;  ///< revision and caret
    std::optional<editor::BracketPair> brackets_;
};

}  // namespace kwb::gui
