// SPDX-License-Identifier: Apache-2.0
// The contestant that a panel shows: chosen in a row of buttons, or the one whose source comes to the front.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "desk/state.hpp"

namespace kwb::gui {

class ContestantStrip {
public:
    /// @return  index into Preview::contestants, of which there is at least one
    std::size_t follow(const DeskState& state);
    /// A button for each contestant, if there are several. @return  true: one was clicked
    bool draw(const DeskState& state, const std::string& id);

    std::size_t chosen() const { return chosen_; }

private:
    std::size_t chosen_ = 0;
    std::optional<DocumentId> followed_;  ///< the document in front when last drawn
};

}  // namespace kwb::gui
