// SPDX-License-Identifier: Apache-2.0
// The kernel under the pointer, lit up in every panel.
#pragma once

#include <cstddef>
#include <optional>

namespace kwb::gui {

/// Colour slots identify kernels; they are the same in all panels.
class Hovered {
public:
    /// The kernel that the pointer was on in the last frame.
    std::optional<std::size_t> lit() const { return lit_; }

    /// The pointer is on an item that represents this kernel.
    void point_at(std::size_t slot) { next_ = slot; }

    /// Call after an item that represents a kernel: the kernel is lit while the pointer is on it, and it is
    /// tinted while the kernel is lit.
    void link_last(std::size_t slot);

    /// Call after each frame.
    void end_frame();

private:
    std::optional<std::size_t> lit_, next_;
};

}  // namespace kwb::gui
