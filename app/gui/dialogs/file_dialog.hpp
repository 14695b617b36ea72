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
/// Probes: files/title, files/place/<index>, files/up, files/path, files/filter, files/hidden,
/// files/head/name, …/size, …/changed, files/row/<index in the list as shown>, files/name, files/all,
/// files/message, files/ok, files/cancel.
class FileDialog {
public:
    /// @param pending  must outlive this object
    explicit FileDialog(PendingSave& pending) : pending_(pending) {}

    bool is_open() const { return is_open_; }
    void draw(const DeskState& state, Commands& commands);

private:
    enum class Column { Name, Size, Changed };

    // file_dialog.cpp: behaviour
    void begin(const FolderListing& listing);
    void close(Commands& commands);
    void go_to(const std::filesystem::path& folder, bool shows_hidden, Commands& commands);
    void go_to_typed(const FolderListing& listing, Commands& commands);
    void aim_at(const FolderListing& listing, const std::filesystem::path& file, Commands& commands);
    void resolve_aim(const FolderListing& listing, Commands& commands);
    void save_to(const FolderListing& listing, const std::filesystem::path& path, bool is_there,
                 Commands& commands);
    void open_files(std::vector<std::filesystem::path> files, Commands& commands);
    void accept(const FolderListing& listing, Commands& commands);
    bool can_accept(const FolderListing& listing) const;
    void refresh_rows(const DeskState& state);
    void sort_by(Column column);
    void choose_row(const FolderListing& listing, std::size_t row, bool adds, bool ranges);
    void move_cursor(const FolderListing& listing, int rows);
    void handle_keys(const FolderListing& listing, Commands& commands);

    // file_dialog_draw.cpp: appearance
    void draw_path(const FolderListing& listing, Commands& commands);
    void draw_filter(const FolderListing& listing, Commands& commands);
    void draw_places(const FolderListing& listing, Commands& commands);
    void draw_list(const FolderListing& listing, Commands& commands);
    void draw_head(float size_column, float changed_column, float scrollbar);
    void draw_row(const FolderListing& listing, std::size_t row, float size_column, float changed_column,
                  Commands& commands);
    void draw_foot(const FolderListing& listing, Commands& commands);
    enum class Field { Path, Filter, Name };
    /// Whether this field gets keyboard focus in this frame.
    bool wants_keyboard(Field field) const;
    void give_keyboard(Field field);
    /// The filter, or the file name when saving.
    Field main_field() const;

    PendingSave& pending_;
    QuestionDialog question_;  ///< whether to replace a file

    bool is_open_ = false;
    FolderListing::Purpose purpose_ = FolderListing::Purpose::OpenKernels;
    std::filesystem::path folder_;   ///< of the listing drawn last
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
    std::vector<std::size_t> rows_;  ///< indices into listing.entries in display order
    std::uint64_t rows_revision_ = 0;
    bool rows_stale_ = true;
    std::set<std::filesystem::path> chosen_;
    std::optional<std::size_t> cursor_;  ///< index into `rows_`
    bool scrolls_to_cursor_ = false;
};

}  // namespace kwb::gui
