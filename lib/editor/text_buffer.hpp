// SPDX-License-Identifier: Apache-2.0
// The text model of the source editor: lines, caret, selection, editing, undo. Independent of the window.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "editor/columns.hpp"
#include "editor/undo.hpp"

namespace kwb::editor {

enum class Motion {
    Left,  ///< by one code point; from the start of a line to the end of the previous one
    Right,
    WordLeft,  ///< to the start of a word or of a run of punctuation
    WordRight,
    LineStart,  ///< to the first non-blank character; from there to column 0
    LineEnd,
    Up,  ///< keeps the cell of the first in a series of vertical motions
    Down,
    PageUp,
    PageDown,
    TextStart,
    TextEnd,
};

/// Whether a motion extends the selection. If so, the anchor stays.
enum class Selecting { No, Yes };

/// A text as lines of valid UTF-8, with one caret.
///
/// There is always at least one line; a text that ends in a line break has an empty last line. Lines do not
/// contain line breaks; a tab is an ordinary character, see columns.hpp. A position past the end of a line or
/// of the text is clamped to that end, so callers need not clamp. Combining characters are separate code
/// points. Incoming text is cleaned by clean_text(). An edit takes time proportional to the lines it touches,
/// plus a move of the line table if the number of lines changes: microseconds for thousands of lines.
class TextBuffer {
public:
    static constexpr std::size_t kIndent = 4;  ///< columns

    explicit TextBuffer(std::size_t undo_budget_bytes = UndoHistory::kDefaultBudgetBytes);

    // Whole texts -----------------------------------------------------------------------------------------

    /// Replace everything with a file's content: caret at the start, empty undo history, unmodified.
    /// @return  what clean_text() changed (without the text); saving would write these changes
    CleanText load(std::string_view bytes);

    /// Replace the text with the file's current content as one undo step, and mark it as saved. Only lines
    /// that differ are touched, so that the caret and the selection stay with their text if it still exists.
    /// @return  like load()
    CleanText replace_from_disk(std::string_view bytes);

    std::string text() const;       ///< lines joined by \n
    std::string file_text() const;  ///< with the line ends of the file, for saving
    bool has_crlf() const { return crlf_; }
    bool has_tabs() const { return tabs_; }  ///< most indented lines use tabs; new indentation then does too

    // Lines -----------------------------------------------------------------------------------------------

    std::span<const std::string> lines() const { return lines_; }
    std::size_t line_count() const { return lines_.size(); }                    ///< at least 1
    const std::string& line(std::size_t index) const { return lines_[index]; }  ///< index < line_count()
    std::size_t line_length(std::size_t index) const;                           ///< code points
    std::size_t longest_line() const;  ///< in cells; scans every line if the text has changed
    Position end() const;
    Position clamp(Position position) const;
    std::string text_in(TextRange range) const;

    // Changes ---------------------------------------------------------------------------------------------

    /// Increases with every change of the text, including undo, redo and load().
    std::uint64_t revision() const { return revision_; }

    /// All changes since an earlier revision, combined into one; removed == inserted == 0 if there were none.
    /// @return  empty if the revision is too old or a text was loaded since; then assume that everything
    ///          changed
    std::optional<LineChange> changes_since(std::uint64_t revision) const;

    /// Whether the text differs from that of the last load(), replace_from_disk() or mark_saved(). Undoing
    /// back to that state makes it unmodified; retyping the same text does not.
    bool is_modified() const { return history_.is_modified(); }
    void mark_saved() { history_.mark_saved(); }

    // Caret and selection ---------------------------------------------------------------------------------

    Position caret() const { return selection_.caret; }
    Position anchor() const { return selection_.anchor; }
    const Selection& selection() const { return selection_; }
    bool has_selection() const { return !selection_.empty(); }
    TextRange selected() const { return selection_.range(); }
    std::string selected_text() const { return text_in(selected()); }

    void set_caret(Position position, Selecting selecting = Selecting::No);
    void select(Selection selection);
    void select_all();
    void select_word();  ///< the word, whitespace or punctuation at the caret
    void select_line();  ///< the caret's line with its line break

    /// The run of characters of one CharClass around a position, within its line: what a double click
    /// selects.
    TextRange word_at(Position position) const;

