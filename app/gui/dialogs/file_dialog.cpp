// SPDX-License-Identifier: Apache-2.0
#include "gui/dialogs/file_dialog.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/text.hpp"
#include "gui/fields.hpp"

namespace kwb::gui {
namespace fs = std::filesystem;

namespace {

constexpr int kPatienceFrames = 3;  ///< ImGui moves the focus one or two frames after the request

bool has_one_of(const fs::path& file, const std::vector<std::string>& extensions) {
    const std::string extension = to_lower(file.extension().string());
    return std::ranges::any_of(extensions,
                               [&](const std::string& wanted) { return to_lower(wanted) == extension; });
}

/// Relative paths are relative to the shown folder; the desk expands "~".
fs::path from_folder(const fs::path& folder, const std::string& typed) {
    return typed.starts_with("~") ? fs::path(typed) : folder / typed;
}

/// The folder above; empty for the root.
fs::path parent_of(const fs::path& folder) {
    const fs::path above = folder.parent_path();
    return above == folder ? fs::path() : above;
}

float em() {
    return compat::size_of(*fonts().body);
}

float size_width() {
    return 6 * em();
}

float changed_width() {
    return 9.5f * em();
}

float row_height() {
    return ImGui::GetTextLineHeight() + 2 * tokens().hair;
}

/// Height of the line of text above the buttons, and of the buttons.
float foot_height(bool has_name) {
    const float gap = tokens().gap_small;
    return gap + ImGui::GetTextLineHeight() + (gap + ImGui::GetFrameHeight()) * (has_name ? 2 : 1);
}

}  // namespace

void FileDialog::begin(const FolderListing& listing) {
    is_open_ = true;
    purpose_ = listing.purpose;
    name_ = listing.name;
    only_ = listing.extensions;
    aim_.reset();
    filter_.clear();
    forget_choice();
    give_keyboard(main_field());
    question_.withdraw();
}

void FileDialog::close(Commands& commands) {
    is_open_ = false;
    pending_.drop();
    commands.emplace_back(command::CloseDialog{});
}

void FileDialog::forget_choice() {
    message_.clear();
    chosen_.clear();
    cursor_.clear();
}

void FileDialog::go_to(const fs::path& folder, bool shows_hidden, Commands& commands) {
    commands.emplace_back(command::GoToFolder{folder, shows_hidden});
    filter_.clear();
    forget_choice();
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
    if (saves()) name_ = name;
    aim_ = name;
}

void FileDialog::resolve_aim(const FolderListing& listing, Commands& commands) {
    const std::string name = *std::exchange(aim_, std::nullopt);
    if (!listing.error.empty()) return;  // the list shows the error
    const fs::path path = listing.folder / name;
    const auto found = std::ranges::find(listing.entries, path, &FolderEntry::path);
    const bool is_there = found != listing.entries.end();
    if (is_there && found->is_folder) return go_to(found->path, listing.shows_hidden, commands);
    if (saves()) return save_to(listing, path, is_there, commands);
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
        is_there ? "Replace " + name + "?" : "Does " + name + " already exist?",
        is_there
            ? "A file of this name already exists in " + to_utf8(listing.folder.string()) +
                  ". Its content would be lost."
            : "This folder has more files than the list can show; if one has this name, its content would "
              "be lost.",
        "Replace", kIconSave, save));
}

void FileDialog::open_files(std::vector<fs::path> files, Commands& commands) {
    commands.emplace_back(command::OpenFiles{std::move(files)});
    close(commands);
}

