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

bool is_path(std::string_view typed) {
    return typed.starts_with("~") || typed.find('/') != std::string_view::npos;
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

/// Height of the line of text above the buttons, and of the buttons.
float foot_height() {
    return 2 * tokens().gap_small + ImGui::GetTextLineHeight() + ImGui::GetFrameHeight();
}

}  // namespace

void FileDialog::begin(const FolderListing& listing) {
    is_open_ = true;
    purpose_ = listing.purpose;
    typed_ = listing.name;
    aim_.reset();
    message_.clear();
    chosen_.clear();
    keyboard_frames_ = kPatienceFrames;
    question_.withdraw();
}

void FileDialog::close(Commands& commands) {
    is_open_ = false;
    pending_.drop();
    commands.emplace_back(command::CloseDialog{});
}

void FileDialog::go_to(const fs::path& folder, bool shows_hidden, Commands& commands) {
    commands.emplace_back(command::GoToFolder{folder, shows_hidden});
    if (!saves()) typed_.clear();
    message_.clear();
    chosen_.clear();
    keyboard_frames_ = kPatienceFrames;
}

/// Requests a listing of the file's folder, to find out whether the file exists.
void FileDialog::aim_at(const fs::path& file, Commands& commands) {
    const std::string name = file.filename().string();
    go_to(file.parent_path(), name.starts_with("."), commands);
    if (saves()) typed_ = name;
    aim_ = name;
}

void FileDialog::resolve_aim(const FolderListing& listing, Commands& commands) {
    const std::string name = *std::exchange(aim_, std::nullopt);
    if (!listing.error.empty()) return;  // the list shows the error
    const fs::path path = listing.folder / name;
    const auto found = std::ranges::find(listing.entries, path, &FolderEntry::path);
    const bool is_there = found != listing.entries.end();
    if (is_there && found->is_folder) return go_to(found->path, false, commands);
    if (saves()) return save_to(listing, path, is_there, commands);
    if (is_there || listing.left_out > 0) return open_file(path, commands);
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

void FileDialog::open_file(fs::path file, Commands& commands) {
    commands.emplace_back(command::OpenFiles{{std::move(file)}});
    close(commands);
}

void FileDialog::accept(const FolderListing& listing, Commands& commands) {
    std::string name(trim(typed_));
    const bool types_path = is_path(name);
    // If nothing is chosen, the first match of the filter is used.
    if (!saves() && !types_path && chosen_.empty() && !name.empty() && !rows_.empty()) choose(*rows_.front());
    const auto chosen = std::ranges::find(listing.entries, chosen_, &FolderEntry::path);
    if (chosen != listing.entries.end() && chosen->is_folder) return go_to(chosen->path, false, commands);
    if (!saves() && !types_path) {
        if (chosen != listing.entries.end()) open_file(chosen->path, commands);
        return;
    }
    if (name.empty()) return;
    if (name.ends_with("/") || name == "~" || (!saves() && !has_one_of(name, listing.extensions)))
        return go_to(from_folder(listing.folder, name), false, commands);
    if (!listing.extensions.empty() && !has_one_of(name, listing.extensions))
        name += listing.extensions.front();
    aim_at(from_folder(listing.folder, name), commands);
}

void FileDialog::list_rows(const FolderListing& listing) {
    rows_.clear();
    const std::string filter = saves() || is_path(typed_) ? "" : to_lower(typed_);
    for (const FolderEntry& entry : listing.entries)
        if (to_lower(entry.name).find(filter) != std::string::npos) rows_.push_back(&entry);
}

void FileDialog::choose(const FolderEntry& entry) {
    chosen_ = entry.path;
    message_.clear();
    if (saves() && !entry.is_folder) typed_ = entry.path.filename().string();
}

void FileDialog::move_cursor(int rows) {
    if (rows_.empty()) return;
    const auto last = static_cast<long>(rows_.size()) - 1;
    const auto at = std::ranges::find(rows_, chosen_, &FolderEntry::path) - rows_.begin();
    const long from = at <= last ? at : rows > 0 ? -1 : last + 1;
    choose(*rows_[static_cast<std::size_t>(std::clamp(from + rows, 0L, last))]);
    scrolls_to_chosen_ = true;
}

void FileDialog::handle_keys(Commands& commands) {
    if (pressed(plain(Key::Escape))) {
        if (saves() || typed_.empty()) return close(commands);
        typed_.clear();
        keyboard_frames_ = kPatienceFrames;
    }
    if (!has_keyboard_) return;
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
    if (aim_) resolve_aim(listing, commands);
    if (!is_open_) return;
    list_rows(listing);

    const float em = compat::size_of(*fonts().body);
    const Modal modal("files", {54 * em, 40 * em});
    if (!modal.visible) return;
    if (!question_.is_open()) handle_keys(commands);
    draw_head(listing, commands);
    draw_places(listing, commands);
    ImGui::SameLine();
    draw_list(listing, commands);
    draw_foot(listing, commands);
    question_.draw(commands);
    if (keyboard_frames_ > 0) --keyboard_frames_;
    if (!is_open_) ImGui::CloseCurrentPopup();
}

void FileDialog::draw_head(const FolderListing& listing, Commands& commands) {
    constexpr const char* kTitles[] = {"Open kernels", "Save the source as", "Export to a file",
                                       "Open an experiment", "Save the experiment as"};
    text("files/title", kTitles[static_cast<std::size_t>(purpose_)], {.font = fonts().title});
    const fs::path above = parent_of(listing.folder);
    if (button("files/up", "Up",
               {.icon = kIconUp, .enabled = !above.empty(), .tooltip = "The folder above (Backspace)"}))
        go_to(above, false, commands);
    ImGui::SameLine(0, tokens().gap_small);
    const std::string folder = to_utf8(listing.folder.string());
    const std::string end = end_of_path(folder, ImGui::GetContentRegionAvail().x);
    text("files/path", end.empty() ? to_utf8(listing.folder.filename().string()) : end,
         {.tone = Tone::Muted, .shortens = true});
    tooltip(folder);

    const bool was_empty = typed_.empty();
    const TextFieldState field =
        text_field("files/name", typed_,
                   {.icon = saves() ? kIconFile : kIconSearch,
                    .hint = saves() ? "File name, or a path" : "Type to filter, or a path",
                    .takes_keyboard = keyboard_frames_ > 0 && !question_.is_open() && !has_keyboard_,
                    .keeps_up_and_down = true});
    has_keyboard_ = field.active;
    if (field.changed) {
        message_.clear();
        chosen_.clear();
        list_rows(listing);
    }
    if (field.entered) {
        accept(listing, commands);
        keyboard_frames_ = kPatienceFrames;
    }
    if (field.active && was_empty && !field.changed && compat::is_pressed(Key::Backspace, false) &&
        !above.empty())
        go_to(above, false, commands);
}

void FileDialog::draw_places(const FolderListing& listing, Commands& commands) {
    const Card card("files/places", {10 * compat::size_of(*fonts().body), -foot_height()}, "Places");
    if (!card.visible) return;
    const char* home = std::getenv("HOME");
    const float room = ImGui::GetContentRegionAvail().x;
    const float around = button_width("", kIconFolderOpen);
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
            go_to(place, false, commands);
    }
    ImGui::PopStyleVar(2);
}

