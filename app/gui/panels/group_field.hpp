// SPDX-License-Identifier: Apache-2.0
// The field that chooses the work-group that X-ray traces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "desk/shown_xray.hpp"
#include "gui/fields.hpp"

namespace kwb::gui {

/// "(0, 3)"
std::string tuple_words(const std::vector<std::uint64_t>& index, std::size_t dimensions);

/// Draws one line: also the launch, if there are several.
class GroupField {
public:
    /// @param report  with a launch
    void draw(const XrayReport& report, XrayTarget& target);

private:
    Typing typing_;
};

}  // namespace kwb::gui
