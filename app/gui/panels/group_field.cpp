// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/group_field.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "base/text.hpp"
#include "gui/widgets.hpp"

namespace kwb::gui {
namespace {

/// "3, 2" and "(3,2)"; nullopt if it is no group of the launch.
std::optional<std::vector<std::uint64_t>> read_group(std::string_view text, const XrayLaunch& launch) {
    std::vector<std::uint64_t> group;
    for (std::string word : split(text, ',')) {
        std::erase_if(word, [](char c) { return c == ' ' || c == '(' || c == ')'; });
        const auto index = read_number<std::uint64_t>(word);
        if (!index) return std::nullopt;
        group.push_back(*index);
    }
    if (group.empty() || group.size() > launch.global.size()) return std::nullopt;
    for (std::size_t d = 0; d < group.size(); ++d)
        if (group[d] >= launch.global[d] / launch.local[d]) return std::nullopt;
    group.resize(3);
    return group;
}

}  // namespace

std::string tuple_words(const std::vector<std::uint64_t>& index, std::size_t dimensions) {
    std::vector<std::uint64_t> shown = index;
    shown.resize(dimensions);
    return fmt::format("({})", fmt::join(shown, ", "));
}

void GroupField::draw(const XrayReport& report, XrayTarget& target) {
    const std::size_t launch = std::min<std::size_t>(target.launch, report.launches.size() - 1);
    const float gap = tokens().gap_small, field = 6 * ImGui::GetFontSize();
    if (report.launches.size() > 1) {
        const auto name = [&](std::size_t i) {
            return fmt::format("{}. {}", i + 1, report.launches[i].kernel);
        };
        const Combo combo("xray/launch", name(launch),
                          {.width = 2 * field, .tooltip = "The launch whose work-group is shown"});
        if (combo.open)
            for (std::size_t i = 0; i < report.launches.size(); ++i)
                if (option("xray/launch/" + std::to_string(i), name(i), {.chosen = i == launch})) {
                    target.launch = static_cast<std::uint32_t>(i);
                    target.group = {0, 0, 0};
                }
        ImGui::SameLine(0, gap);
    }
    ImGui::AlignTextToFramePadding();
    text("xray/group/label", "Work-group");
    ImGui::SameLine(0, gap);
    const XrayLaunch& shown = report.launches[launch];
    const std::string now = tuple_words(target.group, shown.global.size());
    if (const auto typed = typed_field("xray/group", now, typing_, field)) {
        if (const auto group = read_group(*typed, shown))
            target.group = *group;
        else
            typing_.refuse("This launch has no such work-group");
    }
    std::vector<std::uint64_t> groups;
    for (std::size_t d = 0; d < shown.global.size(); ++d) groups.push_back(shown.global[d] / shown.local[d]);
    const std::string* const refusal = typing_.refusal();
    tooltip(refusal != nullptr
                ? *refusal + ": there are " + fmt::format("{}", fmt::join(groups, " \u00d7 "))
                : fmt::format("Which of the {} to show step by step", fmt::join(groups, " \u00d7 ")));
    typing_.end_frame();
}

}  // namespace kwb::gui
