// SPDX-License-Identifier: Apache-2.0
// Pictures in the desktop's clipboard. GLFW supports only text there.
#pragma once

#include <memory>
#include <string>

namespace kwb::gui {

/// Owns the clipboard of an X server (also Xwayland's) with its own window, and gives the picture to programs
/// that paste it, on its own thread. A copied picture is lost with this object, because X keeps no contents.
/// Source: X Consortium, Inter-Client Communication Conventions Manual 2.0, chapter 2.
class PictureClipboard {
public:
    /// Connects to the display that $DISPLAY names.
    PictureClipboard();
    PictureClipboard(const PictureClipboard&) = delete;
    PictureClipboard& operator=(const PictureClipboard&) = delete;
    ~PictureClipboard();

    /// Replaces what is in the clipboard.
    /// @param png  the bytes of a PNG file
    /// @return  why that failed, a sentence; empty if it did not
    std::string offer(std::string png);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace kwb::gui
