// SPDX-License-Identifier: Apache-2.0
#include "gui/find_bar.hpp"

#include <algorithm>
#include <cmath>
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
    const bool is_pressed = next_button(id, label, {.tooltip = tip});
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
    } else if (mode_ == Mode::GoToLine) {
        draw_go_to(name, buffer, events);
    }
    events.edited = buffer.revision() != revision;
    events.moved = events.edited || !(buffer.selection() == selection);
    if (events.closed) close();
    return events;
}

/// One line: both fields first, so that Tab goes from one to the other, then what is done with them.
void FindBar::draw_find(const std::string& id, TextBuffer& buffer, FindBarEvents& events) {
    const std::string previous = icon_alone(kIconUp, "Previous"), next = icon_alone(kIconDown, "Next"),
                      close_label = icon_alone(kIconCross, "Close");
    constexpr const char *kCase = "Aa", *kWord = "Word", *kReplace = "Replace", *kAll = "All";
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(tokens().hair, tokens().gap_small));
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        ImVec2(tokens().gap_small, ImGui::GetStyle().FramePadding.y));
    const AtExit pop([] { ImGui::PopStyleVar(2); });
    const float gap = ImGui::GetStyle().ItemSpacing.x;
    float room = ImGui::GetContentRegionAvail().x;
    for (const std::string& label : {previous, next, close_label, std::string(kCase), std::string(kWord),
                                     std::string(kReplace), std::string(kAll)})
        room -= button_width(label) + gap;
    std::string count = count_words(buffer);
    if (!remark_.empty() && !count.empty()) count += ", " + remark_;
    const float least = 2 * (6 * ImGui::GetFontSize() + gap);
    if (room - width_of(count) - gap < least) count = count_words(buffer);
    const bool counts = !count.empty() && room - width_of(count) - gap >= least;
    if (counts) room -= width_of(count) + gap;
    const float field = std::floor(std::clamp(room / 2 - gap, 4 * ImGui::GetFontSize(), field_width()));

    const TextFieldState needle = text_field(id + "/needle", query_.needle,
                                             {.icon = kIconSearch,
                                              .hint = "Find",
                                              .width = field,
                                              .takes_keyboard = takes_keyboard_,
                                              .is_refused = !query_.needle.empty() && found(buffer).empty()});
    if (!counts) tooltip(count_words(buffer));
    if (needle.changed) select_from_here(buffer);
    if (needle.entered) {
        step(buffer, ImGui::GetIO().KeyShift ? -1 : +1);
        wants_keyboard_ = true;
    }
    flow_next(field);
    const TextFieldState replacement =
        text_field(id + "/replacement", replacement_, {.hint = "Replace with", .width = field});
    if (needle.escaped || replacement.escaped) events.closed = true;

    const bool any = !found(buffer).empty();
    if (next_button(id + "/previous", previous,
                    {.enabled = any, .tooltip = "Previous (" + keys_of(Action::FindPrevious) + ")"}))
        step(buffer, -1);
    if (next_button(
            id + "/next", next,
            {.enabled = any, .tooltip = "Next (" + keys_of(Action::FindNext) + ", or Enter in the field)"}))
        step(buffer, +1);
    bool changed = false;
    changed |= toggle(id + "/case", kCase, query_.case_sensitive, "Upper and lower case must match");
    changed |= toggle(id + "/word", kWord, query_.whole_word, "Do not match parts of longer words");
    if (changed) select_from_here(buffer);
    if (next_button(id + "/replace", kReplace,
                    {.enabled = any, .tooltip = "The selected occurrence, then go to the next"}))
        replace_one(buffer, query_, replacement_);
    if (next_button(id + "/replace_all", kAll,
                    {.enabled = any,
                     .tooltip = "Replace all occurrences; " + keys_of(Action::Undo) + " brings them back"})) {
        const std::size_t replaced = replace_all(buffer, query_, replacement_);
        remark_ = std::to_string(replaced) + " replaced";
    }
    if (next_button(id + "/close", close_label, {.kind = ButtonKind::Quiet, .tooltip = "Close (Esc)"}))
        events.closed = true;
    if (!counts) return;
    flow_next(width_of(count));
    text(id + "/count", count, {.tone = found(buffer).empty() ? Tone::Warning : Tone::Muted, .in_row = true});
}

std::string FindBar::count_words(const TextBuffer& buffer) {
    if (query_.needle.empty()) return "";
    const auto all = found(buffer);
    if (all.empty()) return "not found";
    const auto present = match_at(all, buffer.selected());
    return present ? std::to_string(*present + 1) + " of " + std::to_string(all.size())
                   : counted(all.size(), "occurrence");
}

void FindBar::draw_go_to(const std::string& id, TextBuffer& buffer, FindBarEvents& events) {
    const std::string hint = "Line, 1 to " + std::to_string(buffer.line_count());
    const TextFieldState field = text_field(
        id + "/line", line_, {.hint = hint, .width = field_width(), .takes_keyboard = takes_keyboard_});
    const bool goes = next_button(id + "/go", "Go to line") || field.entered;
    if (next_button(id + "/close", "Close", {.kind = ButtonKind::Quiet, .tooltip = "Esc"}) || field.escaped)
        events.closed = true;
    if (!remark_.empty()) {
        flow_next(ImGui::CalcTextSize(remark_.c_str()).x);
        text(id + "/count", remark_, {.tone = Tone::Warning, .in_row = true});
    }
    if (!goes) return;
    const auto line = read_number<std::size_t>(trim(line_));
    if (!line || *line == 0 || *line > buffer.line_count()) {
        remark_ = "There are lines 1 to " + std::to_string(buffer.line_count());
        wants_keyboard_ = true;
        return;
    }
    buffer.set_caret({*line - 1, 0});
    events.moved = true;
    events.closed = true;
}

}  // namespace kwb::gui
