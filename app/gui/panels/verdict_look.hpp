// How an outcome looks: its words, its tone and its picture.
#pragma once

#include <string>

#include "gui/widgets.hpp"
#include "model/result.hpp"

namespace kwb::gui {

struct VerdictLook {
    std::string words;  ///< "correct", "out of bounds", "wrong, as expected"
    Tone tone = Tone::Muted;
    const char* icon = nullptr;
};

/// Muted: not judged yet. Success: all is as it should be, also a fault that the kernel's file announces.
/// Warning: nothing was tried (skipped, does not fit). Danger: the rest.
VerdictLook look_of(const KernelResult& result);

/// With a capital in front, for headings.
std::string capitalised(std::string words);

}  // namespace kwb::gui
