// Drawing of the file dialog.
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "gui/dialogs/file_dialog.hpp"
#include "gui/fields.hpp"
#include "gui/keys.hpp"

namespace kwb::gui {
namespace fs = std::filesystem;

namespace {

using Purpose = FolderListing::Purpose;

const char* title_of(Purpose purpose) {
    switch (purpose) {
        case Purpose::OpenKernels:
            return "Open kernels";
        case Purpose::SaveSource:
            return "Save the source as";
        case Purpose::ExportFile:
            return "Export to a file";
    }
    return "";
}

/// "2026-11-19 14:32", in local time.
std::string time_text(const std::optional<std::chrono::system_clock::time_point>& when) {
    if (!when) return "";
    const std::time_t seconds = std::chrono::system_clock::to_time_t(*when);
    std::tm parts{};
    char words[32] = "";
    if (::localtime_r(&seconds, &parts) != nullptr)
        std::strftime(words, sizeof words, "%Y-%m-%d %H:%M", &parts);
    return words;
}

std::string place_name(const fs::path& place, bool is_home) {
    if (is_home) return "Home";
    const std::string name = to_utf8(place.filename().string());
    return name.empty() ? "/" : name;
}

const char* home() {
    return std::getenv("HOME");
}

float em() {
    return compat::size_of(*look().fonts().body);
}

/// Height of the line of text above the buttons, and of the buttons.
float foot_height(bool has_name) {
    const float gap = look().tokens().gap_small;
    return gap + ImGui::GetTextLineHeight() + (gap + ImGui::GetFrameHeight()) * (has_name ? 2 : 1);
}

}  // namespace

void FileDialog::draw_path(const FolderListing& listing, Commands& commands) {
    text("files/title", title_of(listing.purpose), {.font = look().fonts().title});
    const fs::path above = listing.folder.parent_path();
    if (button("files/up", "Up",
               {.icon = kIconUp,
                .enabled = !above.empty() && above != listing.folder,
                .tooltip = "The folder above (Backspace)"}))
        go_to(above, listing.shows_hidden, commands);
    ImGui::SameLine(0, look().tokens().gap_small);
    const TextFieldState typed = text_field("files/path", path_text_,
                                            {.icon = kIconFolderOpen,
                                             .hint = "Path of a folder or file",
                                             .takes_keyboard = wants_keyboard(Field::Path),
                                             .selects_all = true});
    path_is_active_ = typed.active;
    if (typed.entered) go_to_typed(listing, commands);
}

void FileDialog::draw_filter(const FolderListing& listing, Commands& commands) {
    const Tokens& tokens = look().tokens();
    const char* label = listing.shows_hidden ? "Leave out hidden files" : "Show hidden files";
    const float width = std::max(button_width("Leave out hidden files", kIconEye),
                                 button_width("Show hidden files", kIconEye));
    const bool was_empty = filter_.empty();
    const TextFieldState typed = text_field("files/filter", filter_,
                                            {.icon = kIconSearch,
                                             .hint = "Type to filter",
                                             .width = -(width + tokens.gap_small),
                                             .takes_keyboard = wants_keyboard(Field::Filter),
                                             .keeps_up_and_down = true});
    field_is_active_ = typed.active;
    if (typed.changed) {
        rows_stale_ = true;
        cursor_.reset();
        chosen_.clear();
        message_.clear();
    }
    if (typed.entered) {
        accept(listing, commands);
        give_keyboard(main_field());
    }
    const fs::path above = listing.folder.parent_path();
    if (typed.active && was_empty && !typed.changed && compat::is_pressed(Key::Backspace, false) &&
        !above.empty() && above != listing.folder)
        go_to(above, listing.shows_hidden, commands);
    ImGui::SameLine(0, tokens.gap_small);
    if (button("files/hidden", label,
               {.icon = kIconEye, .width = width, .tooltip = keys_of(Action::ShowHidden)}))
        go_to(listing.folder, !listing.shows_hidden, commands);
}

void FileDialog::draw_places(const FolderListing& listing, Commands& commands) {
    const Tokens& tokens = look().tokens();
    const float height = -foot_height(purpose_ != Purpose::OpenKernels);
    const Card card("files/places", {10 * em(), height}, "Places");
    if (!card.visible) return;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(tokens.gap_small, tokens.hair));
    ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, ImVec2(0, 0.5f));
    for (std::size_t i = 0; i < listing.places.size(); ++i) {
        const fs::path& place = listing.places[i];
        const char* folder = home();
        const float room = ImGui::GetContentRegionAvail().x;
        const float icon = ImGui::CalcTextSize(with_icon(kIconFolderOpen, "").c_str()).x;
        const std::string label = shortened(place_name(place, folder != nullptr && place == folder),
                                            room - icon - 2 * tokens.control_padding_x);
        if (button("files/place/" + std::to_string(i), label,
                   {.icon = kIconFolderOpen,
                    .kind = place == listing.folder ? ButtonKind::Normal : ButtonKind::Quiet,
                    .width = room,
                    .tooltip = to_utf8(place.string())}))
            go_to(place, listing.shows_hidden, commands);
    }
    ImGui::PopStyleVar(2);
}

