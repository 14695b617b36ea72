// SPDX-License-Identifier: Apache-2.0
// X selections, as other programs use them: dropped files and the clipboard.
#pragma once

#include <X11/Xlib.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <string>

#include "gui/x_seat.hpp"

namespace kwb::test {

/// The peer of a selection: provides text to a window that requests it, or requests a window's text.
class SelectionOwner {
public:
    explicit SelectionOwner(const XSeat& server)
        : display_(server.get()),
          window_(XCreateSimpleWindow(display_, DefaultRootWindow(display_), 0, 0, 1, 1, 0, 0, 0)) {}
    SelectionOwner(const SelectionOwner&) = delete;
    SelectionOwner& operator=(const SelectionOwner&) = delete;
    ~SelectionOwner() { XDestroyWindow(display_, window_); }

    Atom atom(const char* name) const { return XInternAtom(display_, name, False); }
    ::Window window() const { return window_; }

    void own(const char* selection) {
        XSetSelectionOwner(display_, atom(selection), window_, CurrentTime);
        XSync(display_, False);
    }

    /// Answer requests with `words` until `done`.
    void serve(const std::string& what, const std::string& words, const char* type,
               const std::function<bool()>& done) {
        wait_until(what, [&] {
            while (XPending(display_) > 0) {
                XEvent event{};
                XNextEvent(display_, &event);
                if (event.type == SelectionRequest) answer(event.xselectionrequest, words, type);
                if (event.type == ClientMessage) told_ = event.xclient.message_type;
            }
            return done();
        });
    }

    /// Type of the last client message received by serve().
    Atom told() const { return told_; }

    /// What another window offers, by default its text as UTF-8; empty if it does not answer with that.
    std::string ask(const char* selection, const char* type_name = "UTF8_STRING") {
        const Atom property = atom("KWB_TEST");
        XConvertSelection(display_, atom(selection), atom(type_name), property, window_, CurrentTime);
        XSync(display_, False);
        std::string words;
        wait_until("the selection is given", [&] {
            XEvent event{};
            return XCheckTypedWindowEvent(display_, window_, SelectionNotify, &event) != 0;
        });
        Atom type = 0;
        int format = 0;
        unsigned long count = 0, left = 0;
        unsigned char* data = nullptr;
        XGetWindowProperty(display_, window_, property, 0, 1 << 20, True, AnyPropertyType, &type, &format,
                           &count, &left, &data);
        if (data != nullptr) words.assign(reinterpret_cast<const char*>(data), count);
        if (data != nullptr) XFree(data);
        return words;
    }

    /// Send a message of the drag-and-drop protocol.
    void send(::Window to, const char* name, std::array<long, 5> data) {
        XEvent event{};
        event.xclient.type = ClientMessage;
        event.xclient.window = to;
        event.xclient.message_type = atom(name);
        event.xclient.format = 32;
        std::copy(data.begin(), data.end(), event.xclient.data.l);
        XSendEvent(display_, to, False, NoEventMask, &event);
        XSync(display_, False);
    }

private:
    void answer(const XSelectionRequestEvent& asked, const std::string& words, const char* type) {
        XEvent reply{};
        reply.xselection.type = SelectionNotify;
        reply.xselection.requestor = asked.requestor;
        reply.xselection.selection = asked.selection;
        reply.xselection.target = asked.target;
        reply.xselection.time = asked.time;
        if (asked.target == atom(type)) {
            const auto* bytes = reinterpret_cast<const unsigned char*>(words.data());
            XChangeProperty(display_, asked.requestor, asked.property, asked.target, 8, PropModeReplace,
                            bytes, static_cast<int>(words.size()));
            reply.xselection.property = asked.property;
        }
        XSendEvent(display_, asked.requestor, False, NoEventMask, &reply);
        XSync(display_, False);
    }

    Display* display_;
    ::Window window_;
    Atom told_ = None;
};

/// Drops a file onto a window, in the sequence that a file manager sends (freedesktop.org, XDND version 5).
inline void drop(const XSeat& server, ::Window window, const fs::path& file) {
    SelectionOwner source(server);
    source.own("XdndSelection");
    const auto from = static_cast<long>(source.window());
    const auto list = static_cast<long>(source.atom("text/uri-list"));
    const auto copy = static_cast<long>(source.atom("XdndActionCopy"));
    source.send(window, "XdndEnter", {from, 5L << 24, list, 0, 0});
    source.send(window, "XdndPosition", {from, 0, 300L << 16 | 300, CurrentTime, copy});
    source.send(window, "XdndDrop", {from, 0, CurrentTime, 0, 0});
    std::string address = "file://" + file.string() + "\r\n";
    for (std::size_t at = 0; (at = address.find(' ')) != std::string::npos;) address.replace(at, 1, "%20");
    source.serve("the drop is finished", address, "text/uri-list",
                 [&] { return source.told() == source.atom("XdndFinished"); });
}

}  // namespace kwb::test
