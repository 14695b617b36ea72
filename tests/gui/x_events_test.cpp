// The program itself on an X server, with real events: a smoke test of what the other two modes leave out.
#include <doctest/doctest.h>

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XTest.h>
#include <X11/keysym.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/version.hpp"
#include "support/process.hpp"

namespace kwb::test {
namespace {

using Patience = std::chrono::seconds;

class XServer {
public:
    XServer() : display_(XOpenDisplay(nullptr)) { REQUIRE(display_ != nullptr); }
    XServer(const XServer&) = delete;
    XServer& operator=(const XServer&) = delete;
    ~XServer() { XCloseDisplay(display_); }

    Display* get() const { return display_; }

    /// The window of this title that is on the screen, if there is one.
    std::optional<::Window> find(const std::string& title) const {
        ::Window root = 0, parent = 0, *children = nullptr;
        unsigned count = 0;
        XQueryTree(display_, DefaultRootWindow(display_), &root, &parent, &children, &count);
        std::optional<::Window> found;
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

    int width_of(::Window window) const {
        XWindowAttributes attributes{};
        XGetWindowAttributes(display_, window, &attributes);
        return attributes.width;
    }

    /// 0xRRGGBB of a pixel of the window.
    unsigned long pixel(::Window window, int x, int y) const {
        XImage* image = XGetImage(display_, window, x, y, 1, 1, AllPlanes, ZPixmap);
        if (image == nullptr) return 0;
        const unsigned long value = XGetPixel(image, 0, 0) & 0xffffff;
        XDestroyImage(image);
        return value;
    }

    /// There is no window manager to give it the keyboard.
    void focus(::Window window) const {
        XSetInputFocus(display_, window, RevertToParent, CurrentTime);
        XSync(display_, False);
    }

    void move_pointer(::Window window, int x, int y) const {
        int root_x = 0, root_y = 0;
        ::Window child = 0;
        XTranslateCoordinates(display_, window, DefaultRootWindow(display_), x, y, &root_x, &root_y, &child);
        XTestFakeMotionEvent(display_, -1, root_x, root_y, CurrentTime);
        XSync(display_, False);
    }

    void button(bool down) const {
        XTestFakeButtonEvent(display_, 1, down ? True : False, CurrentTime);
        XSync(display_, False);
    }

    void key(KeySym sym, bool down) const {
        XTestFakeKeyEvent(display_, XKeysymToKeycode(display_, sym), down ? True : False, CurrentTime);
        XSync(display_, False);
    }

    /// What a window manager sends when the person closes the window.
    void ask_to_close(::Window window) const {
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

private:
    Display* display_;
};

/// Ask the server until it is so.
void wait_until(const std::string& what, const std::function<bool()>& condition) {
    const auto deadline = std::chrono::steady_clock::now() + Patience(60);
    while (!condition())
        if (std::chrono::steady_clock::now() > deadline) FAIL("waited in vain until " << what);
}

::Window wait_for_window(const XServer& server) {
    std::optional<::Window> window;
    wait_until("the window is on the screen",
               [&] { return (window = server.find("Kernel Workbench")).has_value(); });
    return *window;
}

ProcessOptions command(std::vector<std::string> words) {
    ProcessOptions options;
    options.command = std::move(words);
    return options;
}

ProcessOptions without_display(std::vector<std::string> words) {
    ProcessOptions options = command(std::move(words));
    options.unset = {"DISPLAY", "WAYLAND_DISPLAY"};
    return options;
}

constexpr unsigned long kDark = 0x12141a, kLight = 0xeceff4;

TEST_CASE("the window opens, takes keys and clicks, and closes with exit code 0") {
    const XServer server;
    Process program(command({KWB_GUI_PROGRAM, "--theme", "dark", "--scale", "1"}));
    const ::Window window = wait_for_window(server);
    server.focus(window);
    wait_until("the dark window is painted", [&] { return server.pixel(window, 2, 2) == kDark; });

    // The button of the theme, in the corner at the right.
    server.move_pointer(window, server.width_of(window) - 60, 26);
    server.button(true);
    server.button(false);
    wait_until("the click has made it light", [&] { return server.pixel(window, 2, 2) == kLight; });

    server.key(XK_F11, true);
    wait_until("F11 has filled the screen", [&] {
        return server.width_of(window) == DisplayWidth(server.get(), DefaultScreen(server.get()));
    });
    server.key(XK_F11, false);
    server.ask_to_close(window);
    const Finished finished = program.finish();
    CHECK(finished.exit_code == 0);
    CHECK(finished.err == "");
}

TEST_CASE("Ctrl+Q ends it") {
    const XServer server;
    Process program(command({KWB_GUI_PROGRAM, "--theme", "light", "--scale", "1.5"}));
    const ::Window window = wait_for_window(server);
    server.focus(window);
    wait_until("the light window is painted", [&] { return server.pixel(window, 2, 2) == kLight; });
    server.key(XK_Control_L, true);
    server.key(XK_q, true);
    const Finished finished = program.finish();
    server.key(XK_q, false);
    server.key(XK_Control_L, false);
    CHECK(finished.exit_code == 0);
}

TEST_CASE("'kwb gui' becomes the window, with the files that it was given") {
    const XServer server;
    Process program(command({KWB_PROGRAM, "gui", "some.cl"}));
    const ::Window window = wait_for_window(server);
    server.ask_to_close(window);
    CHECK(program.finish().exit_code == 0);
}

/// One line that begins like this.
void check_sentence(const std::string& text, const std::string& beginning) {
    CAPTURE(text);
    CHECK(text.starts_with(beginning));
    CHECK(text.find('\n') == text.size() - 1);
}

TEST_CASE("a display that cannot be reached is one sentence and exit code 2") {
    ProcessOptions options = without_display({KWB_GUI_PROGRAM});
    options.environment = {{"DISPLAY", ":4711"}};
    const Finished finished = run_process(options);
    CHECK(finished.exit_code == 2);
    check_sentence(finished.err, "kwb-gui: there is no display to open a window on");
}

TEST_CASE("'kwb gui' says when there is no display at all") {
    const Finished finished = run_process(without_display({KWB_PROGRAM, "gui"}));
    CHECK(finished.exit_code == 3);
    check_sentence(finished.err, "kwb: there is no display to open a window on");
}

TEST_CASE("'kwb gui' says when the window was not built") {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() / ("kwb-gui-alone-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    fs::copy_file(KWB_PROGRAM, folder / "kwb", fs::copy_options::overwrite_existing);
    const Finished finished = run_process(command({(folder / "kwb").string(), "gui"}));
    fs::remove_all(folder);
    CHECK(finished.exit_code == 3);
    check_sentence(finished.err, "kwb: the window, " + (folder / "kwb-gui").string() + ", was not built");
}

TEST_CASE("help and version need no display") {
    const Finished help = run_process(without_display({KWB_GUI_PROGRAM, "--help"}));
    CHECK(help.exit_code == 0);
    CHECK(help.out.find("kernel files (.cl) to open") != std::string::npos);
    const Finished version = run_process(without_display({KWB_GUI_PROGRAM, "--version"}));
    CHECK(version.out == "kwb-gui " + kwb_version() + "\n");
    const Finished wrong = run_process(without_display({KWB_GUI_PROGRAM, "--theme", "pink"}));
    CHECK(wrong.exit_code == 2);
    CHECK(wrong.err.find("--help") != std::string::npos);
}

}  // namespace
}  // namespace kwb::test
