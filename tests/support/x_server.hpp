// SPDX-License-Identifier: Apache-2.0
// Windows and pixels of an X server, as a user sees them.
#pragma once

#include <optional>
#include <string>

struct _XDisplay;  // Xlib's Display; its header would define macros with common names

namespace kwb::test {

using XWindow = unsigned long;  ///< Xlib's Window

class XServer {
public:
    /// Connect to $DISPLAY. @throws std::runtime_error  connecting failed
    XServer();
    XServer(const XServer&) = delete;
    XServer& operator=(const XServer&) = delete;
    ~XServer();

    _XDisplay* get() const { return display_; }

    /// The visible window with this title.
    std::optional<XWindow> find(const std::string& title) const;

    int width_of(XWindow window) const;

    /// Colour of a window's pixel, 0xRRGGBB.
    unsigned long pixel(XWindow window, int x, int y) const;

    /// Send what a window manager sends when the user closes the window.
    void ask_to_close(XWindow window) const;

private:
    _XDisplay* display_;
};

}  // namespace kwb::test
