// SPDX-License-Identifier: Apache-2.0
// The work-items of a traced group, each a cell.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gui/imgui_compat.hpp"
#include "model/xray.hpp"

namespace kwb::gui {

class WorkItemGrid {
public:
    enum Mark : std::uint8_t { kActive = 1, kAlarming = 2, kUses = 4 };

    /// The work-items of a group of this launch, without marks; a single one if there is no such launch.
    void begin(const XrayReport& report, std::uint32_t launch);
    void mark(std::uint32_t item, Mark as);
    /// @param marks  one or several
    void unmark(int marks);

    /// The local id: "(0, 3)".
    std::string name(std::uint32_t item) const;
    /// @param alarm  colour of kAlarming
    /// @return  the work-item that was clicked
    std::optional<std::uint32_t> draw(std::optional<std::uint32_t> selected, ImU32 alarm) const;

private:
    std::vector<std::uint64_t> local_;
    std::uint32_t sub_group_ = 1;
    std::size_t columns_ = 1;
    std::vector<std::uint8_t> marks_;  ///< of each work-item
};

}  // namespace kwb::gui
