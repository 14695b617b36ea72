// Two sources side by side, or one next to what its file holds.
#include <limits>

#include "base/text.hpp"
#include "gui/keys.hpp"
#include "gui/look.hpp"
#include "gui/panels/source_panel.hpp"
#include "gui/widgets.hpp"

namespace kwb::gui {

bool SourcePanel::draw_comparison(const DeskState& state, Document& document, Commands& commands) {
    if (shows_disk_ == document.id() && document.on_disk() != Document::OnDisk::Changed) shows_disk_.reset();
    const bool with_disk = shows_disk_ == document.id();
    const Document* other = state.beside ? state.find_document(*state.beside) : nullptr;
    const bool was_shown = shows_comparison_;
    shows_comparison_ = with_disk || (other != nullptr && other->id() != document.id());
    if (!shows_comparison_) return false;

    const editor::TextBuffer& mine = document.buffer();
    DiffView::Texts key{document.id(), mine.revision(), 0, 0};
    std::string title = document.name(), other_title;
    if (with_disk) {
        constexpr std::uint64_t kFile = std::numeric_limits<std::uint64_t>::max();
        key.right = kFile;
        key.right_revision = document.disk_revision();
        title = "Your text";
        other_title = "The file";
    } else {
        key.right = other->id();
        key.right_revision = other->buffer().revision();
        other_title = other->name();
        if (other_title == title) {
            title = document.path().string();
            other_title = other->path().string();
        }
    }
    if (!diff_.holds(key)) {
        if (with_disk)
            diff_.compare(key, mine.lines(), document.disk_lines());
        else
            diff_.compare(key, mine.lines(), other->buffer().lines());
    }

    const std::size_t count = diff_.difference_count();
    const std::string found = count == 0 ? "No differences" : counted(count, "difference");
    ImGui::AlignTextToFramePadding();
    text("source/diff/count", found, {.font = look().fonts().strong});
    flow_next(button_width("Previous", kIconUp));
    if (button("source/diff/previous", "Previous",
               {.icon = kIconUp, .enabled = count > 0, .tooltip = keys_of(Action::MarkBefore)}))
        diff_.step(-1);
    flow_next(button_width("Next", kIconDown));
    // The text that may have had the keyboard is gone.
    if (!was_shown && has_keyboard_) look().tab_order().take_next();
    if (button("source/diff/next", "Next",
               {.icon = kIconDown, .enabled = count > 0, .tooltip = keys_of(Action::NextMark)}))
        diff_.step(+1);
    flow_next(button_width("End the comparison"));
    if (button("source/diff/end", "End the comparison", {.tooltip = "Esc; back to the text, to edit it"}))
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
