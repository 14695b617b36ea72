// SPDX-License-Identifier: Apache-2.0
// The window on the screen: GLFW, OpenGL 3 and a loop that sleeps until there is an event.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "gui/look.hpp"

namespace kwb::gui {

/// The content of a window, as the window sees it.
class Program {
public:
    virtual ~Program() = default;

    /// Draws one frame, between ImGui::NewFrame and Render. Called often, also while the window is not
    /// visible: must not block, access files or start processes.
    virtual void draw() = 0;

    /// Files were dropped onto the window.
    virtual void open_files(const std::vector<std::filesystem::path>& files) { (void)files; }

    /// Whether a timed section is running. The loop then draws rarely, because a software renderer would use
    /// the processors that are being timed.
    virtual bool timing_runs() const { return false; }

    /// When a frame is due without any event; nullopt: never.
    virtual std::optional<std::chrono::steady_clock::time_point> due() const { return std::nullopt; }

    /// The user wants to close the window. @return  false to keep it open (and ask about unsaved work)
    virtual bool may_close() { return true; }

    /// Called after each frame; true makes the window close.
    virtual bool wants_to_end() const { return false; }
};

/// Size and state of the window.
struct WindowState {
    int width = 0;  ///< at content scale 1, when neither maximised nor full screen
    int height = 0;
    bool maximised = false;
    bool full_screen = false;
    friend bool operator==(const WindowState&, const WindowState&) = default;
};

struct WindowOptions {
    int width = 1440;  ///< at content scale 1; limited to the screen's size
    int height = 900;
    bool maximised = false;
    bool full_screen = false;
    bool hidden = false;        ///< for screenshots
    bool fixed_pixels = false;  ///< width x height pixels regardless of the monitor's scale, for screenshots
    bool takes_input = true;    ///< false: the caller of draw_frame() injects it (imgui_compat.hpp)
    LookOptions look;
    double stands_still_s = 1;  ///< without change before a moved or resized window is remembered
    /// Called by run() between frames when size or state changed and have been stable for a while, and at the
    /// end.
    std::function<void(const WindowState&)> remember = {};
    std::function<void(const Probes&)> tell_probes = {};  ///< after each shown frame, for tests
};

/// Only one at a time, because GLFW and ImGui's current context are global state.
class Window {
public:
    /// @throws EnvironmentError  if there is no display, or no OpenGL 3 on it: one sentence with the remedy
    explicit Window(const WindowOptions& options);
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
    ~Window();

    Look& look();

    /// Shows `program` until its window is closed.
    void run(Program& program);

    /// Draws one frame immediately, bypassing the loop; for screenshots and tests.
    void draw_frame(Program& program);

    /// The pixels of the last frame, RGBA, rows from top to bottom.
    std::vector<unsigned char> pixels(int& width, int& height);

    void resize(int width, int height);
    void toggle_full_screen();
    bool is_full_screen() const;

    /// How many frames run() has shown, and how many it drew without showing them.
    struct Counts {
        unsigned long shown = 0;
        unsigned long unseen = 0;
    };
    Counts counts() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Makes the loop draw soon; callable from any thread. No effect if there is no window.
void wake();

}  // namespace kwb::gui
