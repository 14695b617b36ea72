// SPDX-License-Identifier: Apache-2.0
// The row of tabs, and the list of files that do not fit into it.
#include <algorithm>
#include <filesystem>
#include <vector>

#include "gui/fields.hpp"
#include "gui/panels/experiment_panel.hpp"
#include "gui/panels/source_panel.hpp"

namespace kwb::gui {
namespace {

bool has_error(const Document& document) {
    return std::any_of(document.marks().begin(), document.marks().end(),
                       [](const LineMark& mark) { return mark.kind == LineMark::Kind::Error; });
}

/// Includes room for the signs after the name and for the close button.
float tab_width(const std::string& label, const Document& document) {
    const int signs = (document.is_modified() ? 1 : 0) + (has_error(document) ? 1 : 0);
    return button_width(label) + static_cast<float>(signs) * tokens().gap + button_width("\u00d7");
}

/// The colour slots of the kernels in this file.
std::vector<std::size_t> slots_of(const DeskState& state, const Document& document) {
    const std::vector<std::size_t> all = color_slots(state);
    std::vector<std::size_t> slots;
    for (std::size_t i = 0; i < std::min(all.size(), state.preview.contestants.size()); ++i)
        if (document.path() == std::filesystem::path(state.preview.contestants[i].file))
            slots.push_back(all[i]);
    return slots;
}

}  // namespace

std::string with_id(const char* name, DocumentId id) {
    return "source/" + std::string(name) + "/" + std::to_string(id);
}

std::string tab_label(const DeskState& state, const Document& document) {
    const bool is_alone =
        std::count_if(state.documents.begin(), state.documents.end(),
                      [&](const auto& other) { return other->name() == document.name(); }) == 1;
    return is_alone ? document.name()
                    : document.path().parent_path().filename().string() + "/" + document.name();
}

void SourcePanel::bring_to_front(const Document& document, Commands& commands) {
    commands.push_back(command::BringToFront{document.id()});
    keyboard_for_ = document.id();
}

/// Draws the tabs that fit in one row, always including the front one, and a list of all files if some do not
/// fit.
void SourcePanel::draw_tabs(const DeskState& state, float width, Commands& commands) {
    const float room = width > 0 ? width : ImGui::GetContentRegionAvail().x;
    const std::size_t count = state.documents.size();
    std::vector<std::string> labels;
    std::vector<float> widths;
    float all = 0;
    std::size_t front = 0;
    for (const auto& document : state.documents) {
        const float around = tab_width("", *document);
        if (document->id() == state.front) front = labels.size();
        labels.push_back(shortened(tab_label(state, *document), std::max(4 * tokens().gap, room - around)));
        widths.push_back(tab_width(labels.back(), *document));
        all += widths.back() + tokens().hair;
    }
    const std::string list_label = counted(count, "file");
    const bool fits = all <= room;
    const float list_width = fits ? 0 : button_width(list_label, kIconDown) + tokens().hair;
    const auto last_from = [&](std::size_t first) {
        float used = 0;
        std::size_t last = first;
        while (last < count && used + widths[last] + list_width <= room)
            used += widths[last++] + tokens().hair;
        return std::max(last, std::min(first + 1, count));
    };
    first_tab_ = fits ? 0 : std::min({first_tab_, front, count - 1});
    while (last_from(first_tab_) <= front) ++first_tab_;
    // Also show earlier tabs if there is room.
    while (first_tab_ > 0 && last_from(first_tab_ - 1) == count) --first_tab_;
    const std::size_t last = last_from(first_tab_);
    ImGui::BeginGroup();
    for (std::size_t i = first_tab_; i < last; ++i) {
        if (i > first_tab_) ImGui::SameLine(0, tokens().hair);
        std::string label = labels[i];
        if (!fits) label = shortened(label, room - list_width - tab_width("", *state.documents[i]));
        draw_tab(state, *state.documents[i], label, commands);
    }
    if (!fits) {
        ImGui::SameLine(0, tokens().hair);
        if (button("source/files", list_label,
                   {.icon = kIconDown, .kind = ButtonKind::Quiet, .tooltip = "All open files"}))
            ImGui::OpenPopup("source/files/list");
        draw_file_list(state, commands);
    }
    ImGui::EndGroup();
}

void SourcePanel::draw_file_list(const DeskState& state, Commands& commands) {
    ImGui::SetNextWindowPos({ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y});
    ImGui::SetNextWindowSizeConstraints({18 * ImGui::GetFontSize(), 0}, ImGui::GetIO().DisplaySize);
    const Popup popup("source/files/list");
    if (!popup.open) return;
    for (const auto& document : state.documents)
        if (option(with_id("file", document->id()), tab_label(state, *document),
                   {.chosen = document->id() == state.front,
                    .remark = has_error(*document)      ? "does not compile"
                              : document->is_modified() ? "edited"
                                                        : ""}))
            bring_to_front(*document, commands);
}

void SourcePanel::draw_tab(const DeskState& state, const Document& document, const std::string& label,
                           Commands& commands) {
    const bool is_front = document.id() == state.front;
    const float whole = tab_width(label, document), close_width = button_width("\u00d7");
    const float name_width = whole - close_width;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float height = ImGui::GetFrameHeight();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    if (is_front)
        list.AddRectFilled(at, {at.x + whole, at.y + height}, colors().raised.u32(), tokens().rounding);
    ImGui::PushStyleVar(ImGuiStyleVar_ButtonTextAlign, ImVec2(0, 0.5f));
    std::string tip = document.path().string();
    if (has_error(document)) tip += "\nDid not compile; see the marks";
    if (document.is_modified()) tip += "\nEdited, not saved; runs use the text on the screen";
    if (document.read_only()) tip += "\nComes with the workbench; saving makes a copy";
    if (button(with_id("tab", document.id()), label,
               {.kind = ButtonKind::Quiet,
                .width = name_width,
                .tooltip = tip,
                .tone = is_front ? Tone::Normal : Tone::Muted}))
        bring_to_front(document, commands);
    for (const std::size_t slot : slots_of(state, document)) hovered_.link_last(slot);
    ImGui::PopStyleVar();
    // Signs after the name, each at its own position.
    float x = at.x + name_width;
    if (document.is_modified()) {
        x -= tokens().gap;
        list.AddCircleFilled({x, at.y + height / 2}, tokens().hair, colors().warning.u32());
    }
    if (has_error(document)) {
        x -= tokens().gap;
        const float r = tokens().hair;
        const ImVec2 middle(x, at.y + height / 2);
        for (const float side : {-1.0f, 1.0f})
            list.AddLine({middle.x - r, middle.y - side * r}, {middle.x + r, middle.y + side * r},
                         colors().danger.u32(), std::max(1.5f, r / 2));
    }
    ImGui::SameLine(0, 0);
    if (button(with_id("close", document.id()), "\u00d7",
               {.kind = ButtonKind::Quiet,
                .tooltip =
                    "Close " + document.name() + (is_front ? " (" + keys_of(Action::CloseFile) + ")" : ""),
                .tone = Tone::Muted}))
        close(document, commands);
}

}  // namespace kwb::gui
