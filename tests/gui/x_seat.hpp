// SPDX-License-Identifier: Apache-2.0
// A simulated user of an X server: pointer, keyboard, a home folder, and waiting for the window.
#pragma once

#include <doctest/doctest.h>

#include <X11/XKBlib.h>
#include <X11/Xlib.h>
#include <X11/extensions/XTest.h>
#include <X11/keysym.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/file.hpp"
#include "support/patience.hpp"
#include "support/process.hpp"
#include "support/x_server.hpp"

namespace kwb::test {

namespace fs = std::filesystem;

/// Moves the pointer, presses keys and resizes windows.
class XSeat : public XServer {
public:
    struct Place {
        int x = 0, y = 0, width = 0, height = 0;
        friend bool operator==(const Place&, const Place&) = default;
    };
    /// In screen pixels.
    Place place_of(::Window window) const {
        XWindowAttributes attributes{};
        XGetWindowAttributes(get(), window, &attributes);
        Place place{0, 0, attributes.width, attributes.height};
        ::Window child = 0;
        XTranslateCoordinates(get(), window, DefaultRootWindow(get()), 0, 0, &place.x, &place.y, &child);
        return place;
    }

    void set_size(::Window window, unsigned width, unsigned height) const {
        XResizeWindow(get(), window, width, height);
        XSync(get(), False);
    }

    /// Set the keyboard focus, as there is no window manager to do it.
    void focus(::Window window) const {
        XSetInputFocus(get(), window, RevertToParent, CurrentTime);
        XSync(get(), False);
    }

    void move_pointer(::Window window, int x, int y) const {
        int root_x = 0, root_y = 0;
        ::Window child = 0;
        XTranslateCoordinates(get(), window, DefaultRootWindow(get()), x, y, &root_x, &root_y, &child);
        XTestFakeMotionEvent(get(), -1, root_x, root_y, CurrentTime);
        XSync(get(), False);
    }

    /// @param number  1 is the left button; 4 and 5 are the wheel, up and down
    void button(bool down, unsigned number = 1) const {
        XTestFakeButtonEvent(get(), number, down ? True : False, CurrentTime);
        XSync(get(), False);
    }

    void key(KeySym sym, bool down) const {
        XTestFakeKeyEvent(get(), XKeysymToKeycode(get(), sym), down ? True : False, CurrentTime);
        XSync(get(), False);
    }

    /// Type characters of ASCII.
    void type(std::string_view text) const {
        for (const char c : text) {
            const auto sym = static_cast<KeySym>(static_cast<unsigned char>(c));  // they are the same
            const bool shifted = XkbKeycodeToKeysym(get(), XKeysymToKeycode(get(), sym), 0, 0) != sym;
            if (shifted) key(XK_Shift_L, true);
            key(sym, true);
            key(sym, false);
            if (shifted) key(XK_Shift_L, false);
        }
    }

    /// Press a key while holding another until `until_seen` returns, because ImGui before 1.87 samples the
    /// held keys when it draws a frame.
    void chord(KeySym held, KeySym sym, const std::function<void()>& until_seen) const {
        key(held, true);
        key(sym, true);
        until_seen();
        key(sym, false);
        key(held, false);
    }
};

/// Poll until the condition holds.
inline void wait_until(const std::string& what, const std::function<bool()>& condition) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(kPatienceMs);
    while (!condition())
        if (std::chrono::steady_clock::now() > deadline) FAIL("waited in vain until " << what);
}

inline ::Window wait_for_window(const XSeat& server) {
    std::optional<::Window> window;
    wait_until("the window is on the screen",
               [&] { return (window = server.find("Kernel Workbench")).has_value(); });
    return *window;
}

inline ProcessOptions command(std::vector<std::string> words) {
    ProcessOptions options;
    options.command = std::move(words);
    return options;
}

inline ProcessOptions without_display(std::vector<std::string> words) {
    ProcessOptions options = command(std::move(words));
    options.unset = {"DISPLAY", "WAYLAND_DISPLAY"};
    return options;
}

/// Folders for settings, history and files of one test.
class Home {
public:
    Home() : folder_(fs::temp_directory_path() / ("kwb-home-" + std::to_string(::getpid()))) {
        fs::remove_all(folder_);
        fs::create_directories(folder_ / "config" / "kwb");
    }
    Home(const Home&) = delete;
    Home& operator=(const Home&) = delete;
    ~Home() { fs::remove_all(folder_); }

    fs::path file(const std::string& name) const { return folder_ / name; }
    fs::path settings_file() const { return folder_ / "config" / "kwb" / "window.toml"; }
    std::string settings() const { return fs::exists(settings_file()) ? read_file(settings_file()) : ""; }
    bool says(const std::string& words) const { return settings().find(words) != std::string::npos; }

    ProcessOptions window(std::vector<std::string> words = {}) const {
        words.insert(words.begin(), KWB_GUI_PROGRAM);
        ProcessOptions options = command(std::move(words));
        options.environment = {{"XDG_CONFIG_HOME", (folder_ / "config").string()},
                               {"XDG_DATA_HOME", (folder_ / "data").string()}};
        return options;
    }

private:
    fs::path folder_;
};

}  // namespace kwb::test
