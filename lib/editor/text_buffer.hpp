// The text of a source editor: lines, caret, selection, editing, undo. Needs no window.
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
    Left,  ///< one code point; over the line's end to the next line
    Right,
    WordLeft,  ///< to the start of a word or of a run of punctuation
    WordRight,
    LineStart,  ///< to the first character that is not blank, from there to column 0
    LineEnd,
    Up,  ///< keeps the cell that the caret had before the first of several
    Down,
    PageUp,
    PageDown,
    TextStart,
    TextEnd,
};

/// Whether a motion selects: then the anchor stays.
enum class Selecting { No, Yes };

/// A text as lines of valid UTF-8 with one caret.
///
/// There is always a line; a text that ends in a line break has an empty last line. Lines hold no line break;
/// a tab is a character like any other, see columns.hpp. A position past the end of a line or of the text
/// counts as that end, so callers need not clamp. Combining characters count as code points of their own.
/// Text that comes in is cleaned as by clean_text(). An edit costs time in the lines it touches, plus a move
/// of the line table if the number of lines changes: microseconds for thousands of lines.
class TextBuffer {
public:
    static constexpr std::size_t kIndent = 4;  ///< columns

    explicit TextBuffer(std::size_t undo_budget_bytes = UndoHistory::kDefaultBudgetBytes);

    // Whole texts -----------------------------------------------------------------------------------------

    /// Begin with a file's bytes: caret at the start, nothing to undo, unmodified.
    /// @return  what was changed in reading (without the text): saving would write it so
    CleanText load(std::string_view bytes);

    /// Take over what the file holds now, as one step that can be undone, and mark it as saved. Only lines
    /// that differ are touched; caret and selection stay with their text where it is still there.
    /// @return  as load()
    CleanText replace_from_disk(std::string_view bytes);

    std::string text() const;       ///< lines joined by \n
    std::string file_text() const;  ///< with the line ends of the file; what to save
    bool has_crlf() const { return crlf_; }
    bool has_tabs() const { return tabs_; }  ///< its lines are indented with tabs: so are new ones

    // Lines -----------------------------------------------------------------------------------------------

    std::span<const std::string> lines() const { return lines_; }
    std::size_t line_count() const { return lines_.size(); }                    ///< at least 1
    const std::string& line(std::size_t index) const { return lines_[index]; }  ///< index < line_count()
    std::size_t line_length(std::size_t index) const;                           ///< code points
    std::size_t longest_line() const;  ///< cells; looks at every line when the text has changed
    Position end() const;
    Position clamp(Position position) const;
    std::string text_in(TextRange range) const;

    // Changes ---------------------------------------------------------------------------------------------

    /// Grows by at least 1 with every change of the text, also by undo, redo and load().
    std::uint64_t revision() const { return revision_; }

    /// All changes since an earlier revision as one; removed == inserted == 0 if there was none.
    /// @return  nothing if that is too long ago or a text was loaded: look at everything
    std::optional<LineChange> changes_since(std::uint64_t revision) const;

    /// Differs from the text of the last load(), replace_from_disk() or mark_saved(). Undoing back to there
    /// is unmodified; typing the same text again is not.
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
    void select_word();  ///< the word, blanks or punctuation at the caret
    void select_line();  ///< the caret's line with its line break

    /// The run of one CharClass around a place, in its line: what a double click selects.
    TextRange word_at(Position position) const;

    /// @param page_lines  how far PageUp and PageDown go
    /// Left and Right without selecting put the caret at the selection's side if there is one.
    void move(Motion motion, Selecting selecting = Selecting::No, std::size_t page_lines = 20);

    // Editing: each is one step of undo, runs of typing, Backspace and Delete are one together ------------

    void type(std::string_view text);  ///< in place of the selection; } on a blank line goes one step left
    void new_line();                   ///< indented as the line before, deeper after {
    void backspace();                  ///< the selection, a step of indentation, or one code point
    void erase_forward();              ///< the selection or one code point (Delete)
    void erase_word_left();
    void erase_word_right();
    /// Tab: the touched lines if something is selected, else blanks up to the next step, or a tab.
    void indent();
    void unindent();          ///< Shift+Tab: all touched lines
    void duplicate_lines();   ///< touched lines, below; the caret goes along
    void delete_lines();      ///< touched lines
    void move_lines(int by);  ///< touched lines by one up (-1) or down (+1), Alt+Up and Alt+Down
    void toggle_comment();    ///< `//` before all touched lines, or away from them if all have it

    std::string copy() const;           ///< the selection, else the caret's line with \n
    std::string cut();                  ///< copy(), then remove it
    void paste(std::string_view text);  ///< in place of the selection; a step of its own

    /// Replace any part; the caret goes to the end of the inserted text.
    void replace(TextRange range, std::string_view text);

    struct Replacement {
        TextRange range;
        std::string text;
    };
    /// Replace several parts as one step; caret and anchor stay with their text.
    /// @param changes  ranges in ascending order that do not overlap. @throws ContractError  they are not so
    void replace_all(std::span<const Replacement> changes);

    bool can_undo() const { return history_.can_undo(); }
    bool can_redo() const { return history_.can_redo(); }
    void undo();  ///< nothing if there is nothing; restores caret and selection
    void redo();
    void end_run() { history_.end_run(); }  ///< typing from here on is another step, e.g. after a pause
    const UndoHistory& history() const { return history_; }

private:
    struct LineSpan {
        std::size_t first;
        std::size_t last;  ///< included
    };
    /// Where a place goes at which text is inserted.
    enum class AtInsertion { Stays, Follows };

    LineSpan touched_lines() const;
    std::string joined(LineSpan lines) const;
    std::size_t indentation(std::size_t line) const;  ///< blanks and tabs at its start
    std::string blanks_of(std::size_t line) const;    ///< these
    std::string step() const;                         ///< one of indentation
    std::optional<std::string> indentation_for_closing_brace(Position before) const;
    Position one_left(Position from) const;
    Position one_right(Position from) const;
    Position word_left(Position from) const;
    Position word_right(Position from) const;
    Position moved(Position from, Motion motion, std::size_t page_lines);
    Position vertically(Position from, std::size_t lines, bool down);

    /// Every edit: replace the parts (clean texts, ascending, apart) as one step of undo.
    /// @param after  nothing: caret and anchor stay with their text
    void edit(EditKind kind, std::span<const Replacement> parts, std::optional<Selection> after = {},
              AtInsertion at_insertion = AtInsertion::Stays);
    /// One part; the caret goes to its end.
    void edit(EditKind kind, TextRange range, std::string text);
    /// Replace without undo: the one place where lines change.
    LineChange splice(TextRange range, std::string_view text);
    void note(const std::optional<LineChange>& change);

    std::vector<std::string> lines_{std::string()};
    Selection selection_;
    std::optional<std::size_t> goal_cell_;  ///< of Up and Down in a row
    bool crlf_ = false;
    bool tabs_ = false;
    UndoHistory history_;
    std::uint64_t revision_ = 0;
    std::deque<LineChange> recent_;  ///< the change that led to revision_ is the last
    mutable std::optional<std::pair<std::uint64_t, std::size_t>> longest_;  ///< revision, cells
};

}  // namespace kwb::editor
