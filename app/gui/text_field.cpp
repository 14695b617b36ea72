#include "gui/text_field.hpp"

#include "gui/icons.hpp"
#include "gui/imgui_compat.hpp"
#include "gui/look.hpp"

namespace kwb::gui {
namespace {

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

TextFieldState text_field(std::string_view id, std::string& text, const TextFieldOptions& options) {
    const std::string hint =
        options.icon != nullptr ? with_icon(options.icon, options.hint) : std::string(options.hint);
    ImGui::SetNextItemWidth(options.width != 0 ? options.width : ImGui::GetContentRegionAvail().x);
    if (options.takes_keyboard) ImGui::SetKeyboardFocusHere();
    // ImGui's hint has the colour of what is disabled: too faint for words that are meant to be read.
    ImGui::PushStyleColor(ImGuiCol_TextDisabled, look().colors().text_muted.vec());
    ImGuiInputTextFlags flags = ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_CallbackAlways;
    if (options.keeps_up_and_down) flags |= ImGuiInputTextFlags_CallbackHistory;
    const std::string label = "##" + std::string(id);
    const ImGuiID item = ImGui::GetID(label.c_str());
    const bool was_active = GImGui->ActiveId == item;
    Passed passed{&text, !was_active && !ImGui::IsMouseClicked(0)};
    TextFieldState state;
    state.changed = ImGui::InputTextWithHint(label.c_str(), hint.c_str(), text.data(), text.capacity() + 1,
                                             flags, on_event, &passed);
    probe(id);
    ImGui::PopStyleColor();
    state.active = ImGui::IsItemActive();
    if (was_active) {
        // Both end the editing: so they are asked for themselves.
        state.entered = compat::is_pressed(Key::Enter, false) || compat::is_pressed(Key::KeypadEnter, false);
        state.escaped = compat::is_pressed(Key::Escape, false);
    }
    return state;
}

}  // namespace kwb::gui
