// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/work_item_grid.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "gui/panels/cells.hpp"
#include "gui/panels/group_field.hpp"
#include "gui/widgets.hpp"
#include "plot/count_map.hpp"

namespace kwb::gui {

void WorkItemGrid::begin(const XrayReport& report, std::uint32_t launch) {
    local_ = launch < report.launches.size() ? report.launches[launch].local : std::vector<std::uint64_t>{1};
    sub_group_ = report.sub_group;
    columns_ = local_.size() > 1 ? local_[0] : std::min<std::uint64_t>(local_[0], sub_group_);
    marks_.assign(std::accumulate(local_.begin(), local_.end(), std::uint64_t{1}, std::multiplies<>()), 0);
}

void WorkItemGrid::mark(std::uint32_t item, Mark as) {
    if (item < marks_.size()) marks_[item] |= as;
}

void WorkItemGrid::unmark(int marks) {
    for (std::uint8_t& known : marks_) known &= static_cast<std::uint8_t>(~marks);
}

std::string WorkItemGrid::name(std::uint32_t item) const {
    std::vector<std::uint64_t> index;
    std::uint64_t rest = item;
    for (const std::uint64_t extent : local_) {
        index.push_back(rest % extent);
        rest /= extent;
    }
    return tuple_words(index, index.size());
}

std::optional<std::uint32_t> WorkItemGrid::draw(std::optional<std::uint32_t> selected, ImU32 alarm) const {
    const std::size_t rows = (marks_.size() + columns_ - 1) / columns_;
    const float most = 16 * look().pixels();
    const float room = ImGui::GetContentRegionAvail().x - tokens().scrollbar;
    const plot::Size size = plot::count_map_size(
        rows, columns_, {std::min(room, most * static_cast<float>(columns_)), 14 * ImGui::GetFontSize()});
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const plot::Rect area{at.x, at.y, size.width, size.height};
    const float cell_px = size.width / static_cast<float>(columns_);
    const float inset = cell_px > 5 ? std::round(cell_px * 0.1f) : 0;
    const ImU32 idle[] = {colors().raised.u32(), colors().raised_active.u32()};
    const ImU32 active = colors().text.u32(), uses = colors().warning.u32();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        const std::uint8_t known = marks_[i];
        const plot::Rect cell = plot::cell_rect(area, rows, columns_, i).grown(-inset);
        fill_cell(cell, (known & kAlarming) != 0 ? alarm
                        : (known & kActive) != 0 ? active
                                                 : idle[i / sub_group_ % 2]);
        if ((known & kUses) != 0 || selected == i)
            list.AddRect({cell.x, cell.y}, {cell.right(), cell.bottom()}, uses, 0, 0,
                         std::max(1.0f, cell_px * 0.16f));
    }
    const auto [hovered, pressed] = press_cells("xray/items", area, rows, columns_);
    if (hovered && *hovered < marks_.size())
        tooltip("Work-item " + name(static_cast<std::uint32_t>(*hovered)) +
                " of the group; a click shows what it uses");
    if (!pressed || *pressed >= marks_.size()) return std::nullopt;
    return static_cast<std::uint32_t>(*pressed);
}

}  // namespace kwb::gui
