// SPDX-License-Identifier: Apache-2.0
#include "gui/fields.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

namespace kwb::gui {
namespace {

constexpr std::int64_t kMostExtent = 2'147'483'647;

float room_or(float width) {
    return width != 0 ? width : ImGui::GetContentRegionAvail().x;
}

struct Passed {
    std::string* text;
    bool caret_to_end;
};

int on_event(ImGuiInputTextCallbackData* data) {
    auto& passed = *static_cast<Passed*>(data->UserData);
    if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
        passed.text->resize(static_cast<std::size_t>(data->BufTextLen));
        data->Buf = passed.text->data();
    } else if (data->EventFlag == ImGuiInputTextFlags_CallbackAlways && passed.caret_to_end) {
        data->CursorPos = data->SelectionStart = data->SelectionEnd = data->BufTextLen;
    }
    return 0;
}

}  // namespace

void field_label(std::string_view id, std::string_view words, float room) {
    const FontScope font(fonts().small);
    text(id, shortened(words, room_or(room)), {.tone = Tone::Muted, .font = fonts().small});
}

float half_width() {
    return std::floor((ImGui::GetContentRegionAvail().x - tokens().gap_small) / 2);
}

void beside_last() {
    ImGui::SameLine(0, tokens().gap_small);
    // Otherwise ImGui would align a label with the text inside a field.
    ImGui::GetCurrentWindow()->DC.CurrLineTextBaseOffset = 0;
}

Combo::Combo(std::string_view id, std::string_view shown, const ComboOptions& options) {
    const float width = room_or(options.width);
    const float padding = 2 * ImGui::GetStyle().FramePadding.x;
    const float arrow = ImGui::GetFrameHeight();
    const std::string cut = shortened(shown, width - padding - arrow);
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const float least = std::min(std::max(width, options.popup_width), window.x * 0.9f);
    ImGui::SetNextItemWidth(width);
    ImGui::SetNextWindowSizeConstraints({least, 0}, {window.x * 0.9f, window.y * 0.6f});
    if (!options.enabled) ImGui::BeginDisabled();
    const ImVec2 padding_of_list(tokens().gap_small, tokens().gap_small);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding_of_list);
    open = ImGui::BeginCombo(("##" + std::string(id)).c_str(), cut.c_str());
    ImGui::PopStyleVar();
    if (!options.enabled) ImGui::EndDisabled();
    // While the list is open, the last item is still the field, but its window is the list's.
    if (!open) {
        probe(id, {.label = cut, .label_padding = padding + arrow});
        if (!options.tooltip.empty())
            tooltip(options.tooltip);
        else if (cut != shown)
            tooltip(shown);
    }
}

bool option(std::string_view id, std::string_view label, const OptionLook& options) {
    const float gap = tokens().gap;
    if (!options.enabled) ImGui::BeginDisabled();
    const bool chosen =
        ImGui::Selectable((std::string(label) + "###" + std::string(id)).c_str(), options.chosen,
                          options.keeps_open ? compat::kKeepsPopupOpen : 0, {0, ImGui::GetTextLineHeight()});
    probe(id, {.label = label});
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    if (!options.enabled) ImGui::EndDisabled();
    const ImVec2 extent = ImGui::CalcTextSize(label.data(), label.data() + label.size());
    std::string cut;
    if (!options.remark.empty()) {
        const float x = std::max(min.x + extent.x + 2 * gap, min.x + 9 * ImGui::GetFontSize());
        cut = shortened(options.remark, max.x - x);
        ImGui::GetWindowDrawList()->AddText({x, min.y + (max.y - min.y - extent.y) / 2},
                                            colors().text_muted.u32(), cut.c_str());
    }
    if (!options.tooltip.empty())
        tooltip(options.tooltip);
    else if (cut != options.remark)
        tooltip(options.remark);
    if (options.chosen && ImGui::IsWindowAppearing()) ImGui::SetItemDefaultFocus();
    return chosen;
}

std::string ticked(bool is_on, std::string_view label) {
    const std::string sign = "\u2713  ";
    if (is_on) return sign + std::string(label);
    std::string room;
    while (width_of(room) < width_of(sign)) room += ' ';
    return room + std::string(label);
}

float tick_width(std::string_view label) {
    return ImGui::GetFrameHeight() + ImGui::GetStyle().ItemInnerSpacing.x + width_of(label);
}

bool tick(std::string_view id, std::string_view label, bool value, std::string_view words) {
    // Without a border, an empty box would hardly stand out from the background.
    ImGui::PushStyleColor(ImGuiCol_Border, colors().text_muted.vec());
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, tokens().border);
    const bool changed = ImGui::Checkbox((std::string(label) + "###" + std::string(id)).c_str(), &value);
    ImGui::PopStyleVar();
    ImGui::PopStyleColor();
    probe(id, {.label = label, .label_padding = tick_width("")});
    if (!words.empty()) tooltip(words);
    return changed;
}

