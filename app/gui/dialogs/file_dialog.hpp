// SPDX-License-Identifier: Apache-2.0
// File dialog for opening and saving. Shows DeskState::dialog; never accesses the disk itself.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/dialogs/modal.hpp"
#include "gui/dialogs/saving.hpp"

namespace kwb::gui {

/// Modal; open while the state has a listing. Keys: typing filters (or edits the file name), Up and Down move
/// in the list, Enter opens or saves, Backspace in an empty filter goes to the parent folder, Ctrl+L goes to
/// the path field, Ctrl+H shows hidden files, Escape clears the filter, then closes.
class FileDialog {
public:
    /// @param pending  must outlive this object
    explicit FileDialog(PendingSave& pending) : pending_(pending) {}

    void draw(const DeskState& state, Commands& commands);

private:
    enum class Column { Name, Size, Changed };
    enum class Field { Path, Filter, Name };

    // Behaviour.
    bool saves() const {
        return purpose_ != FolderListing::Purpose::OpenKernels &&
               purpose_ != FolderListing::Purpose::OpenExperiment;
    }
    void begin(const FolderListing& listing);
    void close(Commands& commands);
    void forget_choice();
    void go_to(const std::filesystem::path& folder, bool shows_hidden, Commands& commands);
    void go_to_typed(const FolderListing& listing, Commands& commands);
    void aim_at(const FolderListing& listing, const std::filesystem::path& file, Commands& commands);
    void resolve_aim(const FolderListing& listing, Commands& commands);
    void save_to(const FolderListing& listing, const std::filesystem::path& path, bool is_there,
                 Commands& commands);
    void open_files(std::vector<std::filesystem::path> files, Commands& commands);
    void accept(const FolderListing& listing, Commands& commands);
    void list_rows(const FolderListing& listing);
    std::optional<std::size_t> cursor_row() const;
    void choose_row(std::size_t row, bool adds, bool ranges);
    void move_cursor(int rows);
    void handle_keys(const FolderListing& listing, Commands& commands);
    /// The filter, or the file name when saving.
    Field main_field() const { return saves() ? Field::Name : Field::Filter; }
    void give_keyboard(Field field);
    /// Whether this field gets keyboard focus in this frame.
    bool wants_keyboard(Field field) const;

    // Appearance.
    void draw_path(const FolderListing& listing, Commands& commands);
    void draw_filter(const FolderListing& listing, Commands& commands);
    void draw_places(const FolderListing& listing, const std::vector<RecentFile>& recent, Commands& commands);
    void draw_recent(const std::vector<RecentFile>& recent, Commands& commands);
    void draw_list(const FolderListing& listing, Commands& commands);
    void draw_head(float scrollbar);
    void draw_row(const FolderListing& listing, std::size_t row, Commands& commands);
    void draw_message(const FolderListing& listing) const;
    void draw_foot(const FolderListing& listing, Commands& commands);

    PendingSave& pending_;
    QuestionDialog question_;  ///< whether to replace a file

    bool is_open_ = false;
    FolderListing::Purpose purpose_ = FolderListing::Purpose::OpenKernels;
    std::string name_;               ///< of the file to write, as typed
    std::vector<std::string> only_;  ///< requested extensions; kept while all files are shown
    std::string path_text_;
    std::string filter_;
    std::string message_;             ///< why the last request failed
    std::optional<std::string> aim_;  ///< a name to look for in the requested listing
    int keyboard_frames_ = 0;         ///< remaining frames in which `keyboard_field_` requests focus
    Field keyboard_field_ = Field::Filter;
    bool field_is_active_ = false;  ///< filter or name field has keyboard focus
    bool path_is_active_ = false;

    Column sorted_by_ = Column::Name;
    bool descending_ = false;
    std::vector<const FolderEntry*> rows_;  ///< entries of this frame's listing in display order
    std::set<std::filesystem::path> chosen_;
    std::filesystem::path cursor_;  ///< of the row that the arrow keys start from; empty: none
    bool scrolls_to_cursor_ = false;
};

}  // namespace kwb::gui