void FileDialog::accept(const FolderListing& listing, Commands& commands) {
    // If nothing is selected, the first match of the filter is used.
    if (!saves() && chosen_.empty() && !filter_.empty() && !rows_.empty()) choose_row(0, false, false);
    std::vector<fs::path> files;
    for (const FolderEntry& entry : listing.entries) {
        if (!chosen_.contains(entry.path)) continue;
        if (!entry.is_folder)
            files.push_back(entry.path);
        else if (chosen_.size() == 1)
            return go_to(entry.path, listing.shows_hidden, commands);
    }
    if (!saves()) {
        if (!files.empty()) open_files(std::move(files), commands);
        return;
    }
    std::string name(trim(name_));
    if (name.empty()) return;
    if (name.ends_with("/") || name == "~")
        return go_to(from_folder(listing.folder, name), listing.shows_hidden, commands);
    if (!listing.extensions.empty() && !has_one_of(name, listing.extensions))
        name += listing.extensions.front();
    aim_at(listing, from_folder(listing.folder, name), commands);
}

void FileDialog::list_rows(const FolderListing& listing) {
    rows_.clear();
    const std::string wanted = to_lower(filter_);
    for (const FolderEntry& entry : listing.entries)
        if (wanted.empty() || to_lower(entry.name).find(wanted) != std::string::npos) rows_.push_back(&entry);
    if (sorted_by_ == Column::Name && !descending_) return;  // as the listing is
    std::stable_sort(rows_.begin(), rows_.end(), [&](const FolderEntry* one, const FolderEntry* other) {
        if (one->is_folder != other->is_folder) return one->is_folder;
        if (descending_) std::swap(one, other);
        switch (sorted_by_) {
            case Column::Name:
                return sorts_before(one->name, other->name);
            case Column::Size:
                return one->bytes < other->bytes;
            case Column::Changed:
                return one->changed < other->changed;
        }
        return false;
    });
}

std::optional<std::size_t> FileDialog::cursor_row() const {
    for (std::size_t row = 0; !cursor_.empty() && row < rows_.size(); ++row)
        if (rows_[row]->path == cursor_) return row;
    return std::nullopt;
}

/// @param adds    toggles this row and keeps the selection (Ctrl)
/// @param ranges  selects all rows from the cursor to this one (Shift)
void FileDialog::choose_row(std::size_t row, bool adds, bool ranges) {
    const FolderEntry& entry = *rows_[row];
    const auto cursor = cursor_row();
    if (!saves() && ranges && cursor) {
        for (std::size_t i = std::min(*cursor, row); i <= std::max(*cursor, row); ++i)
            if (!rows_[i]->is_folder) chosen_.insert(rows_[i]->path);
    } else if (!saves() && adds) {
        if (chosen_.erase(entry.path) == 0) chosen_.insert(entry.path);
    } else {
        chosen_ = {entry.path};
    }
    cursor_ = entry.path;
    message_.clear();
    if (saves() && !entry.is_folder) name_ = entry.path.filename().string();
}

void FileDialog::move_cursor(int rows) {
    if (rows_.empty()) return;
    const auto last = static_cast<long>(rows_.size()) - 1;
    const auto cursor = cursor_row();
    const long from = cursor ? static_cast<long>(*cursor) : rows > 0 ? -1 : last + 1;
    choose_row(static_cast<std::size_t>(std::clamp(from + rows, 0L, last)), false, ImGui::GetIO().KeyShift);
    scrolls_to_cursor_ = true;
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
    if (pressed(plain(Key::Escape))) {
        if (!path_is_active_ && filter_.empty()) return close(commands);
        if (!path_is_active_) filter_.clear();
        return give_keyboard(main_field());  // the path field then shows the folder again
    }
    if (pressed(Action::TypePath)) give_keyboard(Field::Path);
    if (pressed(Action::ShowHidden)) go_to(listing.folder, !listing.shows_hidden, commands);
    if (!field_is_active_) return;
    constexpr int kPage = 10;
    const std::pair<Key, int> moves[] = {
        {Key::Up, -1}, {Key::Down, 1}, {Key::PageUp, -kPage}, {Key::PageDown, kPage}};
    for (const auto& [key, rows] : moves)
        if (compat::is_pressed(key, true)) move_cursor(rows);
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
    if (!path_is_active_) path_text_ = listing.folder.string();
    if (aim_) resolve_aim(listing, commands);
    if (!is_open_) return;
    list_rows(listing);

    const Modal modal("files", {60 * em(), 44 * em()});
    if (!modal.visible) return;
    if (!question_.is_open()) handle_keys(listing, commands);
    draw_path(listing, commands);
    draw_filter(listing, commands);
    draw_places(listing, state.recent, commands);
    ImGui::SameLine();
    draw_list(listing, commands);
    draw_foot(listing, commands);
    question_.draw(commands);
    if (keyboard_frames_ > 0) --keyboard_frames_;
    if (!is_open_) ImGui::CloseCurrentPopup();
}

