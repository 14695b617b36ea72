// SPDX-License-Identifier: Apache-2.0
#include "gui/probe.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gui/look.hpp"

namespace kwb::gui {
namespace {

/// Fields that probes of items and of custom rectangles have in common.
Probed describe(const ImRect& full, const ProbeOptions& options) {
    Probed probed;
    probed.rect = probed.full = full;
    const ImDrawList& list = *ImGui::GetWindowDrawList();
    probed.rect.ClipWithFull({list.GetClipRectMin(), list.GetClipRectMax()});
    probed.visible = probed.rect.GetWidth() > 0 && probed.rect.GetHeight() > 0;
    probed.enabled = (GImGui->CurrentItemFlags & ImGuiItemFlags_Disabled) == 0;
    probed.container = options.container;
    const ImGuiWindow& window = *ImGui::GetCurrentWindow();
    for (const ImGuiWindow* parent = &window; parent != nullptr; parent = parent->ParentWindow) {
        probed.scrolls_y = probed.scrolls_y || parent->ScrollbarY;
        probed.scrolls_x = probed.scrolls_x || parent->ScrollbarX;
        if (parent == window.RootWindow) break;
    }
    probed.layer = window.RootWindow->ID;
    if (!options.label.empty()) {
        probed.label = options.label;
        const std::size_t hidden = options.label.find("##");  // ImGui does not display the rest
        if (hidden != std::string_view::npos) probed.label.resize(hidden);
        const ImVec2 size = ImGui::CalcTextSize(probed.label.c_str(), nullptr, false,
                                                options.wraps ? full.GetWidth() : -1.0f);
        probed.label_width = options.wraps ? 0 : size.x + options.label_padding;
        probed.label_height = size.y;
    }
    return probed;
}

}  // namespace

void probe(std::string_view id, const ProbeOptions& options) {
    look().tab_order().offer_last_item(options.rests);
    Probes& probes = look().probes();
    if (!probes.enabled()) return;
    Probed probed = describe({ImGui::GetItemRectMin(), ImGui::GetItemRectMax()}, options);
    probed.visible = probed.visible && ImGui::IsItemVisible();
    probed.hovered = ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled);
    probed.active = ImGui::IsItemActive();
    probed.focused = ImGui::IsItemFocused();
    probed.acts = ImGui::GetItemID() != 0;
    probes.store(id, std::move(probed));
}

void probe_rect(std::string_view id, const ImRect& full, const ProbeOptions& options) {
    Probes& probes = look().probes();
    if (!probes.enabled()) return;
    Probed probed = describe(full, options);
    probed.hovered = ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows) &&
                     probed.rect.Contains(ImGui::GetIO().MousePos);
    probes.store(id, std::move(probed));
}

void Probes::begin_frame() {
    all_.clear();
    duplicates_.clear();
}

void Probes::store(std::string_view id, Probed probed) {
    const auto [at, added] = all_.try_emplace(std::string(id), std::move(probed));
    if (!added) duplicates_.push_back(at->first);
}

std::string Probes::lines() const {
    std::string lines;
    for (const auto& [id, probed] : all_) {
        if (!probed.visible) continue;
        const auto& [min, max] = probed.rect;
        std::string label = probed.label;
        std::ranges::replace_if(
            label, [](char c) { return c == '\n' || c == '\t'; }, ' ');
        lines += fmt::format("{}\t{:.0f} {:.0f} {:.0f} {:.0f}\t{} {}\t{}\n", id, min.x, min.y, max.x, max.y,
                             probed.enabled ? "enabled" : "", probed.hovered ? "hovered" : "", label);
    }
    return lines;
}

const Probed* Probes::find(std::string_view id) const {
    const auto at = all_.find(id);
    return at == all_.end() ? nullptr : &at->second;
}

}  // namespace kwb::gui
