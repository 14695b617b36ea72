// SPDX-License-Identifier: Apache-2.0
// What the moment shows: variables, a value in all work-items, what the line reads, memory, and stops.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "debug/values.hpp"
#include "gui/panels/step_values.hpp"

namespace kwb::gui {
namespace {

/// In font heights: a list of variables that is narrower leaves out their types.
constexpr float kTypeWidth = 26;

}  // namespace

void StepValues::draw_variables(float width) {
    text("values/variables/title", "Variables", {.font = fonts().strong});
    const FontScope font(fonts().small);
    const float size = ImGui::GetFontSize();
    std::vector<TableColumn> columns{{"name", "Name"}, {"value", "Value"}, {"type", "Type"}};
    columns[2].is_shown = width >= kTypeWidth * size;
    columns[0].width = (columns[2].is_shown ? 9 : 6) * size;
    columns[2].width = columns[2].is_shown ? 8 * size : 0;
    columns[1].width = std::max(6 * size, width - columns[0].width - columns[2].width);
    columns[1].help = "Before the line runs; what has changed since the work-item's previous step is marked";
    // As high as its rows: the panel scrolls, with all that is in it.
    Table table("values/variables", columns, {.size = {width, 0}});
    table.draw_rows(variables_.size(), [&](std::size_t i) {
        const debug::VariableRow& row = variables_[i];
        const bool is_unfolded = unfolded_.contains(row.expression);
        if (table.press_row(i, row.expression == selected_)) {
            if (row.unfolds && unfolded_.erase(row.expression) == 0) unfolded_.insert(row.expression);
            selected_ = row.expression;
        }
        const std::string type =
            (row.space == AddressSpace::Private ? "" : to_string(row.space) + " ") + row.type;
        tooltip(type + " " + row.expression +
                (row.unfolds ? "; a click shows its parts, and it in all work-items"
                             : "; a click shows it in all work-items"));
        const std::string fold = !row.unfolds ? "" : is_unfolded ? "\u25bc " : "\u25b6 ";
        table.cell(fold + row.name, row.is_parameter ? Tone::Muted : Tone::Normal,
                   static_cast<float>(row.depth) * size);
        table.cell(row.value, row.is_changed ? Tone::Accent : Tone::Normal);
        table.cell(type, Tone::Muted);
    });
}

/// The selected expression, its stores before and after, and where to stop.
void StepValues::draw_selected(float width) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(tokens().hair, tokens().hair));
    const auto add = [&](const char* id, const char* label, const char* help, bool enabled, bool is_first) {
        const float right = ImGui::GetItemRectMax().x + tokens().hair + button_width(label);
        if (!is_first && right <= ImGui::GetCursorScreenPos().x + width) ImGui::SameLine(0, tokens().hair);
        return button(id, label, {.kind = ButtonKind::Quiet, .enabled = enabled, .tooltip = help});
    };
    text_field("values/selected", selected_,
               {.icon = kIconSearch,
                .hint = "tile[ly][k] * 2",
                .width = width,
                .is_refused = !selected_error_.empty()});
    tooltip(selected_error_.empty() ? "A variable or an expression in C, shown for all work-items"
                                    : selected_error_);
    if (!selected_error_.empty())
        text("values/selected/error", selected_error_, {.tone = Tone::Danger, .wraps = true});
    const bool has_one = !selected_.empty() && selected_error_.empty();
    if (add("values/last", "\u2039 Stored", "Back to the last store to it, in whichever work-item", has_one,
            true))
        follow(debug::Direction::Backwards);
    if (add("values/following", "Stored \u203a", "On to the next store to it, in whichever work-item",
            has_one, false))
        follow(debug::Direction::Forwards);
    if (add("values/watch", "Stop at changes", "A stop after each change of it", has_one, false)) {
        try {
            moves_->add_watchpoint(selected_);
        } catch (const BadInput& error) {
            told_ = error.what();
        }
    }
    const bool entered = text_field("values/stop", stop_text_,
                                    {.icon = kIconForbidden,
                                     .hint = "Stop at 53 if k == 16",
                                     .width = width,
                                     .is_refused = !stop_error_.empty()})
                             .entered;
    tooltip(stop_error_.empty() ? "A line, and a condition in C over variables if you like; Enter adds it"
                                : stop_error_);
    if (entered) add_stop();
    if (!stop_error_.empty()) text("values/stop/error", stop_error_, {.tone = Tone::Danger, .wraps = true});
    const bool has_stops = !moves_->breakpoints().empty() || !moves_->watchpoints().empty();
    if (add("values/run_back", "\u2039 Stop", "Backwards to the last stop", has_stops, true))
        run(debug::Direction::Backwards);
    if (add("values/run_on", "Stop \u203a", "On to the next stop", has_stops, false))
        run(debug::Direction::Forwards);
    std::optional<int> removed;
    const auto chip = [&](int number, const std::string& words) {
        const std::string label = shortened(words, width - 4 * ImGui::GetFontSize()) + " \u00d7";
        if (add(("values/stop/" + std::to_string(number)).c_str(), label.c_str(), "Remove this stop", true,
                false))
            removed = number;
    };
    for (const debug::Breakpoint& one : moves_->breakpoints())
        chip(one.number,
             fmt::format("line {}{}", one.line, one.condition.empty() ? "" : " if " + one.condition));
    for (const debug::Watchpoint& one : moves_->watchpoints()) chip(one.number, one.expression + " changes");
    if (removed) moves_->remove(static_cast<std::uint64_t>(*removed));
    ImGui::PopStyleVar();
}

