// SPDX-License-Identifier: Apache-2.0
// The source files: read, edit, search, save, compare.
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
#include "gui/widgets.hpp"

namespace kwb::gui {

/// Draws into the remaining space of the current window.
///
/// Keys while no dialog is open: Ctrl+S saves the front document, Ctrl+W closes it, Ctrl+F and Ctrl+H open
/// the find bar, Ctrl+Page Down and Ctrl+Page Up switch to the next or previous document, Ctrl+Shift+C
/// chooses a file to compare with, F3 and Shift+F3 move between occurrences, Ctrl+G goes to a line, F8 and
/// Shift+F8 move between marks, or in a comparison between differences; Escape closes the bar or the
/// comparison from anywhere in the panel. In the text: the keys of TextSurface.
class SourcePanel {
public:
    /// @param pending, hovered  must outlive this object
    SourcePanel(PendingSave& pending, Hovered& hovered) : pending_(pending), hovered_(hovered) {}

    void draw(const DeskState& state, Commands& commands);

    /// For an audience: highlights the line under the pointer, and scrolls to the line in question. At the
    /// end, the text stands where it stood, unless the caret has moved since.
    void present(bool on) { spotlight_ = shows_line_ = on; }

    /// Moves keyboard focus to the text in the next frame.
    void take_keyboard() { wants_keyboard_ = true; }

    /// Closes a document; asks the same question as the tab's button if edits would be lost.
    void close(const Document& document, Commands& commands);
    /// Saves it; asks for another place if it comes with the workbench.
    void save(const Document& document, Commands& commands, bool over_changes = false);

private:
    /// Where a text stands, until the presentation ends.
    struct Stand {
        editor::Position caret;
        std::size_t first_line;
        editor::Position shown;  ///< the caret during the presentation
    };

    struct View {
        TextSurface surface;
        std::string hidden_notice;  ///< dismissed by the user
        editor::Landmarks landmarks;
        std::optional<std::uint64_t> landmarks_of;  ///< revision of the text; nullopt: not opened yet
        std::optional<Stand> before;                ///< the presentation
    };

    // source_panel.cpp
    void forget_closed(const DeskState& state);
    void act_on_keys(const DeskState& state, Document& document, Commands& commands);
    void draw_document(const DeskState& state, Document& document, Commands& commands);
    void go_to_revealed(const DeskState& state, Document& document, Commands& commands);
    void draw_text(Document& document, Commands& commands);
    void draw_front_matter(const Document& document, View& view);
    void draw_marks(Document& document);
    void go_to_line(Document& document, std::size_t number);
    void go_to_mark(Document& document, const LineMark& mark);
    static void show_line_in_question(Document& document, View& view);
    static void return_from_presentation(Document& document, View& view);
    void step_mark(Document& document, int by);
    void step_document(const DeskState& state, int by, Commands& commands);

    // source_bars.cpp
    void draw_tools(const DeskState& state, Document& document, Commands& commands);
    void draw_compare_menu(const DeskState& state, const Document& document, Commands& commands);
    void draw_banner(Document& document, Commands& commands);
    void draw_question(const DeskState& state, Commands& commands);
    void draw_status(const DeskState& state, const Document& document);
    static float status_height() { return compat::size_of(*fonts().small); }

    // source_tabs.cpp
    void draw_tabs(const DeskState& state, float width, Commands& commands);
    /// Draws a tab with its close button; the cursor ends up to the right of it.
    void draw_tab(const DeskState& state, const Document& document, const std::string& label,
                  Commands& commands);
    void draw_file_list(const DeskState& state, Commands& commands);
    void bring_to_front(const Document& document, Commands& commands);

    // source_bars.cpp, the comparison
    /// @return  false if there is no comparison
    bool draw_comparison(const DeskState& state, Document& document, Commands& commands);
    void end_comparison(const Document& document, Commands& commands);

    PendingSave& pending_;
    Hovered& hovered_;
    std::map<DocumentId, View> views_;
    FindBar find_;
    DiffView diff_;
    std::optional<DocumentId> shows_disk_;  ///< document compared with its file
    std::optional<DocumentId> asks_about_;  ///< document whose closing would lose edits
    std::size_t first_tab_ = 0;             ///< first visible tab
    bool shows_comparison_ = false;         ///< in the last frame
    bool has_keyboard_ = false;             ///< in the last frame: the panel's widgets, not one of its popups
    bool wants_keyboard_ = false;
    bool spotlight_ = false;
    bool shows_line_ = false;                 ///< scroll to the line in question in the next frame
    bool opens_compare_ = false;              ///< opens the menu of files to compare with
    std::optional<DocumentId> keyboard_for_;  ///< moves focus there as soon as it is in front

    std::uint64_t revealed_ = 0;  ///< number of the last DeskState::revealed that was shown
    bool marks_lines_ = false;    ///< those of DeskState::revealed, in the next comparison
};

/// "source/tab/3": the id of a document's widget.
std::string with_id(const char* name, DocumentId id);

/// The file name, with its folder if two files have the same name.
std::string tab_label(const DeskState& state, const Document& document);

}  // namespace kwb::gui
