// Choosing files to open, and where to write one. Shows DeskState::dialog; reads no disk by itself.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/dialogs/pending_save.hpp"
#include "gui/dialogs/question_dialog.hpp"

namespace kwb::gui {

/// Somebody else than PendingSave who opens the dialog to write a file.
struct SaveTaker {
    std::function<bool(const FolderListing&)> is_for;  ///< is this dialog theirs?
    std::function<void(const std::filesystem::path&, Commands&)> finish;
};

/// Modal, open while the state has a listing. Keys: typing filters (or names the file), Up and Down move in
/// the list, Enter opens or saves, Backspace in an empty filter goes to the folder above, Ctrl+L types the
/// path, Ctrl+H shows hidden files, Escape clears the filter, then closes.
/// Probes: files/title, files/place/<index>, files/crumb/<index>, files/up, files/path, files/type_path,
/// files/filter, files/hidden, files/head/name, …/size, …/changed, files/row/<index in the list as shown>,
/// files/name, files/message, files/ok, files/cancel.
class FileDialog {
public:
    /// @param pending  outlives this
    explicit FileDialog(PendingSave& pending) : pending_(pending) {}

    /// Asked before `pending`.
    void add_taker(SaveTaker taker) { takers_.push_back(std::move(taker)); }

    bool is_open() const { return is_open_; }
    void draw(const DeskState& state, Commands& commands);

private:
    enum class Column { Name, Size, Changed };
    /// A name that is looked for in a listing that has been asked for.
    struct Aim {
        std::string name;
        bool listed = false;  ///< the listing has come
    };

    void begin(const FolderListing& listing);
    void close(Commands& commands);
    void go_to(const std::filesystem::path& folder, bool shows_hidden, Commands& commands);
    void go_to_typed(const FolderListing& listing, Commands& commands);
    void aim_at(const FolderListing& listing, std::string_view name, Commands& commands);
    void resolve_aim(const FolderListing& listing, Commands& commands);
    void finish_saving(const FolderListing& listing, const std::filesystem::path& path, Commands& commands);
    void accept(const FolderListing& listing, Commands& commands);
    void open_files(std::vector<std::filesystem::path> files, Commands& commands);

    void refresh_rows(const DeskState& state);
    void move_cursor(int rows);
    void click_row(const FolderListing& listing, std::size_t row, Commands& commands);

    void draw_heading(const FolderListing& listing, Commands& commands);
    void draw_path(const FolderListing& listing, Commands& commands);
    void draw_crumbs(const FolderListing& listing, float room, Commands& commands);
    void draw_places(const FolderListing& listing, Commands& commands);
    void draw_filter(const FolderListing& listing, Commands& commands);
    void draw_list(const FolderListing& listing, Commands& commands);
    void draw_head();
    void draw_row(const FolderListing& listing, std::size_t row, Commands& commands);
    void draw_foot(const FolderListing& listing, Commands& commands);
    void handle_keys(const FolderListing& listing, Commands& commands);

    PendingSave& pending_;
    std::vector<SaveTaker> takers_;
    QuestionDialog question_;  ///< whether to replace a file

    bool is_open_ = false;
    std::filesystem::path folder_;  ///< of the listing that was drawn last
    std::string name_;              ///< of the file to write, as typed
    std::string path_text_;
    bool types_path_ = false;
    std::string filter_;
    std::string message_;  ///< why the last wish could not be fulfilled
    std::optional<Aim> aim_;
    bool takes_keyboard_ = false;  ///< the filter, or the name, gets the keyboard in the next frame

    Column sorted_by_ = Column::Name;
    bool descending_ = false;
    std::vector<std::size_t> rows_;  ///< of listing.entries, as shown
    std::uint64_t rows_revision_ = 0;
    bool rows_stale_ = true;
    std::set<std::filesystem::path> chosen_;
    std::optional<std::size_t> cursor_;  ///< of `rows_`
    bool scrolls_to_cursor_ = false;
};

}  // namespace kwb::gui
