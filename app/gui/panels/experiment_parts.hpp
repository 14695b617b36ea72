// The parts of the experiment panel, and the data that they share while a frame is drawn.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "desk/command.hpp"
#include "desk/state.hpp"
#include "gui/fields.hpp"

namespace kwb::gui {

/// The list for choosing a kernel, with a filter field: the content of an open combo box or popup. A panel
/// needs only one, because one list is open at a time.
class KernelPicker {
public:
    /// Shows the kernels of `problem` and those whose problem is unknown; if `problem` is empty, all kernels.
    /// Enter chooses the kernel of exactly the name that was typed, otherwise the first that matches the
    /// filter.
    /// @return  the name of the kernel chosen in this frame; the list then closes
    /// Probes: <id>/filter, <id>/option/<name>, <id>/none.
    std::optional<std::string> draw(std::string_view id, const DeskState& state, std::string_view problem,
                                    std::string_view chosen);

private:
    std::string filter_;
};

/// "tiled" for "matmul/tiled", "mine" for "/home/me/mine.cl"; cpu:blas is unchanged.
std::string kernel_words(std::string_view kernel);

struct ChoicesEdit {
    const DeskState& state;
    Choices& choices;  ///< a copy of the state's, edited by the user
    Commands& commands;
    KernelPicker& picker;
    Typing& typing;
};

/// One contestant: its colour in the charts, kernel, work-group and parameters, the resulting launch, errors.
/// @param index  index into state.choices.contestants
/// Probes: experiment/contestant/<index>/kernel, …/more (a menu: …/baseline, …/duplicate, …/remove), …/local,
/// …/param/<name>, …/geometry, …/is_baseline, …/obstacle, …/warning/<number>.
void draw_contestant(ChoicesEdit& edit, std::size_t index);

/// The problem size: a slider over powers of two, and the exact extents. The slider moves all equal extents
/// together; while `linked` is ticked, typing also changes them together. Probes: experiment/size/slider,
/// …/linked, …/<extent's name>, …/bytes.
class SizeFields {
public:
    void draw(ChoicesEdit& edit);

private:
    void draw_slider(ChoicesEdit& edit);
    void draw_extents(ChoicesEdit& edit);
    static void draw_bytes(const DeskState& state, bool beside_tick);

    bool linked_ = true;
};

}  // namespace kwb::gui
