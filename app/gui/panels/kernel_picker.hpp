// The list from which a kernel is chosen, with a field that narrows it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "desk/state.hpp"

namespace kwb::gui {

/// What is in an open combo box or popup; one does for a panel, because one list is open at a time.
class KernelPicker {
public:
    /// Kernels of `problem`, and those whose problem is not known; all of them if it is empty. Enter takes
    /// the first one that is left.
    /// @return  the name of the kernel chosen in this frame; the list then closes
    /// Probes: <id>/filter, <id>/option/<name>, <id>/none.
    std::optional<std::string> draw(std::string_view id, const DeskState& state, std::string_view problem,
                                    std::string_view chosen);

private:
    std::string filter_;
};

/// "tiled" of "matmul/tiled", "mine" of "/home/me/mine.cl"; cpu:blas is itself.
std::string kernel_words(std::string_view kernel);

}  // namespace kwb::gui