void FileDialog::draw_head(float size_column, float changed_column, float scrollbar) {
    const Tokens& tokens = look().tokens();
    const float start = ImGui::GetCursorPosX(), room = ImGui::GetContentRegionAvail().x - scrollbar;
    const auto head = [&](const char* id, const char* label, Column column, float x, float width) {
        ImGui::SetCursorPosX(x);
        const char* icon = sorted_by_ != column ? nullptr : descending_ ? kIconDown : kIconUp;
        if (button(id, label, {.icon = icon, .kind = ButtonKind::Quiet, .width = width})) sort_by(column);
    };
    ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, ImVec2(0, 0.5f));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(tokens.gap_small, tokens.hair));
    head("files/head/name", "Name", Column::Name, start, room - size_column - changed_column);
    ImGui::SameLine(0, 0);
    head("files/head/size", "Size", Column::Size, start + room - size_column - changed_column, size_column);
    ImGui::SameLine(0, 0);
    head("files/head/changed", "Changed", Column::Changed, start + room - changed_column, changed_column);
    ImGui::PopStyleVar(2);
}

void FileDialog::draw_list(const FolderListing& listing, Commands& commands) {
    const Tokens& tokens = look().tokens();
    const Card card("files/list", {0, -foot_height(purpose_ != Purpose::OpenKernels)});
    if (!card.visible) return;
    const float size_column = 6 * em(), changed_column = 9.5f * em();
    const float height = ImGui::GetTextLineHeight() + 2 * tokens.hair;
    const float rows_room = ImGui::GetContentRegionAvail().y - ImGui::GetTextLineHeight() - 2 * tokens.hair -
                            2 * ImGui::GetStyle().ItemSpacing.y;
    const bool scrolls = static_cast<float>(rows_.size()) * height > rows_room;
    draw_head(size_column, changed_column, scrolls ? ImGui::GetStyle().ScrollbarSize : 0);
    ImGui::Separator();
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));  // rows would grow by the spacing
    ImGui::PushItemFlag(ImGuiItemFlags_NoNav, true);               // the dialog has its own cursor
    compat::begin_child("rows", {0, 0}, false);
    if (!listing.error.empty())
        empty_state("files/error", kIconWarning, "Nothing can be shown here", listing.error);
    else if (rows_.empty())
        empty_state(
            "files/empty", kIconFolderOpen, listing.entries.empty() ? "Nothing here" : "Nothing matches",
            !listing.entries.empty() ? "Press Esc to see everything again."
            : listing.extensions.empty()
                ? "This folder is empty."
                : "This folder has no folders and no " + enumerate(listing.extensions, "or") + " files.");
    if (scrolls_to_cursor_ && cursor_) {
        const float top = static_cast<float>(*cursor_) * height, shown = ImGui::GetWindowHeight();
        if (top < ImGui::GetScrollY()) ImGui::SetScrollY(top);
        if (top + height > ImGui::GetScrollY() + shown) ImGui::SetScrollY(top + height - shown);
        scrolls_to_cursor_ = false;
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows_.size()), height);
    while (clipper.Step())
        for (int row = clipper.DisplayStart; row < clipper.DisplayEnd; ++row)
            draw_row(listing, static_cast<std::size_t>(row), size_column, changed_column, commands);
    ImGui::EndChild();
    ImGui::PopItemFlag();
    ImGui::PopStyleVar(2);
}

