// SPDX-License-Identifier: Apache-2.0
// The launch of a kernel as a picture: the NDRange over the output, its work-groups, and one of its
// work-items.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "desk/state.hpp"
#include "gui/panels/contestant_strip.hpp"

namespace kwb::gui {

/// Shows the currently chosen launch of one contestant. Above, the whole NDRange with its work-groups; a
/// click selects one. Below, the work-items of that work-group; a click selects one. For a matrix product
/// with one work-item per element of C, also the row of A and the column of B that this element needs.
/// A source that comes to the front brings the launch of its kernel with it.
class LaunchPicture {
public:
    /// Draws into the remaining width of the current window.
    void draw(const DeskState& state);

    /// Global index of the selected work-item, dimensions 0 and 1.
    std::array<std::uint64_t, 2> selected() const { return selected_; }

private:
    ContestantStrip strip_;
    std::array<std::uint64_t, 2> selected_ = {0, 0};
    bool is_chosen_ = false;  ///< by the user
};

}  // namespace kwb::gui
