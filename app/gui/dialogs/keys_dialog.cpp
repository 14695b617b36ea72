// SPDX-License-Identifier: Apache-2.0

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "gui/dialogs/modal.hpp"

namespace kwb::gui {
namespace {

struct Line {
    std::string keys;
    std::string_view words;
};

struct Group {
    std::string_view title;
    std::vector<Line> lines;
};

/// "Ctrl+Shift+Z or Ctrl+Y"; alternatives for other keyboard layouts are omitted.
std::string keys_text(const KeyEntry& entry) {
    constexpr std::size_t kMostShown = 2;
    std::vector<std::string> shown;
    for (const Chord& chord : entry.chords()) {
        const std::string keys = to_string(chord);
        const bool is_plus_or_minus = keys.ends_with("+") || keys.ends_with("\u2212");
        if (shown.size() == kMostShown || (is_plus_or_minus && !shown.empty())) continue;
        shown.push_back(keys);
    }
    return join(shown, " or ");
}

std::vector<Group> make_groups() {
    std::vector<Group> groups;
    for (int index = 0; index < kKeyGroups; ++index) {
        const auto group = static_cast<KeyGroup>(index);
        Group made{title_of(group), {}};
        for (const GestureEntry& entry : gesture_table())
            if (entry.group == group) made.lines.push_back({std::string(entry.gesture), entry.words});
        for (const KeyEntry& entry : key_table())
            if (entry.group == group) made.lines.push_back({keys_text(entry), entry.words});
        groups.push_back(std::move(made));
    }
    return groups;
}

/// Indices of the groups that begin a new column, so that the longest column is as short as possible.
std::vector<std::size_t> column_begins(const std::vector<Group>& groups, std::size_t columns) {
    const auto rows_of = [](const Group& group) { return group.lines.size() + 2; };
    for (std::size_t most = rows_of(*std::ranges::max_element(groups, {}, rows_of));; ++most) {
        std::vector<std::size_t> begins;
        std::size_t rows = 0;
        for (std::size_t group = 0; group < groups.size(); ++group) {
            rows += rows_of(groups[group]);
            if (rows <= most) continue;
            begins.push_back(group);
            rows = rows_of(groups[group]);
        }
        if (begins.size() < columns) return begins;
    }
}

/// Draws a key cap, and reserves the width of the widest one.
void draw_keys(const std::string& id, const std::string& keys, float width) {
    const FontScope font(fonts().small);
    const float height = ImGui::GetFontSize() + 2 * tokens().hair;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const float words = width_of(keys);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(corner, {corner.x + words + 2 * tokens().gap_small, corner.y + height},
                       colors().raised.u32(), tokens().rounding);
    list.AddText({corner.x + tokens().gap_small, corner.y + tokens().hair}, colors().text.u32(),
                 keys.c_str());
    ImGui::Dummy({width, height});
    probe(id, {.label = keys, .label_padding = 2 * tokens().gap_small});
}

}  // namespace

void KeysDialog::draw(const DeskState&, Commands&) {
    const bool asked = pressed(Action::Keys);
    if (!is_open_) {
        if (!asked || modal_is_open()) return;
        is_open_ = true;
    } else if (asked || pressed(plain(Key::Escape))) {
        is_open_ = false;
    }
    const float em = compat::size_of(*fonts().body);
    const ImVec2 window = ImGui::GetIO().DisplaySize;
    const int columns = window.x >= 86 * em ? 3 : window.x >= 58 * em ? 2 : 1;
    const float widths[] = {32, 56, 84};
    // As high as the list in the last frame, so that it only scrolls if the window is too small.
    const Modal modal("keys", {widths[columns - 1] * em, height_ > 0 ? height_ : 42 * em});
    if (!modal.visible) return;
    text("keys/title", "Keys", {.font = fonts().title, .icon = kIconKeyboard});
    ImGui::Dummy({0, 0});

    const std::vector<Group> groups = make_groups();
    const float foot = ImGui::GetFrameHeight() + tokens().gap;
    ImGui::PushStyleColor(ImGuiCol_ChildBg, colors().popup.with_alpha(0).vec());
    const float room = ImGui::GetContentRegionAvail().y - foot;
    compat::begin_child("list", {0, -foot}, false);
    ImGui::PopStyleColor();
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(tokens().gap_small, std::floor(tokens().hair / 2)));
    float keys_width = 0;
    {
        const FontScope font(fonts().small);
        for (const Group& group : groups)
            for (const Line& line : group.lines) keys_width = std::max(keys_width, width_of(line.keys));
    }
    keys_width += 2 * tokens().gap_small;
    const std::vector<std::size_t> begins = column_begins(groups, static_cast<std::size_t>(columns));
    std::size_t row = 0;
    ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, ImVec2(0, 0));
    if (ImGui::BeginTable("columns", columns)) {
        ImGui::TableNextColumn();
        for (std::size_t g = 0; g < groups.size(); ++g) {
            if (std::ranges::find(begins, g) != begins.end()) ImGui::TableNextColumn();
            text("keys/group/" + std::to_string(g), groups[g].title,
                 {.tone = Tone::Accent, .font = fonts().strong});
            for (const Line& line : groups[g].lines) {
                const std::string id = "keys/row/" + std::to_string(row++);
                draw_keys(id + "/keys", line.keys, keys_width);
                ImGui::SameLine(0, tokens().gap);
                const float offset = (ImGui::GetItemRectSize().y - em) / 2;
                ImGui::SetCursorPosY(ImGui::GetCursorPosY() + std::max(0.0f, offset));
                text(id + "/words", line.words, {.wraps = true});
            }
            ImGui::Dummy({0, tokens().hair});
        }
        ImGui::EndTable();
    }
    ImGui::PopStyleVar();
    const float needed = ImGui::GetCursorPosY() + tokens().gap;
    ImGui::PopStyleVar();
    ImGui::EndChild();
    height_ = ImGui::GetWindowHeight() - room + needed;
    ImGui::Dummy({0, 0});
    const float width = button_width("Close", kIconCheck);
    align_right(width);
    if (button("keys/close", "Close", {.icon = kIconCheck, .kind = ButtonKind::Primary})) is_open_ = false;
    ImGui::SetItemDefaultFocus();
    if (!is_open_) ImGui::CloseCurrentPopup();
}

}  // namespace kwb::gui