void FileDialog::draw_path(const FolderListing& listing, Commands& commands) {
    constexpr const char* kTitles[] = {"Open kernels", "Save the source as", "Export to a file",
                                       "Open an experiment", "Save the experiment as"};
    text("files/title", kTitles[static_cast<std::size_t>(purpose_)], {.font = fonts().title});
    const fs::path above = parent_of(listing.folder);
    if (button("files/up", "Up",
               {.icon = kIconUp, .enabled = !above.empty(), .tooltip = "The folder above (Backspace)"}))
        go_to(above, listing.shows_hidden, commands);
    ImGui::SameLine(0, tokens().gap_small);
    const TextFieldState typed = text_field("files/path", path_text_,
                                            {.icon = kIconFolderOpen,
                                             .hint = "Path of a folder or file",
                                             .takes_keyboard = wants_keyboard(Field::Path),
                                             .selects_all = true});
    path_is_active_ = typed.active;
    if (typed.entered) go_to_typed(listing, commands);
}

void FileDialog::draw_filter(const FolderListing& listing, Commands& commands) {
    const char* const labels[] = {"Show hidden files", "Hide hidden files"};
    const float width = std::max(button_width(labels[0], kIconEye), button_width(labels[1], kIconEye));
    const float gap = tokens().gap_small;
    const bool was_empty = filter_.empty();
    const TextFieldState typed = text_field("files/filter", filter_,
                                            {.icon = kIconSearch,
                                             .hint = "Type to filter",
                                             .width = -(width + gap),
                                             .takes_keyboard = wants_keyboard(Field::Filter),
                                             .keeps_up_and_down = true});
    field_is_active_ = typed.active;
    if (typed.changed) forget_choice();
    if (typed.entered) {
        accept(listing, commands);
        give_keyboard(main_field());
    }
    const fs::path above = parent_of(listing.folder);
    if (typed.active && was_empty && !typed.changed && compat::is_pressed(Key::Backspace, false) &&
        !above.empty())
        go_to(above, listing.shows_hidden, commands);
    ImGui::SameLine(0, gap);
    if (button("files/hidden", labels[listing.shows_hidden ? 1 : 0],
               {.icon = kIconEye, .width = width, .tooltip = keys_of(Action::ShowHidden)}))
        go_to(listing.folder, !listing.shows_hidden, commands);
}

void FileDialog::draw_places(const FolderListing& listing, const std::vector<RecentFile>& recent,
                             Commands& commands) {
    const Card card("files/places", {10 * em(), -foot_height(saves())}, "Places");
    if (!card.visible) return;
    const char* home = std::getenv("HOME");
    const float room = ImGui::GetContentRegionAvail().x;
    const float around =
        ImGui::CalcTextSize(with_icon(kIconFolderOpen, "").c_str()).x + 2 * tokens().control_padding_x;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(tokens().gap_small, tokens().hair));
    ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, ImVec2(0, 0.5f));
    for (std::size_t i = 0; i < listing.places.size(); ++i) {
        const fs::path& place = listing.places[i];
        std::string name = to_utf8(place.filename().string());
        if (home != nullptr && place == home) name = "Home";
        if (button("files/place/" + std::to_string(i), shortened(name.empty() ? "/" : name, room - around),
                   {.icon = kIconFolderOpen,
                    .kind = place == listing.folder ? ButtonKind::Normal : ButtonKind::Quiet,
                    .width = room,
                    .tooltip = to_utf8(place.string())}))
            go_to(place, listing.shows_hidden, commands);
    }
    if (!saves()) draw_recent(recent, commands);
    ImGui::PopStyleVar(2);
}