void FileDialog::draw_list(const FolderListing& listing, Commands& commands) {
    const Card card("files/list", {0, -foot_height()});
    if (!card.visible) return;
    if (!listing.error.empty())
        empty_state("files/error", kIconWarning, "Cannot show this folder", listing.error);
    else if (rows_.empty())
        empty_state(
            "files/empty", kIconFolderOpen, listing.entries.empty() ? "Nothing here" : "Nothing matches",
            !listing.entries.empty() ? "Press Esc to see everything again."
            : listing.extensions.empty()
                ? "This folder is empty."
                : "This folder has no subfolders and no " + enumerate(listing.extensions, "or") + " files.");
    const float height = ImGui::GetTextLineHeightWithSpacing(), top = ImGui::GetCursorPosY();
    ImGui::PushItemFlag(ImGuiItemFlags_NoNav, true);  // the dialog has its own cursor
    const FolderEntry* pressed_row = nullptr;
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows_.size()), height);
    while (clipper.Step())
        for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row) {
            const FolderEntry& entry = *rows_[static_cast<std::size_t>(row)];
            const std::string id = "files/row/" + std::to_string(row);
            const std::string words =
                shortened(with_icon(entry.is_folder ? kIconFolderOpen : kIconFile, entry.name),
                          ImGui::GetContentRegionAvail().x);
            if (ImGui::Selectable((words + "###" + id).c_str(), chosen_ == entry.path,
                                  ImGuiSelectableFlags_AllowDoubleClick))
                pressed_row = &entry;
            probe(id, {.label = words});
        }
    ImGui::PopItemFlag();
    if (std::exchange(scrolls_to_chosen_, false)) {
        const auto row = std::ranges::find(rows_, chosen_, &FolderEntry::path) - rows_.begin();
        const float begin = top + static_cast<float>(row) * height,
                    shown = ImGui::GetWindowHeight() - 2 * top;
        ImGui::SetScrollY(
            std::clamp(ImGui::GetScrollY(), std::max(0.0f, begin - top + height - shown), begin - top));
    }
    if (pressed_row == nullptr) return;
    choose(*pressed_row);
    keyboard_frames_ = kPatienceFrames;
    if (ImGui::IsMouseDoubleClicked(0)) accept(listing, commands);
}

void FileDialog::draw_foot(const FolderListing& listing, Commands& commands) {
    std::string words = counted(rows_.size(), "line") + ".";
    if (!message_.empty())
        words = message_;
    else if (listing.left_out > 0)
        words = std::to_string(listing.left_out) + " more are not listed; type the path to reach them.";
    else if (!listing.extensions.empty())
        words = "Only " + enumerate(listing.extensions, "and") + " files are listed.";
    text("files/message", words, {.tone = message_.empty() ? Tone::Muted : Tone::Warning, .shortens = true});
    const char* verb = saves() ? "Save" : "Open";
    const char* icon = saves() ? kIconSave : kIconFolderOpen;
    align_right(button_width("Cancel") + tokens().gap_small + button_width(verb, icon));
    if (button("files/cancel", "Cancel")) close(commands);
    ImGui::SameLine(0, tokens().gap_small);
    const bool can_accept =
        saves() ? !trim(typed_).empty() && listing.error.empty() : !chosen_.empty() || is_path(typed_);
    if (button("files/ok", verb, {.icon = icon, .kind = ButtonKind::Primary, .enabled = can_accept}))
        accept(listing, commands);
}

}  // namespace kwb::gui