void FileDialog::draw_row(const FolderListing& listing, std::size_t row, float size_column,
                          float changed_column, Commands& commands) {
    const Tokens& tokens = look().tokens();
    if (row >= rows_.size() || rows_[row] >= listing.entries.size()) return;  // re-sorted in this frame
    const FolderEntry& entry = listing.entries[rows_[row]];
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float height = ImGui::GetTextLineHeight() + 2 * tokens.hair;
    const std::string id = "files/row/" + std::to_string(row);
    const bool is_pressed = ImGui::Selectable(("##" + id).c_str(), chosen_.count(entry.path) > 0,
                                              ImGuiSelectableFlags_AllowDoubleClick, {width, height});
    const float name_room = width - size_column - changed_column - tokens.gap_small;
    const std::string name =
        shortened(with_icon(entry.is_folder ? kIconFolderOpen : kIconFile, entry.name), name_room);
    probe(id, {.label = name, .label_padding = size_column + changed_column});
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float y = corner.y + tokens.hair;
    const ImU32 muted = look().colors().text_muted.u32();
    list.AddText({corner.x + tokens.gap_small, y}, look().colors().text.u32(), name.c_str());
    const float size_x = corner.x + width - size_column - changed_column + tokens.gap_small;
    if (!entry.is_folder) list.AddText({size_x, y}, muted, format_bytes(entry.bytes).c_str());
    list.AddText({size_x + size_column, y}, muted, time_text(entry.changed).c_str());
    if (!is_pressed) return;
    const ImGuiIO& io = ImGui::GetIO();
    choose_row(listing, row, io.KeyCtrl, io.KeyShift);
    give_keyboard(main_field());
    if (ImGui::IsMouseDoubleClicked(0) && !io.KeyCtrl && !io.KeyShift) accept(listing, commands);
}

void FileDialog::draw_foot(const FolderListing& listing, Commands& commands) {
    const Tokens& tokens = look().tokens();
    const bool saves = purpose_ != Purpose::OpenKernels;
    std::string said = message_;
    Tone tone = Tone::Warning;
    if (said.empty()) {
        tone = Tone::Muted;
        if (listing.left_out > 0)
            said = std::to_string(listing.left_out) + " more are not listed; type the path to reach them.";
        else if (!saves && chosen_.size() > 1)
            said = counted(chosen_.size(), "file") + " chosen.";
        else if (!listing.extensions.empty())
            said = "Only " + enumerate(listing.extensions, "and") + " files are listed.";
        else
            said = counted(rows_.size(), "line") + ".";
    }
    text("files/message", said, {.tone = tone, .shortens = true});
    if (saves) {
        ImGui::AlignTextToFramePadding();
        text("files/name_label", "Name");
        ImGui::SameLine(0, tokens.gap_small);
        const TextFieldState typed = text_field("files/name", name_,
                                                {.hint = "name of the file",
                                                 .takes_keyboard = wants_keyboard(Field::Name),
                                                 .keeps_up_and_down = true});
        field_is_active_ = field_is_active_ || typed.active;
        if (typed.changed) {
            cursor_.reset();
            chosen_.clear();
            message_.clear();
        }
        if (typed.entered) accept(listing, commands);
    }
    const char* verb = saves ? "Save" : "Open";
    const char* icon = saves ? kIconSave : kIconFolderOpen;
    if (!saves && !only_.empty()) {
        const bool all = listing.extensions.empty();
        if (tick("files/all", "All files", all, "Not only " + enumerate(only_, "and") + " files")) {
            const fs::path folder = listing.folder;
            const bool hidden = listing.shows_hidden;
            commands.emplace_back(
                command::OpenDialog{purpose_, "", all ? only_ : std::vector<std::string>{}});
            go_to(folder, hidden, commands);
        }
        ImGui::SameLine();
    }
    const float widths = button_width("Cancel") + tokens.gap_small + button_width(verb, icon);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - widths);
    if (button("files/cancel", "Cancel")) close(commands);
    ImGui::SameLine(0, tokens.gap_small);
    if (button("files/ok", verb, {.icon = icon, .kind = ButtonKind::Primary, .enabled = can_accept(listing)}))
        accept(listing, commands);
}

}  // namespace kwb::gui
