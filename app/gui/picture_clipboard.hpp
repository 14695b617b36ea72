// SPDX-License-Identifier: Apache-2.0
// Pictures in the desktop's clipboard. GLFW knows only texts there.
#pragma once

#include <memory>
#include <string>

namespace kwb::gui {

/// Owns the clipboard of an X server (also Xwayland's) with a window of its own, and gives the picture to
/// programs that paste it, on a thread of its own. What was copied is gone with this object, as X keeps no
/// contents. Source: X Consortium, Inter-Client Communication Conventions Manual 2.0, chapter 2.
class PictureClipboard {
public:
    /// Connects to the display that $DISPLAY names.
    PictureClipboard();
    PictureClipboard(const PictureClipboard&) = delete;
    PictureClipboard& operator=(const PictureClipboard&) = delete;
    ~PictureClipboard();

    /// Replaces what is in the clipboard.
    /// @param png  the bytes of a PNG file
    /// @return  why it is not there, a sentence; empty: it is
    std::string offer(std::string png);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace kwb::gui
