// SPDX-License-Identifier: Apache-2.0
#include "support/x_server.hpp"

#include <X11/Xlib.h>
#include <X11/Xutil.h>

#include <stdexcept>

namespace kwb::test {
XServer::XServer() : display_(XOpenDisplay(nullptr)) {
    if (display_ == nullptr) throw std::runtime_error("there is no X server");
    // A window may vanish between two requests; Xlib's default error handler would exit.
    XSetErrorHandler([](Display*, XErrorEvent*) { return 0; });
}

XServer::~XServer() {
    XCloseDisplay(display_);
}

std::optional<XWindow> XServer::find(const std::string& title) const {
    ::Window root = 0, parent = 0, *children = nullptr;
    unsigned count = 0;
    XQueryTree(display_, DefaultRootWindow(display_), &root, &parent, &children, &count);
    std::optional<XWindow> found;
    for (unsigned i = 0; i < count; ++i) {
        char* name = nullptr;
        XWindowAttributes attributes{};
        if (XFetchName(display_, children[i], &name) != 0 && name != nullptr) {
            if (title == name && XGetWindowAttributes(display_, children[i], &attributes) != 0 &&
                attributes.map_state == IsViewable)
                found = children[i];
            XFree(name);
        }
    }
    if (children != nullptr) XFree(children);
    return found;
}

int XServer::width_of(XWindow window) const {
    XWindowAttributes attributes{};
    XGetWindowAttributes(display_, window, &attributes);
    return attributes.width;
}

unsigned long XServer::pixel(XWindow window, int x, int y) const {
    XImage* image = XGetImage(display_, window, x, y, 1, 1, AllPlanes, ZPixmap);
    if (image == nullptr) return 0;
    const unsigned long value = XGetPixel(image, 0, 0) & 0xffffff;
    XDestroyImage(image);
    return value;
}

void XServer::ask_to_close(XWindow window) const {
    XEvent event{};
    event.xclient.type = ClientMessage;
    event.xclient.window = window;
    event.xclient.message_type = XInternAtom(display_, "WM_PROTOCOLS", False);
    event.xclient.format = 32;
    event.xclient.data.l[0] = static_cast<long>(XInternAtom(display_, "WM_DELETE_WINDOW", False));
    event.xclient.data.l[1] = CurrentTime;
    XSendEvent(display_, window, False, NoEventMask, &event);
    XSync(display_, False);
}

}  // namespace kwb::test
