// An X server seen by somebody who sits before it: which windows are there, and what is on them.
#pragma once

#include <optional>
#include <string>

struct _XDisplay;  // Xlib's Display: its header brings macros of common names

namespace kwb::test {

using XWindow = unsigned long;  ///< Xlib's Window

class XServer {
public:
    /// The one that $DISPLAY names. @throws std::runtime_error  there is none
    XServer();
    XServer(const XServer&) = delete;
    XServer& operator=(const XServer&) = delete;
    ~XServer();

    _XDisplay* get() const { return display_; }

    /// The window of this title that is on the screen, if there is one.
    std::optional<XWindow> find(const std::string& title) const;

    int width_of(XWindow window) const;

    /// 0xRRGGBB of a pixel of the window.
    unsigned long pixel(XWindow window, int x, int y) const;

    /// What a window manager sends when the person closes the window.
    void ask_to_close(XWindow window) const;

private:
    _XDisplay* display_;
};

}  // namespace kwb::test