/// The recent files that this dialog can open.
void FileDialog::draw_recent(const std::vector<RecentFile>& recent, Commands& commands) {
    const float room = ImGui::GetContentRegionAvail().x;
    const float around =
        ImGui::CalcTextSize(with_icon(kIconFile, "").c_str()).x + 2 * tokens().control_padding_x;
    constexpr std::size_t kMostShown = 8;
    std::size_t shown = 0;
    for (std::size_t i = 0; i < recent.size() && shown < kMostShown; ++i) {
        const RecentFile& file = recent[i];
        if (!has_one_of(file.path, only_)) continue;
        if (shown++ == 0) field_label("files/recent", "Recent");
        const std::string name = to_utf8(file.path.filename().string());
        if (!button("files/recent/" + std::to_string(i), shortened(name, room - around),
                    {.icon = kIconFile,
                     .kind = ButtonKind::Quiet,
                     .width = room,
                     .tooltip = to_utf8(file.path.string()) + (file.is_there ? "" : " no longer exists"),
                     .tone = file.is_there ? Tone::Normal : Tone::Muted}))
            continue;
        commands.emplace_back(command::OpenRecent{file.path});
        if (file.is_there) close(commands);
    }
}

void FileDialog::draw_head(float scrollbar) {
    const float name_width = ImGui::GetContentRegionAvail().x - scrollbar - size_width() - changed_width();
    const auto head = [&](const char* id, const char* label, Column column, float width) {
        const bool sorts = sorted_by_ == column;
        const char* icon = !sorts ? nullptr : descending_ ? kIconDown : kIconUp;
        if (!button(id, label, {.icon = icon, .kind = ButtonKind::Quiet, .width = width})) return;
        descending_ = sorts ? !descending_ : column == Column::Changed;  // newest first
        sorted_by_ = column;
    };
    ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, ImVec2(0, 0.5f));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(tokens().gap_small, tokens().hair));
    head("files/head/name", "Name", Column::Name, name_width);
    ImGui::SameLine(0, 0);
    head("files/head/size", "Size", Column::Size, size_width());
    ImGui::SameLine(0, 0);
    head("files/head/changed", "Changed", Column::Changed, changed_width());
    ImGui::PopStyleVar(2);
}

void FileDialog::draw_list(const FolderListing& listing, Commands& commands) {
    const Card card("files/list", {0, -foot_height(saves())});
    if (!card.visible) return;
    const float height = row_height();
    const float rows_room = ImGui::GetContentRegionAvail().y - height - 2 * ImGui::GetStyle().ItemSpacing.y;
    const bool scrolls = static_cast<float>(rows_.size()) * height > rows_room;
    draw_head(scrolls ? ImGui::GetStyle().ScrollbarSize : 0);
    ImGui::Separator();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));  // rows would grow by the spacing
    ImGui::PushItemFlag(ImGuiItemFlags_NoNav, true);               // the dialog has its own cursor
    compat::begin_child("rows", {0, 0}, false);
    if (!listing.error.empty())
        empty_state("files/error", kIconWarning, "Cannot show this folder", listing.error);
    else if (rows_.empty())
        empty_state(
            "files/empty", kIconFolderOpen, listing.entries.empty() ? "Nothing here" : "Nothing matches",
            !listing.entries.empty() ? "Press Esc to see everything again."
            : listing.extensions.empty()
                ? "This folder is empty."
                : "This folder has no subfolders and no " + enumerate(listing.extensions, "or") + " files.");
    if (const auto cursor = cursor_row(); cursor && std::exchange(scrolls_to_cursor_, false)) {
        const float top = static_cast<float>(*cursor) * height, shown = ImGui::GetWindowHeight();
        if (top < ImGui::GetScrollY()) ImGui::SetScrollY(top);
        if (top + height > ImGui::GetScrollY() + shown) ImGui::SetScrollY(top + height - shown);
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows_.size()), height);
    while (clipper.Step())
        for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
            draw_row(listing, static_cast<std::size_t>(row), commands);
    ImGui::EndChild();
    ImGui::PopItemFlag();
    ImGui::PopStyleVar();
}

