// The sources: read, edit, search, save, compare.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/dialogs/saving.hpp"
#include "gui/diff_view.hpp"
#include "gui/find_bar.hpp"
#include "gui/text_surface.hpp"

namespace kwb::gui {

/// Draws into the room that is left in the current window.
///
/// Keys while no dialog is open: Ctrl+S saves the document in front, Ctrl+W closes it, Ctrl+F finds, Ctrl+H
/// replaces, Ctrl+Page down and Ctrl+Page up bring the next document and the one before to the front,
/// Ctrl+Shift+C asks what to compare it with, F3 and Shift+F3 go from one occurrence to the other, Ctrl+G
/// goes to a line, F8 and Shift+F8 from one mark, or in a comparison from one difference, to the other;
/// Escape closes the bar or the comparison, wherever in the panel the keyboard is. In the text: those of
/// TextSurface.
///
/// Probes: source/tab/<id>, source/close/<id> (of a document), source/files (where
/// not all tabs have room: a list of all, source/file/<id>), source/save, source/find, source/compare and
/// the entries of its menu source/compare/<id> and source/compare/end, source/bar/… (FindBar), source/text
/// (the surface), source/mark/<index> (of Document::marks()), source/position, source/unsaved, source/path,
/// source/banner with its buttons source/take_theirs, source/keep_mine, source/show_disk, source/save_again,
/// source/read_again, source/save_elsewhere, source/hide_notice, the question's source/question with
/// source/save_and_close, source/close_anyway, source/keep_open; source/diff, source/diff/next,
/// source/diff/previous, source/diff/end.
class SourcePanel {
public:
    /// @param pending  outlives this
    explicit SourcePanel(PendingSave& pending) : pending_(pending) {}

    void draw(const DeskState& state, Commands& commands);

    /// Put the keyboard into the text in the next frame.
    void take_keyboard() { wants_keyboard_ = true; }

    /// Ask about closing: the same question as the tab's button asks, or none where nothing would be lost.
    void close(const Document& document, Commands& commands);

private:
    struct View {
        TextSurface surface;
        std::string hidden_notice;  ///< dismissed by the person
    };

    // source_panel.cpp
    void forget_closed(const DeskState& state);
    void act_on_keys(const DeskState& state, Document& document, Commands& commands);
    void draw_document(const DeskState& state, Document& document, Commands& commands);
    void go_to_revealed(const DeskState& state, Document& document, Commands& commands);
    void draw_text(Document& document, Commands& commands);
    void draw_marks(Document& document);
    void go_to_line(Document& document, std::size_t number);
    void go_to_mark(Document& document, const LineMark& mark);
    void step_mark(Document& document, int by);
    void step_document(const DeskState& state, int by, Commands& commands);

    // source_bars.cpp
    void draw_tools(const DeskState& state, Document& document, Commands& commands);
    void draw_compare_menu(const DeskState& state, const Document& document, Commands& commands);
    void draw_banner(Document& document, Commands& commands);
    void draw_question(const DeskState& state, Commands& commands);
    void draw_status(const DeskState& state, const Document& document);
    static float status_height();
    void save(const Document& document, Commands& commands, bool over_changes = false);

    // source_tabs.cpp
    void draw_tabs(const DeskState& state, float width, Commands& commands);
    /// A tab with its button for closing; the cursor goes on to the right of it.
    void draw_tab(const DeskState& state, const Document& document, const std::string& label,
                  Commands& commands);
    void draw_file_list(const DeskState& state, Commands& commands);
    void bring_to_front(const Document& document, Commands& commands);

    // source_comparison.cpp
    /// @return  false: nothing is compared
    bool draw_comparison(const DeskState& state, Document& document, Commands& commands);
    void end_comparison(const Document& document, Commands& commands);

    PendingSave& pending_;
    std::map<DocumentId, View> views_;
    FindBar find_;
    DiffView diff_;
    std::optional<DocumentId> shows_disk_;  ///< compared with its file
    std::optional<DocumentId> asks_about_;  ///< closing it would lose edits
    std::size_t first_tab_ = 0;             ///< of those that have room
    bool shows_comparison_ = false;         ///< in the last frame
    bool has_keyboard_ = false;             ///< in the last frame: what is in this panel, and no list of it
    bool wants_keyboard_ = false;
    bool opens_compare_ = false;              ///< the menu of what to compare with
    std::optional<DocumentId> keyboard_for_;  ///< as soon as it is in front

    std::uint64_t revealed_ = 0;  ///< number of the last DeskState::revealed that was shown
};

/// "source/tab/3": the id of a widget that belongs to a document.
std::string with_id(const char* name, DocumentId id);

/// Its file's name, with the folder where two files share the name.
std::string tab_label(const DeskState& state, const Document& document);

}  // namespace kwb::gui