    /// @param page_lines  how far PageUp and PageDown move
    /// Without Selecting::Yes, Left and Right move the caret to that end of the selection if there is one.
    void move(Motion motion, Selecting selecting = Selecting::No, std::size_t page_lines = 20);

    // Editing: each call is one undo step; a run of typing, Backspace or Delete is combined into one ------

    void type(std::string_view text);  ///< replaces the selection; } on a blank line is unindented
    void new_line();                   ///< indented like the line before, one step more after {
    void backspace();                  ///< deletes the selection, a step of indentation, or one code point
    void erase_forward();              ///< deletes the selection or one code point (Delete)
    void erase_word_left();
    void erase_word_right();
    /// Tab: indents the touched lines if there is a selection; otherwise inserts spaces up to the next tab
    /// stop, or a tab.
    void indent();
    void unindent();          ///< Shift+Tab: unindents all touched lines
    void duplicate_lines();   ///< copies the touched lines below; the caret moves to the copy
    void delete_lines();      ///< touched lines
    void move_lines(int by);  ///< touched lines by one up (-1) or down (+1), Alt+Up and Alt+Down
    void toggle_comment();    ///< adds `//` to all touched lines, or removes it if all have it

    std::string copy() const;           ///< the selection, or else the caret's line with \n
    std::string cut();                  ///< copy(), then remove it
    void paste(std::string_view text);  ///< replaces the selection; always a separate undo step

    /// Replace a range; the caret moves to the end of the inserted text.
    void replace(TextRange range, std::string_view text);

    struct Replacement {
        TextRange range;
        std::string text;
    };
    /// Replace several ranges as one undo step; caret and anchor stay with their text.
    /// @param changes  ranges in ascending order without overlaps. @throws ContractError  if they are not
    void replace_all(std::span<const Replacement> changes);

    bool can_undo() const { return history_.can_undo(); }
    bool can_redo() const { return history_.can_redo(); }
    void undo();  ///< no effect if there is nothing to undo; restores caret and selection
    void redo();
    void end_run() { history_.end_run(); }  ///< later typing begins a new undo step, e.g. after a pause
    const UndoHistory& history() const { return history_; }

private:
    struct LineSpan {
        std::size_t first;
        std::size_t last;  ///< inclusive
    };
    /// What happens to a position where text is inserted.
    enum class AtInsertion { Stays, Follows };

    LineSpan touched_lines() const;
    std::string joined(LineSpan lines) const;
    std::size_t indentation(std::size_t line) const;  ///< number of spaces and tabs at its start
    std::string blanks_of(std::size_t line) const;    ///< the line's indentation as text
    std::string step() const;                         ///< one step of indentation
    std::optional<std::string> indentation_for_closing_brace(Position before) const;
    Position one_left(Position from) const;
    Position one_right(Position from) const;
    Position word_left(Position from) const;
    Position word_right(Position from) const;
    Position moved(Position from, Motion motion, std::size_t page_lines);
    Position vertically(Position from, std::size_t lines, bool down);

    /// Every edit goes through here: replaces the parts (clean texts, ascending, not overlapping) as one undo
    /// step.
    /// @param after  empty: caret and anchor stay with their text
    void edit(EditKind kind, std::span<const Replacement> parts, std::optional<Selection> after = {},
              AtInsertion at_insertion = AtInsertion::Stays);
    /// Replaces one range.
    /// @param after  empty: the caret moves to the end of the inserted text
    void edit(EditKind kind, TextRange range, std::string text, std::optional<Selection> after = {});
    /// Deletes the selection if there is one, else the range.
    void erase(EditKind kind, TextRange range);
    /// Makes the changes of an undo step, or reverts them, without recording them.
    void replay(std::span<const TextChange> changes, bool reverts);
    /// Replaces text without recording undo. The only function that changes lines of an existing text.
    LineChange splice(TextRange range, std::string_view text);
    void note(const std::optional<LineChange>& change);

    std::vector<std::string> lines_{std::string()};
    Selection selection_;
    std::optional<std::size_t> goal_cell_;  ///< target cell of consecutive vertical motions
    bool crlf_ = false;
    bool tabs_ = false;
    UndoHistory history_;
    std::uint64_t revision_ = 0;
    std::deque<LineChange> recent_;                                         ///< the last one led to revision_
    mutable std::optional<std::pair<std::uint64_t, std::size_t>> longest_;  ///< revision, cells
};

}  // namespace kwb::editor