void StepValues::add_stop() {
    try {
        const debug::Moves::Place place = debug::Moves::read_place(stop_text_);
        const debug::Breakpoint added = moves_->add_breakpoint(place.file, place.line, place.condition);
        told_ = added.line == place.line
                    ? ""
                    : fmt::format("Line {} has no code; the stop is at line {}.", place.line, added.line);
        stop_text_.clear();
        stop_error_.clear();
    } catch (const BadInput& error) {
        stop_error_ = error.what();
    }
}

void StepValues::follow(debug::Direction direction) {
    told_.clear();
    try {
        const bool is_back = direction == debug::Direction::Backwards;
        const auto store = is_back ? moves_->find_last_store(selected_) : moves_->find_next_store(selected_);
        if (store) moves_->go_to_store(*store);
        told_ = store     ? store_words(*store)
                : is_back ? "Nothing in this recording has stored to it before."
                          : "Nothing in this recording stores to it afterwards.";
    } catch (const BadInput& error) {
        told_ = error.what();
    }
}

void StepValues::draw_lanes(float width) {
    text("values/lanes/title", selected_.empty() ? "Work-items" : selected_ + " in all work-items",
         {.font = fonts().strong, .shortens = true, .room = width});
    if (lanes_.empty()) return;
    const Recording& recording = moves_->player().recording();
    const std::size_t columns =
        recording.local.size() > 1 ? recording.local[0] : std::min<std::size_t>(recording.local[0], 16);
    const UsedCells used = draw_value_grid("values/lanes", lanes_, columns, width);
    if (used.hovered && *used.hovered < lanes_.size())
        tooltip("Work-item " + debug::item_text(recording, static_cast<std::uint32_t>(*used.hovered)) + ": " +
                lane_words_[*used.hovered]);
    if (used.pressed && *used.pressed < lanes_.size()) {
        const auto item = static_cast<std::uint32_t>(*used.pressed);
        told_ =
            moves_->select_item(item)
                ? ""
                : "This work-item does not come to that line; this is its last step before the next barrier.";
    }
}

/// What the line reads, each with a link to the step that stored it.
void StepValues::draw_origins(float width) {
    const debug::Player& player = moves_->player();
    const Recording& recording = player.recording();
    text("values/origins/title", "What this line reads", {.font = fonts().strong});
    if (origins_.empty()) remark("values/origins/none", "It reads no variable.");
    for (std::size_t i = 0; i < origins_.size(); ++i) {
        const debug::Origin& origin = origins_[i];
        const std::string id = "values/origin/" + std::to_string(i);
        const std::string value = origin.name + " = " + origin.value;
        using From = debug::Origin::From;
        if (origin.from != From::Store && origin.from != From::Declaration) {
            ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetStyle().FramePadding.x);  // as buttons
            text(id,
                 value + (origin.from == From::Argument       ? ", an argument"
                          : origin.from == From::BeforeLaunch ? ", from before the launch"
                          : origin.from == From::Earlier      ? ", from before this work-group"
                                                              : ""),
                 {.shortens = true, .room = width - ImGui::GetStyle().FramePadding.x, .in_row = true});
            continue;
        }
        const RecordedEvent& event = recording.events[*origin.store];
        const std::string who = event.item == moves_->moment().item ? ""
                                : event.item == kGroupCopy          ? " for the whole group"
                                                           : " in " + debug::item_text(recording, event.item);
        const std::uint32_t line = recording.sites[event.site].place.line;
        const std::string words = fmt::format("{}, line {}{}", value, line, who);
        const std::string help = fmt::format("{}, stored by line {}{}; a click goes there", value, line, who);
        if (button(id, shortened(words, width - button_width("")),
                   {.kind = ButtonKind::Quiet, .tooltip = help})) {
            const std::uint32_t store = *origin.store;
            moves_->go_to_store(store);
            told_ = store_words(store);
            return;
        }
    }
}

void StepValues::draw_memory(const debug::MemoryView& view, float width) {
    const debug::Player& player = moves_->player();
    const Recording& recording = player.recording();
    const std::string id = "values/memory/" + view.name;
    const bool is_part =
        view.first_row > 0 || view.first_column > 0 || std::uint64_t{view.columns} < view.row_elements;
    text(id + "/title",
         fmt::format("{} {} {}{}", to_string(view.space), view.name, view.shape,
                     is_part ? fmt::format(", from [{}][{}] on", view.first_row, view.first_column) : ""),
         {.font = fonts().strong, .shortens = true, .room = width});
    const std::vector<ValueCell>& cells = memory_cells_[static_cast<std::size_t>(&view - memory_.data())];
    const UsedCells used = draw_value_grid(id, cells, view.columns, width);
    if (used.hovered && *used.hovered < cells.size())
        tooltip(view.element_name(recording, *used.hovered) + " = " + cells[*used.hovered].text +
                "; a click goes to the last store to it");
    if (!used.pressed || *used.pressed >= cells.size()) return;
    const std::uint64_t address = view.address_of(recording, *used.pressed);
    const auto store =
        player.last_store(player.event_of(moves_->moment()), address, view.element_bytes(recording));
    if (store && recording.events[*store].kind != RecordedKind::Unset) {
        moves_->go_to_store(*store);
        told_ = store_words(*store);
    } else {
        told_ = "Nothing in this recording has stored to " + view.element_name(recording, *used.pressed) +
                " before.";
    }
}

}  // namespace kwb::gui