TextFieldState text_field(std::string_view id, std::string& text, const TextFieldOptions& options) {
    const std::string hint =
        options.icon != nullptr ? with_icon(options.icon, options.hint) : std::string(options.hint);
    ImGui::SetNextItemWidth(room_or(options.width));
    if (options.takes_keyboard) look().tab_order().take_next();
    // ImGui draws hints in the disabled colour, which is too faint to read.
    ImGui::PushStyleColor(ImGuiCol_TextDisabled, colors().text_muted.vec());
    ImGuiInputTextFlags flags = ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_CallbackAlways;
    if (options.keeps_up_and_down) flags |= ImGuiInputTextFlags_CallbackHistory;
    if (options.selects_all) flags |= ImGuiInputTextFlags_AutoSelectAll;
    if (options.is_refused) {
        ImGui::PushStyleColor(ImGuiCol_Border, colors().danger.vec());
        ImGui::PushStyleColor(ImGuiCol_Text, colors().danger.vec());
        ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 2 * tokens().border);
    }
    const std::string label = "##" + std::string(id);
    const ImGuiID item = ImGui::GetID(label.c_str());
    const bool was_active = GImGui->ActiveId == item;
    Passed passed{&text, !was_active && !options.selects_all && !ImGui::IsMouseClicked(0)};
    TextFieldState state;
    state.changed = ImGui::InputTextWithHint(label.c_str(), hint.c_str(), text.data(), text.capacity() + 1,
                                             flags, on_event, &passed);
    probe(id);
    ImGui::PopStyleColor();
    if (options.is_refused) {
        ImGui::PopStyleVar();
        ImGui::PopStyleColor(2);
    }
    state.active = ImGui::IsItemActive();
    if (was_active) {
        // Both keys end the editing, so check each of them.
        state.entered = compat::is_pressed(Key::Enter, false) || compat::is_pressed(Key::KeypadEnter, false);
        state.escaped = compat::is_pressed(Key::Escape, false);
    }
    return state;
}

void Typing::refuse(std::string why) {
    finished_.refusal = std::move(why);
    entries_.insert_or_assign(finished_id_, finished_);
}

bool Typing::finish() {
    finishes_ = std::any_of(entries_.begin(), entries_.end(),
                            [](const auto& entry) { return entry.second.refusal.empty(); });
    return finishes_;
}

const std::string* Typing::refusal() const {
    for (const auto& [id, entry] : entries_)
        if (!entry.refusal.empty()) return &entry.refusal;
    return nullptr;
}

void Typing::go_to_refused() {
    for (const auto& [id, entry] : entries_)
        if (!entry.refusal.empty()) {
            takes_keyboard_ = id;
            return;
        }
}

bool Typing::holds(std::string_view prefix) const {
    return std::ranges::any_of(entries_, [&](const auto& entry) { return entry.first.starts_with(prefix); });
}

void Typing::drop(std::string_view prefix) {
    std::erase_if(entries_, [&](const auto& entry) { return entry.first.starts_with(prefix); });
}

void Typing::end_frame() {
    std::erase_if(entries_, [](const auto& entry) { return !entry.second.is_drawn; });
    for (auto& [id, entry] : entries_) entry.is_drawn = false;
    takes_keyboard_.clear();
    finishes_ = false;
}

std::optional<std::string> typed_field(std::string_view id, const std::string& value, Typing& typing,
                                       float width, std::string_view hint) {
    auto at = typing.entries_.find(id);
    if (at != typing.entries_.end() && !at->second.refusal.empty() && at->second.value != value) {
        typing.entries_.erase(at);
        at = typing.entries_.end();
    }
    const bool was_typing = at != typing.entries_.end();
    const bool is_refused = was_typing && !at->second.refusal.empty();
    std::string text = was_typing ? at->second.text : value;
    const TextFieldState state = text_field(id, text,
                                            {.hint = hint,
                                             .width = room_or(width),
                                             .takes_keyboard = typing.takes_keyboard_ == id,
                                             .selects_all = true,
                                             .is_refused = is_refused});
    if (is_refused) tooltip(at->second.refusal);
    if (state.escaped || (!was_typing && !state.active)) {
        typing.entries_.erase(std::string(id));
        return std::nullopt;
    }
    Typing::Entry entry{text, value, "", true};
    if (is_refused && text == at->second.text && !state.entered) {
        at->second.is_drawn = true;
        return std::nullopt;
    }
    if (state.active && !state.entered && !typing.finishes_) {
        typing.entries_.insert_or_assign(std::string(id), std::move(entry));
        return std::nullopt;
    }
    if (state.active) ImGui::ClearActiveID();
    typing.entries_.erase(std::string(id));
    typing.finished_id_ = id;
    typing.finished_ = std::move(entry);
    if (text == value) return std::nullopt;
    return text;
}

std::optional<int> step_slider(std::string_view id, int value, int least, int most) {
    int moved = std::clamp(value, least, most);
    ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x);
    const bool changed = ImGui::SliderInt(("##" + std::string(id)).c_str(), &moved, least, most, "",
                                          ImGuiSliderFlags_NoInput | ImGuiSliderFlags_AlwaysClamp);
    probe(id);
    if (!changed || moved == value) return std::nullopt;
    return moved;
}

std::optional<std::int64_t> read_extent(std::string_view text) {
    std::string digits;
    for (const char c : text)
        if (std::isspace(static_cast<unsigned char>(c)) == 0) digits += c;
    const auto value = read_number<std::int64_t>(digits);
    return value && *value >= 1 && *value <= kMostExtent ? value : std::nullopt;
}

std::string not_a_number(std::string_view text, std::string_view range, std::string_view kind) {
    const bool is_empty = text.find_first_not_of(' ') == std::string_view::npos;
    return (is_empty ? "type a " : "'" + std::string(text) + "' is not a ") + std::string(kind) + " from " +
           std::string(range);
}

}  // namespace kwb::gui
