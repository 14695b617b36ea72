// SPDX-License-Identifier: Apache-2.0
// The parts around the text: tools, banners, status line.
#include <algorithm>
#include <limits>
#include <utility>

#include "base/text.hpp"
#include "base/user_folders.hpp"
#include "gui/fields.hpp"
#include "gui/panels/source_panel.hpp"

namespace kwb::gui {
namespace {

/// "~/kernels/mine.cl" for a file below the home folder.
std::string below_home(const std::string& path) {
    const std::string home = path_from_environment("HOME").string();
    return home.size() > 1 && path.starts_with(home + "/") ? "~" + path.substr(home.size()) : path;
}

}  // namespace

void SourcePanel::draw_tools(const DeskState& state, Document& document, Commands& commands) {
    const float gap = tokens().gap_small;
    const bool is_compared = shows_comparison_;
    const char* save_words = document.read_only() ? "Save as\u2026" : "Save";
    std::string find = with_icon(kIconSearch, "Find"), compare = with_icon(kIconColumns, "Compare"),
                save_label = with_icon(kIconSave, save_words);
    const auto width = [&] {
        return (is_compared ? 0 : button_width(find) + gap) + button_width(compare) + gap +
               button_width(save_label);
    };
    const ImVec2 start = ImGui::GetCursorPos();
    const float room = ImGui::GetContentRegionAvail().x, least_tabs = 18 * ImGui::GetFontSize();
    // If the tabs would have little room, the tools are icons; if even these leave too little, they get a
    // separate row.
    if (room - width() <= least_tabs) {
        find = icon_alone(kIconSearch, "Find");
        compare = icon_alone(kIconColumns, "Compare");
        save_label = icon_alone(kIconSave, save_words);
    }
    const float tools = width();
    const bool one_row = room - tools > least_tabs;
    if (one_row) ImGui::SetCursorPosX(start.x + room - tools);
    if (!is_compared) {
        if (button("source/find", find, {.tooltip = "Find and replace (" + keys_of(Action::Find) + ")"}))
            find_.open_find(document.buffer());
        ImGui::SameLine(0, gap);
    }
    if (button("source/compare", compare,
               {.enabled = state.documents.size() > 1 || is_compared,
                .tooltip = state.documents.size() > 1 || is_compared
                               ? "Show another source next to this one, with the differences marked (" +
                                     keys_of(Action::CompareFiles) + ")"
                               : "Open a second source to compare this one with"}) ||
        opens_compare_) {
        if (std::exchange(opens_compare_, false)) compat::show_focus_ring();  // Enter chooses the first one
        ImGui::OpenPopup("source/compare/menu");
    }
    ImGui::SetNextWindowPos({ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y});
    draw_compare_menu(state, document, commands);
    ImGui::SameLine(0, gap);
    const bool can_save =
        document.is_modified() || document.read_only() || document.on_disk() == Document::OnDisk::Gone;
    if (button("source/save", save_label,
               {.enabled = can_save,
                .tooltip = can_save ? save_words + (" (" + keys_of(Action::Save) + ")")
                                    : "Nothing to save: the file has this text already"}))
        save(document, commands);
    if (one_row) ImGui::SetCursorPos(start);
    draw_tabs(state, one_row ? room - tools - 2 * gap : 0, commands);
}

void SourcePanel::draw_compare_menu(const DeskState& state, const Document& document, Commands& commands) {
    const Popup popup("source/compare/menu");
    if (!popup.open) return;
    for (const auto& other : state.documents) {
        if (other->id() == document.id()) continue;
        if (option(with_id("compare", other->id()),
                   ticked(state.beside == other->id(), tab_label(state, *other)))) {
            shows_disk_.reset();
            commands.push_back(command::PutBeside{other->id()});
        }
    }
    if (shows_comparison_ && option("source/compare/end", "End the comparison")) {
        shows_disk_.reset();
        commands.push_back(command::PutBeside{});
    }
}

void SourcePanel::draw_banner(Document& document, Commands& commands) {
    View& view = views_[document.id()];
    const DocumentId id = document.id();
    ButtonRow row;
    switch (document.on_disk()) {
        case Document::OnDisk::Changed: {
            const Banner banner("source/banner", Tone::Warning, kIconWarning, "Changed on disk",
                                document.notice());
            if (row.add("source/take_theirs", "Use the file's text",
                        {.tooltip = "Your edits are replaced; Ctrl+Z brings them back"}))
                commands.push_back(command::TakeFromDisk{id});
            if (row.add("source/keep_mine", document.read_only() ? "Keep mine as\u2026" : "Keep mine",
                        {.tooltip = document.read_only() ? "Save your text under another name"
                                                         : "Overwrite the file with your text"}))
                save(document, commands, true);
            const bool shown = shows_disk_ == id;
            if (row.add("source/show_disk", shown ? "Hide the differences" : "Show the differences",
                        {.icon = kIconColumns}))
                shows_disk_ = shown ? std::nullopt : std::optional(id);
            return;
        }
        case Document::OnDisk::Gone: {
            const Banner banner("source/banner", Tone::Warning, kIconWarning, "No longer on disk",
                                document.notice());
            if (row.add("source/save_again", document.read_only() ? "Save as\u2026" : "Save it again",
                        {.icon = kIconSave}))
                save(document, commands);
            return;
        }
        case Document::OnDisk::Unread: {
            const Banner banner("source/banner", Tone::Danger, kIconBad, "Cannot be read", document.notice());
            if (row.add("source/read_again", "Read it again", {.icon = kIconRefresh}))
                commands.push_back(command::TakeFromDisk{id});
            return;
        }
        case Document::OnDisk::Same:
            break;
    }
    if (document.notice().empty() || document.notice() == view.hidden_notice) return;
    const bool failed = document.save_failed();
    const Banner banner("source/banner", failed ? Tone::Danger : Tone::Accent, failed ? kIconBad : kIconInfo,
                        failed ? "Not saved" : "About this file", document.notice());
    if (failed) {
        if (row.add("source/save_again", "Try again", {.icon = kIconSave})) save(document, commands);
        if (row.add("source/save_elsewhere", "Save as\u2026", {.icon = kIconSave}))
            pending_.ask_document(document.id(), document.name(), commands);
    }
    if (row.add("source/hide_notice", "OK")) view.hidden_notice = document.notice();
}

void SourcePanel::close(const Document& document, Commands& commands) {
    if (document.is_modified()) {
        // The answer may be "save as", which acts on the front document.
        asks_about_ = document.id();
        commands.push_back(command::BringToFront{document.id()});
    } else {
        commands.push_back(command::CloseDocument{document.id()});
    }
}

void SourcePanel::draw_question(const DeskState& state, Commands& commands) {
    const Document* document = asks_about_ ? state.find_document(*asks_about_) : nullptr;
    if (document == nullptr) return;
    if (!document->is_modified()) {  // saved in the meantime
        asks_about_.reset();
        return;
    }
    const DocumentId id = document->id();
    const Banner banner("source/question", Tone::Warning, kIconQuestion, "Close " + document->name() + "?",
                        "It has unsaved edits.");
    ButtonRow row;
    if (document->read_only()) {
        if (row.add("source/save_and_close", "Save as\u2026", {.icon = kIconSave})) {
            save(*document, commands);
            asks_about_.reset();
        }
    } else if (row.add("source/save_and_close", "Save and close", {.icon = kIconSave})) {
        // If saving fails, the document stays open and shows the reason.
        commands.push_back(command::SaveDocument{id});
        commands.push_back(command::CloseDocument{id});
        asks_about_.reset();
    }
    if (row.add("source/close_anyway", "Close without saving")) {
        commands.push_back(command::CloseDocument{id, true});
        asks_about_.reset();
    }
    if (row.add("source/keep_open", "Keep it open")) asks_about_.reset();
}

void SourcePanel::save(const Document& document, Commands& commands, bool over_changes) {
    views_[document.id()].hidden_notice.clear();  // show it if saving fails again
    if (document.read_only())
        pending_.ask_document(document.id(), document.name(), commands);
    else
        commands.push_back(command::SaveDocument{document.id(), over_changes});
}

void SourcePanel::draw_status(const DeskState& state, const Document& document) {
    const editor::TextBuffer& buffer = document.buffer();
    if (!shows_comparison_) {
        const editor::Position caret = buffer.caret();
        std::string words =
            "Line " + std::to_string(caret.line + 1) + ", column " + std::to_string(caret.column + 1);
        if (buffer.has_selection()) {
            const std::size_t count = editor::count_code_points(buffer.selected_text());
            words += ", " + std::to_string(count) + " selected";
        }
        if (buffer.has_crlf()) words += "   CRLF";
        if (buffer.has_tabs()) words += "   tabs";
        text("source/position", words, {.tone = Tone::Muted, .font = fonts().small, .shortens = true});
        ImGui::SameLine(0, tokens().gap_large);
        const bool runs = std::ranges::find(state.unsaved, document.id()) != state.unsaved.end();
        const std::string stands = document.read_only()
                                       ? runs ? "Comes with the workbench: runs use your text; "
                                                "Save as\u2026 keeps it"
                                              : "Comes with the workbench"
                                   : runs                   ? "Not saved: runs use this text"
                                   : document.is_modified() ? "Not saved"
                                                            : "";
        if (!stands.empty()) {
            text("source/unsaved", stands,
                 {.tone = document.is_modified() ? Tone::Warning : Tone::Muted,
                  .font = fonts().small,
                  .shortens = true});
            ImGui::SameLine(0, tokens().gap_large);
        }
    }
    const FontScope font(fonts().small);
    const float room = ImGui::GetContentRegionAvail().x;
    const std::string path = end_of_path(below_home(document.path().string()), room);
    if (path.empty()) return;
    align_right(width_of(path));
    text("source/path", path, {.tone = Tone::Muted, .font = fonts().small});
    tooltip(document.path().string());
}

bool SourcePanel::draw_comparison(const DeskState& state, Document& document, Commands& commands) {
    if (shows_disk_ == document.id() && document.on_disk() != Document::OnDisk::Changed) shows_disk_.reset();
    const bool with_disk = shows_disk_ == document.id();
    const Document* other = state.beside ? state.find_document(*state.beside) : nullptr;
    const bool was_shown = shows_comparison_;
    shows_comparison_ = with_disk || (other != nullptr && other->id() != document.id());
    if (!shows_comparison_) return false;

    constexpr std::uint64_t kFile = std::numeric_limits<std::uint64_t>::max();
    const editor::TextBuffer& mine = document.buffer();
    const DiffView::Texts key{document.id(), mine.revision(), with_disk ? kFile : other->id(),
                              with_disk ? document.disk_revision() : other->buffer().revision()};
    if (!diff_.holds(key))
        diff_.compare(key, mine.lines(), with_disk ? document.disk_lines() : other->buffer().lines());
    if (std::exchange(shows_line_, false)) diff_.show_marked();
    if (std::exchange(marks_lines_, false)) diff_.mark(state.revealed.lines, state.revealed.beside);
    std::string title = "Your text", other_title = "The file";
    if (!with_disk) {
        const bool same_name = document.name() == other->name();
        title = same_name ? document.path().string() : document.name();
        other_title = same_name ? other->path().string() : other->name();
    }

    const std::size_t count = diff_.difference_count();
    const std::string found = count == 0 ? "No differences" : counted(count, "difference");
    text("source/diff/count", found, {.font = fonts().strong, .in_row = true});
    if (next_button("source/diff/previous", "Previous",
                    {.icon = kIconUp, .enabled = count > 0, .tooltip = keys_of(Action::MarkBefore)}))
        diff_.step(-1);
    // The text that may have had keyboard focus is no longer drawn.
    if (!was_shown && has_keyboard_) look().tab_order().take_next();
    if (next_button("source/diff/next", "Next",
                    {.icon = kIconDown, .enabled = count > 0, .tooltip = keys_of(Action::NextMark)}))
        diff_.step(+1);
    if (next_button("source/diff/end", "End the comparison", {.tooltip = "Esc; return to editing"}))
        end_comparison(document, commands);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const float status = ImGui::GetStyle().ItemSpacing.y + status_height();
    diff_.draw("source/diff", title, other_title, {room.x, std::max(0.0f, room.y - status)});
    return true;
}

void SourcePanel::end_comparison(const Document& document, Commands& commands) {
    if (shows_disk_ == document.id())
        shows_disk_.reset();
    else
        commands.push_back(command::PutBeside{});
    wants_keyboard_ = true;
}

}  // namespace kwb::gui