void FileDialog::draw_row(const FolderListing& listing, std::size_t row, Commands& commands) {
    const FolderEntry& entry = *rows_[row];
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, columns = size_width() + changed_width();
    const std::string id = "files/row/" + std::to_string(row);
    const bool is_pressed = ImGui::Selectable(("##" + id).c_str(), chosen_.contains(entry.path),
                                              ImGuiSelectableFlags_AllowDoubleClick, {width, row_height()});
    const std::string name = shortened(with_icon(entry.is_folder ? kIconFolderOpen : kIconFile, entry.name),
                                       width - columns - tokens().gap_small);
    probe(id, {.label = name, .label_padding = columns});
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float y = corner.y + tokens().hair;
    const ImU32 muted = colors().text_muted.u32();
    list.AddText({corner.x + tokens().gap_small, y}, colors().text.u32(), name.c_str());
    const float size_x = corner.x + width - columns + tokens().gap_small;
    if (!entry.is_folder) list.AddText({size_x, y}, muted, format_bytes(entry.bytes).c_str());
    if (entry.changed)
        list.AddText({size_x + size_width(), y}, muted, local_time(*entry.changed, "%Y-%m-%d %H:%M").c_str());
    if (!is_pressed) return;
    const ImGuiIO& io = ImGui::GetIO();
    choose_row(row, io.KeyCtrl, io.KeyShift);
    give_keyboard(main_field());
    if (ImGui::IsMouseDoubleClicked(0) && !io.KeyCtrl && !io.KeyShift) accept(listing, commands);
}

void FileDialog::draw_message(const FolderListing& listing) const {
    std::string words = counted(rows_.size(), "line") + ".";
    if (!message_.empty())
        words = message_;
    else if (listing.left_out > 0)
        words = std::to_string(listing.left_out) + " more are not listed; type the path to reach them.";
    else if (!saves() && chosen_.size() > 1)
        words = counted(chosen_.size(), "file") + " chosen.";
    else if (!listing.extensions.empty())
        words = "Only " + enumerate(listing.extensions, "and") + " files are listed.";
    text("files/message", words, {.tone = message_.empty() ? Tone::Muted : Tone::Warning, .shortens = true});
}

void FileDialog::draw_foot(const FolderListing& listing, Commands& commands) {
    const float gap = tokens().gap_small;
    draw_message(listing);
    if (saves()) {
        ImGui::AlignTextToFramePadding();
        text("files/name_label", "Name");
        ImGui::SameLine(0, gap);
        const TextFieldState typed = text_field(
            "files/name", name_,
            {.hint = "file name", .takes_keyboard = wants_keyboard(Field::Name), .keeps_up_and_down = true});
        field_is_active_ = field_is_active_ || typed.active;
        if (typed.changed) forget_choice();
        if (typed.entered) accept(listing, commands);
    } else if (!only_.empty()) {
        const bool all = listing.extensions.empty();
        if (tick("files/all", "All files", all,
                 "Show every file, not only " + enumerate(only_, "and") + " files")) {
            commands.emplace_back(
                command::OpenDialog{purpose_, "", all ? only_ : std::vector<std::string>{}});
            go_to(listing.folder, listing.shows_hidden, commands);
        }
        ImGui::SameLine();
    }
    const char* verb = saves() ? "Save" : "Open";
    const char* icon = saves() ? kIconSave : kIconFolderOpen;
    const float widths = button_width("Cancel") + gap + button_width(verb, icon);
    align_right(widths);
    if (button("files/cancel", "Cancel")) close(commands);
    ImGui::SameLine(0, gap);
    const bool can_accept = saves() ? !trim(name_).empty() && listing.error.empty() : !chosen_.empty();
    if (button("files/ok", verb, {.icon = icon, .kind = ButtonKind::Primary, .enabled = can_accept}))
        accept(listing, commands);
}

}  // namespace kwb::gui
