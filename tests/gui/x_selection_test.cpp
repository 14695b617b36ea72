// Selections of the X server, as other programs use them: files that are dropped, and the clipboard.
#include <X11/keysym.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "gui/x_seat.hpp"

namespace kwb::test {
namespace {

/// The other side of a selection: gives words to a window that asks for them, or asks a window for its own.
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

    /// Answer what is asked for with `words` until `done`.
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

    /// The message that came last while it served.
    Atom told() const { return told_; }

    /// What another window offers, as UTF-8; nothing if it does not answer with text.
    std::string ask(const char* selection) {
        const Atom property = atom("KWB_TEST");
        XConvertSelection(display_, atom(selection), atom("UTF8_STRING"), property, window_, CurrentTime);
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
        XGetWindowProperty(display_, window_, property, 0, 1 << 16, True, AnyPropertyType, &type, &format,
                           &count, &left, &data);
        if (data != nullptr) words.assign(reinterpret_cast<const char*>(data), count);
        if (data != nullptr) XFree(data);
        return words;
    }

    /// A message of the drag-and-drop protocol.
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

TEST_CASE("a file that is dropped onto the window is opened") {
    const Home home;
    const XSeat server;
    const fs::path file = home.file("dropped here.cl");
    write_file(file, "kernel void f() {}\n");
    Process program(home.window());
    const ::Window window = wait_for_window(server);
    // As a file manager does it (freedesktop.org, XDND version 5).
    SelectionOwner source(server);
    source.own("XdndSelection");
    const auto from = static_cast<long>(source.window());
    const auto list = static_cast<long>(source.atom("text/uri-list"));
    const auto copy = static_cast<long>(source.atom("XdndActionCopy"));
    source.send(window, "XdndEnter", {from, 5L << 24, list, 0, 0});
    source.send(window, "XdndPosition", {from, 0, 300L << 16 | 300, CurrentTime, copy});
    source.send(window, "XdndDrop", {from, 0, CurrentTime, 0, 0});
    std::string address = "file://" + file.string() + "\r\n";
    address.replace(address.find(' '), 1, "%20");
    source.serve("the drop is finished", address, "text/uri-list",
                 [&] { return source.told() == source.atom("XdndFinished"); });
    server.set_size(window, 1000, 720);  // and all settings are written down
    wait_until("the file is open", [&] { return home.says("dropped here.cl"); });
    server.ask_to_close(window);
    CHECK(program.finish().exit_code == 0);
}

/// Presses keys one after the other, again and again: each is held for a while, because ImGui before 1.87
/// looks at what is held when it draws a frame.
class Typist {
public:
    Typist(const XSeat& server, std::vector<KeySym> keys) : server_(server), keys_(std::move(keys)) {}
    Typist(const Typist&) = delete;
    Typist& operator=(const Typist&) = delete;
    ~Typist() { server_.key(keys_[at_], false); }

    void go_on() {
        const auto now = std::chrono::steady_clock::now();
        if (now < next_) return;
        next_ = now + std::chrono::milliseconds(150);  // shorter than what makes a key repeat
        server_.key(keys_[at_], false);
        at_ = (at_ + 1) % keys_.size();
        server_.key(keys_[at_], true);
    }

private:
    const XSeat& server_;
    std::vector<KeySym> keys_;
    std::size_t at_ = 0;
    std::chrono::steady_clock::time_point next_{};
};

TEST_CASE("the editor copies to the clipboard of the desktop and pastes from it") {
    const Home home;
    const XSeat server;
    const fs::path file = home.file("own.cl");
    write_file(file, "kernel void f() {}\n");
    Process program(home.window({file.string()}));
    const ::Window window = wait_for_window(server);
    server.focus(window);
    wait_until("the file is open", [&] { return home.says("own.cl"); });
    SelectionOwner other(server);
    const auto owner = [&] { return XGetSelectionOwner(server.get(), other.atom("CLIPBOARD")); };
    server.key(XK_Control_L, true);
    {
        Typist typist(server, {XK_2, XK_a, XK_c});
        wait_until("the window has copied", [&] {
            typist.go_on();
            return owner() != None;
        });
    }
    server.key(XK_Control_L, false);
    CHECK(other.ask("CLIPBOARD") == "kernel void f() {}\n");

    const std::string words = "// \xC3\xA9 \xE2\x88\x92\nkernel void g() {}\n";
    other.own("CLIPBOARD");
    server.key(XK_Control_L, true);
    {
        Typist typist(server, {XK_a, XK_v, XK_s});
        other.serve("what was pasted is saved", words, "UTF8_STRING", [&] {
            typist.go_on();
            return read_file(file) == words;
        });
    }
    server.key(XK_Control_L, false);
    server.ask_to_close(window);
    CHECK(program.finish().exit_code == 0);
}

}  // namespace
}  // namespace kwb::test
