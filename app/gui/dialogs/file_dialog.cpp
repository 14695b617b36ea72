#include "gui/dialogs/file_dialog.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "gui/dialogs/modal.hpp"
#include "gui/imgui_compat.hpp"
#include "gui/keys.hpp"

namespace kwb::gui {
namespace fs = std::filesystem;

namespace {

using Purpose = FolderListing::Purpose;

constexpr int kPatienceFrames = 3;  ///< ImGui moves the focus one or two frames after the request

bool has_one_of(const fs::path& file, const std::vector<std::string>& extensions) {
    const std::string extension = to_lower(file.extension().string());
    return std::any_of(extensions.begin(), extensions.end(),
                       [&](const std::string& wanted) { return to_lower(wanted) == extension; });
}

/// Relative paths are relative to the shown folder; the desk expands "~".
fs::path from_folder(const fs::path& folder, const std::string& typed) {
    return typed.starts_with("~") ? fs::path(typed) : folder / typed;
}

}  // namespace

void FileDialog::begin(const FolderListing& listing) {
    is_open_ = true;
    purpose_ = listing.purpose;
    folder_ = listing.folder;
    name_ = listing.name;
    only_ = listing.extensions;
    filter_.clear();
    message_.clear();
    aim_.reset();
    chosen_.clear();
    cursor_.reset();
    rows_stale_ = true;
    give_keyboard(main_field());
    question_.withdraw();
}

void FileDialog::close(Commands& commands) {
    is_open_ = false;
    pending_.drop();
    commands.emplace_back(command::CloseDialog{});
}

void FileDialog::go_to(const fs::path& folder, bool shows_hidden, Commands& commands) {
    commands.emplace_back(command::GoToFolder{folder, shows_hidden});
    filter_.clear();
    message_.clear();
    chosen_.clear();
    cursor_.reset();
    rows_stale_ = true;
    give_keyboard(main_field());
}

void FileDialog::go_to_typed(const FolderListing& listing, Commands& commands) {
    const std::string typed(trim(path_text_));
    if (typed.empty()) return;
    const fs::path path = from_folder(listing.folder, typed);
    // A name with a requested extension is a file, not a folder.
    if (has_one_of(path, only_))
        aim_at(listing, path, commands);
    else
        go_to(path, listing.shows_hidden, commands);
}

/// Requests a listing of the file's folder, to find out whether the file exists.
void FileDialog::aim_at(const FolderListing& listing, const fs::path& file, Commands& commands) {
    const std::string name = file.filename().string();
    go_to(file.parent_path(), listing.shows_hidden || name.starts_with("."), commands);
    if (purpose_ != Purpose::OpenKernels) name_ = name;
    aim_ = name;
}

void FileDialog::resolve_aim(const FolderListing& listing, Commands& commands) {
    const std::string name = *std::exchange(aim_, std::nullopt);
    if (!listing.error.empty()) return;  // the list shows the error
    const fs::path path = listing.folder / name;
    const auto found = std::find_if(listing.entries.begin(), listing.entries.end(),
                                    [&](const FolderEntry& entry) { return entry.path == path; });
    const bool is_there = found != listing.entries.end();
    if (is_there && found->is_folder) return go_to(found->path, listing.shows_hidden, commands);
    if (purpose_ != Purpose::OpenKernels) return save_to(listing, path, is_there, commands);
    if (is_there || listing.left_out > 0) return open_files({path}, commands);
    message_ = to_utf8(name) + " is not in this folder; choose a file from the list.";
}

void FileDialog::save_to(const FolderListing& listing, const fs::path& path, bool is_there,
                         Commands& commands) {
    const auto save = [this, path, expected = pending_.is_for(listing)](Commands& wanted) {
        is_open_ = false;
        if (expected) pending_.finish(path, wanted);
        wanted.emplace_back(command::CloseDialog{});
    };
    if (!is_there && listing.left_out == 0) return save(commands);
    const std::string name = to_utf8(path.filename().string());
    question_.ask(confirm(
        is_there ? "Replace " + name + "?" : "Is " + name + " there already?",
        is_there ? "A file of this name is there already, in " + to_utf8(listing.folder.string()) +
                       ". Its content would be lost."
                 : "This folder holds more files than can be listed; if one has this name, its content would "
                   "be lost.",
        "Replace", kIconSave, save));
}

void FileDialog::open_files(std::vector<fs::path> files, Commands& commands) {
    commands.emplace_back(command::OpenFiles{std::move(files)});
    close(commands);
}

bool FileDialog::can_accept(const FolderListing& listing) const {
    if (purpose_ == Purpose::OpenKernels) return !chosen_.empty();
    return !trim(name_).empty() && listing.error.empty();
}

void FileDialog::accept(const FolderListing& listing, Commands& commands) {
    const bool saves = purpose_ != Purpose::OpenKernels;
    // If nothing is selected, the first match of the filter is used.
    if (!saves && chosen_.empty() && !filter_.empty() && !rows_.empty()) choose_row(listing, 0, false, false);
    std::vector<fs::path> files;
    const FolderEntry* folder = nullptr;
    for (const FolderEntry& entry : listing.entries) {
        if (chosen_.count(entry.path) == 0) continue;
        if (entry.is_folder)
            folder = &entry;
        else
            files.push_back(entry.path);
    }
    if (folder != nullptr && chosen_.size() == 1) return go_to(folder->path, listing.shows_hidden, commands);
    if (!saves) {
        if (!files.empty()) open_files(std::move(files), commands);
        return;
    }
    std::string name(trim(name_));
    if (name.empty() || name.ends_with("/") || name == "~")
        return name.empty() ? void()
                            : go_to(from_folder(listing.folder, name), listing.shows_hidden, commands);
    if (!listing.extensions.empty() && !has_one_of(name, listing.extensions))
        name += listing.extensions.front();
    aim_at(listing, from_folder(listing.folder, name), commands);
}

void FileDialog::sort_by(Column column) {
    descending_ = sorted_by_ == column ? !descending_ : column == Column::Changed;  // newest first
    sorted_by_ = column;
    rows_stale_ = true;
}

void FileDialog::refresh_rows(const DeskState& state) {
    const FolderListing& listing = *state.dialog;
    if (!rows_stale_ && rows_revision_ == state.revision) return;
    std::optional<fs::path> at_cursor;
    if (cursor_ && *cursor_ < rows_.size() && rows_[*cursor_] < listing.entries.size())
        at_cursor = listing.entries[rows_[*cursor_]].path;
    rows_.clear();
    const std::string wanted = to_lower(filter_);
    for (std::size_t i = 0; i < listing.entries.size(); ++i)
        if (wanted.empty() || to_lower(listing.entries[i].name).find(wanted) != std::string::npos)
            rows_.push_back(i);
    // The listing is sorted by name, so a stable sort keeps equal items in that order.
    const auto& entries = listing.entries;
    std::stable_sort(rows_.begin(), rows_.end(), [&](std::size_t a, std::size_t b) {
        const FolderEntry &one = entries[a], &other = entries[b];
        if (one.is_folder != other.is_folder) return one.is_folder;
        const FolderEntry& less = descending_ ? other : one;
        const FolderEntry& more = descending_ ? one : other;
        switch (sorted_by_) {
            case Column::Name:
                return descending_ && sorts_before(less.name, more.name);
            case Column::Size:
                return less.bytes < more.bytes;
            case Column::Changed:
                return less.changed < more.changed;
        }
        return false;
    });
    cursor_.reset();
    for (std::size_t row = 0; at_cursor && row < rows_.size(); ++row)
        if (entries[rows_[row]].path == *at_cursor) cursor_ = row;
    // Deselect files that are no longer listed, so that they cannot be opened.
    for (auto at = chosen_.begin(); at != chosen_.end();) {
        const bool is_shown =
            std::any_of(rows_.begin(), rows_.end(), [&](std::size_t i) { return entries[i].path == *at; });
        at = is_shown ? std::next(at) : chosen_.erase(at);
    }
    rows_revision_ = state.revision;
    rows_stale_ = false;
}

/// @param adds    toggles this row and keeps the selection (Ctrl)
/// @param ranges  selects all rows from the cursor to this one (Shift)
void FileDialog::choose_row(const FolderListing& listing, std::size_t row, bool adds, bool ranges) {
    const bool several = purpose_ == Purpose::OpenKernels;
    const FolderEntry& entry = listing.entries[rows_[row]];
    if (several && ranges && cursor_) {
        const auto [first, last] = std::minmax(*cursor_, row);
        for (std::size_t i = first; i <= last; ++i)
            if (!listing.entries[rows_[i]].is_folder) chosen_.insert(listing.entries[rows_[i]].path);
    } else if (several && adds) {
        if (chosen_.erase(entry.path) == 0) chosen_.insert(entry.path);
    } else {
        chosen_ = {entry.path};
    }
    cursor_ = row;
    message_.clear();
    if (!several && !entry.is_folder) name_ = entry.path.filename().string();
}

void FileDialog::move_cursor(const FolderListing& listing, int rows) {
    if (rows_.empty()) return;
    const auto last = static_cast<long>(rows_.size()) - 1;
    const long from = cursor_ ? static_cast<long>(*cursor_) : rows > 0 ? -1 : last + 1;
    const long to = std::clamp(from + rows, 0L, last);
    choose_row(listing, static_cast<std::size_t>(to), false, ImGui::GetIO().KeyShift);
    scrolls_to_cursor_ = true;
}

FileDialog::Field FileDialog::main_field() const {
    return purpose_ == Purpose::OpenKernels ? Field::Filter : Field::Name;
}

void FileDialog::give_keyboard(Field field) {
    keyboard_field_ = field;
    keyboard_frames_ = kPatienceFrames;
}

bool FileDialog::wants_keyboard(Field field) const {
    if (keyboard_frames_ == 0 || question_.is_open() || field != keyboard_field_) return false;
    return field == Field::Path ? !path_is_active_ : !field_is_active_;
}

void FileDialog::handle_keys(const FolderListing& listing, Commands& commands) {
    const bool elsewhere = ImGui::GetIO().WantTextInput && !field_is_active_;  // the path is being edited
    if (pressed(plain(Key::Escape))) {
        if (path_is_active_) {
            give_keyboard(main_field());  // the path field then shows the folder again
        } else if (!filter_.empty()) {
            filter_.clear();
            rows_stale_ = true;
            give_keyboard(main_field());
        } else {
            close(commands);
        }
        return;
    }
    if (pressed(Action::TypePath)) give_keyboard(Field::Path);
    if (pressed(Action::ShowHidden)) go_to(listing.folder, !listing.shows_hidden, commands);
    if (elsewhere || !field_is_active_) return;
    constexpr int kPage = 10;
    const std::pair<Key, int> moves[] = {
        {Key::Up, -1}, {Key::Down, 1}, {Key::PageUp, -kPage}, {Key::PageDown, kPage}};
    for (const auto& [key, rows] : moves)
        if (compat::is_pressed(key, true)) move_cursor(listing, rows);
}

void FileDialog::draw(const DeskState& state, Commands& commands) {
    if (!state.dialog) {
        if (is_open_) pending_.drop();  // closed by another command
        is_open_ = false;
        question_.withdraw();
        return;
    }
    const FolderListing& listing = *state.dialog;
    if (!is_open_ || purpose_ != listing.purpose) begin(listing);
    if (folder_ != listing.folder) {
        folder_ = listing.folder;
        rows_stale_ = true;
    }
    if (!path_is_active_) path_text_ = listing.folder.string();
    if (aim_) resolve_aim(listing, commands);
    if (!is_open_) return;
    refresh_rows(state);

    const float em = compat::size_of(*look().fonts().body);
    const Modal modal("files", {60 * em, 44 * em});
    if (!modal.visible) return;
    if (!question_.is_open()) handle_keys(listing, commands);
    draw_path(listing, commands);
    draw_filter(listing, commands);
    draw_places(listing, commands);
    ImGui::SameLine();
    draw_list(listing, commands);
    draw_foot(listing, commands);
    question_.draw(commands);
    if (keyboard_frames_ > 0) --keyboard_frames_;
    if (!is_open_) Modal::close();
}

}  // namespace kwb::gui
