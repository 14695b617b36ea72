#include "gui/find_bar.hpp"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/text.hpp"
#include "gui/fields.hpp"

namespace kwb::gui {

using editor::Position;
using editor::TextBuffer;
using editor::TextRange;

namespace {

bool toggle(const std::string& id, std::string_view label, bool& on, std::string_view tip) {
    ImGui::PushStyleColor(ImGuiCol_Button, (on ? colors().selection : colors().raised).vec());
    const bool is_pressed = button(id, label, {.tooltip = tip});
    ImGui::PopStyleColor();
    on = on != is_pressed;
    return is_pressed;
}

float field_width() {
    return std::min(16 * ImGui::GetFontSize(), ImGui::GetContentRegionAvail().x);
}

}  // namespace

void FindBar::open_find(const TextBuffer& buffer) {
    mode_ = Mode::Find;
    wants_keyboard_ = true;
    remark_.clear();
    searched_from_ = buffer.selected().begin;
    const TextRange selected = buffer.selected();
    if (!selected.empty() && selected.begin.line == selected.end.line) query_.needle = buffer.selected_text();
}

void FindBar::open_go_to() {
    mode_ = Mode::GoToLine;
    wants_keyboard_ = true;
    remark_.clear();
    line_.clear();
}

std::span<const TextRange> FindBar::found(const TextBuffer& buffer) {
    if (mode_ != Mode::Find) return {};
    const FoundIn wanted{&buffer, buffer.revision(), query_};
    if (!(found_in_ == wanted)) {
        found_ = find_all(buffer.lines(), query_);
        found_in_ = wanted;
    }
    return found_;
}

bool FindBar::step(TextBuffer& buffer, int by) {
    mode_ = Mode::Find;
    const auto all = found(buffer);
    const auto next =
        by > 0 ? next_match(all, buffer.selected().end) : previous_match(all, buffer.selected().begin);
    if (!next) return false;
    buffer.select({next->range.begin, next->range.end});
    remark_ = !next->wrapped ? "" : by > 0 ? "from the start again" : "from the end again";
    return true;
}

/// While the needle is typed, search from the position where the search began, so that typing does not skip
/// matches.
void FindBar::select_from_here(TextBuffer& buffer) {
    remark_.clear();
    if (const auto next = next_match(found(buffer), searched_from_))
        buffer.select({next->range.begin, next->range.end});
}

FindBarEvents FindBar::draw(std::string_view id, TextBuffer& buffer) {
    FindBarEvents events;
    const std::string name(id);
    const std::uint64_t revision = buffer.revision();
    const editor::Selection selection = buffer.selection();
    takes_keyboard_ = std::exchange(wants_keyboard_, false);
    if (mode_ == Mode::Find) {
        draw_find(name, buffer, events);
        draw_replace(name, buffer, events);
    } else if (mode_ == Mode::GoToLine) {
        draw_go_to(name, buffer, events);
    }
    events.edited = buffer.revision() != revision;
    events.moved = events.edited || !(buffer.selection() == selection);
    if (events.closed) close();
    return events;
}

void FindBar::draw_find(const std::string& id, TextBuffer& buffer, FindBarEvents& events) {
    const TextFieldState field = text_field(
        id + "/needle", query_.needle,
        {.icon = kIconSearch, .hint = "Find", .width = field_width(), .takes_keyboard = takes_keyboard_});
    if (field.changed) select_from_here(buffer);
    if (field.entered) {
        step(buffer, ImGui::GetIO().KeyShift ? -1 : +1);
        wants_keyboard_ = true;
    }
    if (field.escaped) events.closed = true;

    const auto all = found(buffer);
    const bool any = !all.empty();
    flow_next(button_width("Previous", kIconUp));
    if (button(id + "/previous", "Previous",
               {.icon = kIconUp, .enabled = any, .tooltip = keys_of(Action::FindPrevious)}))
        step(buffer, -1);
    flow_next(button_width("Next", kIconDown));
    if (button(id + "/next", "Next",
               {.icon = kIconDown,
                .enabled = any,
                .tooltip = keys_of(Action::FindNext) + ", or Enter in the field"}))
        step(buffer, +1);
    bool changed = false;
    flow_next(button_width("Match case"));
    changed |= toggle(id + "/case", "Match case", query_.case_sensitive, "Upper and lower case must match");
    flow_next(button_width("Whole words"));
    changed |= toggle(id + "/word", "Whole words", query_.whole_word, "Do not match parts of longer words");
    if (changed) select_from_here(buffer);
    flow_next(button_width("Close"));
    if (button(id + "/close", "Close", {.kind = ButtonKind::Quiet, .tooltip = "Esc"})) events.closed = true;
    std::string count;
    if (!query_.needle.empty()) {
        const auto present = match_at(found(buffer), buffer.selected());
        count = found(buffer).empty() ? "not found"
                : present ? std::to_string(*present + 1) + " of " + std::to_string(found(buffer).size())
                          : counted(found(buffer).size(), "occurrence");
        if (!remark_.empty()) count += ", " + remark_;
    }
    if (!count.empty()) {
        flow_next(ImGui::CalcTextSize(count.c_str()).x);
        ImGui::AlignTextToFramePadding();
        text(id + "/count", count, {.tone = found(buffer).empty() ? Tone::Warning : Tone::Muted});
    }
}

void FindBar::draw_replace(const std::string& id, TextBuffer& buffer, FindBarEvents& events) {
    const TextFieldState field =
        text_field(id + "/replacement", replacement_, {.hint = "Replace with", .width = field_width()});
    if (field.escaped) events.closed = true;
    const bool any = !found(buffer).empty();
    flow_next(button_width("Replace"));
    if (button(id + "/replace", "Replace",
               {.enabled = any, .tooltip = "The selected occurrence, then go to the next"}))
        replace_one(buffer, query_, replacement_);
    flow_next(button_width("Replace all"));
    if (button(id + "/replace_all", "Replace all",
               {.enabled = any, .tooltip = keys_of(Action::Undo) + " undoes all replacements"})) {
        const std::size_t count = replace_all(buffer, query_, replacement_);
        remark_ = std::to_string(count) + " replaced";
    }
}

void FindBar::draw_go_to(const std::string& id, TextBuffer& buffer, FindBarEvents& events) {
    const std::string hint = "Line, 1 to " + std::to_string(buffer.line_count());
    const TextFieldState field = text_field(
        id + "/line", line_, {.hint = hint, .width = field_width(), .takes_keyboard = takes_keyboard_});
    flow_next(button_width("Go to line"));
    const bool goes = button(id + "/go", "Go to line") || field.entered;
    flow_next(button_width("Close"));
    if (button(id + "/close", "Close", {.kind = ButtonKind::Quiet, .tooltip = "Esc"}) || field.escaped)
        events.closed = true;
    if (!remark_.empty()) {
        flow_next(ImGui::CalcTextSize(remark_.c_str()).x);
        ImGui::AlignTextToFramePadding();
        text(id + "/count", remark_, {.tone = Tone::Warning});
    }
    if (!goes) return;
    const std::string_view digits = trim(line_);
    std::size_t line = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), line);
    if (error != std::errc() || end != digits.data() + digits.size() || line == 0 ||
        line > buffer.line_count()) {
        remark_ = "There are lines 1 to " + std::to_string(buffer.line_count());
        wants_keyboard_ = true;
        return;
    }
    buffer.set_caret({line - 1, 0});
    events.moved = true;
    events.closed = true;
}

}  // namespace kwb::gui
