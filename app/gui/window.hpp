// The window on the screen: GLFW, OpenGL 3 and a loop that sleeps until something happens.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "gui/look.hpp"
#include "gui/program.hpp"

namespace kwb::gui {

struct LoopSettings {
    int settle_frames = 3;           ///< after each event: ImGui lays out what it measured the frame before
    int more_frames = 8;             ///< at most, as long as popups and tooltips still find their size
    double timing_frames_per_s = 4;  ///< shown frames while Program::timing_runs()
    double stands_still_s = 1;       ///< do not remember each step while a window is moved or resized
};

/// How a window lies on the screen.
struct WindowState {
    int width = 0;  ///< at content scale 1, when it is neither maximised nor full screen
    int height = 0;
    bool maximised = false;
    bool full_screen = false;
    friend bool operator==(const WindowState&, const WindowState&) = default;
};

struct WindowOptions {
    int width = 1440;  ///< at content scale 1; the screen's size is the limit
    int height = 900;
    bool maximised = false;
    bool full_screen = false;
    bool hidden = false;        ///< for pictures
    bool fixed_pixels = false;  ///< exactly width x height pixels whatever the monitor's scale: for pictures
    bool takes_input = true;    ///< false: the caller of draw_frame() injects it (keys.hpp)
    LookOptions look;
    LoopSettings loop;
    /// Called by run() between frames with a new size or state, once it has stood still, and at the end.
    std::function<void(const WindowState&)> remember = {};
};

/// One at a time, because GLFW and "the current context" are global state.
class Window {
public:
    /// @throws EnvironmentError  no display, or no OpenGL 3 on it: one sentence with the remedy
    explicit Window(const WindowOptions& options);
    Window(const Window&) = delete;
    Window& operator=(const Window&) = delete;
    ~Window();

    Look& look();

    /// Show `program` until its window is closed.
    void run(Program& program);

    /// One frame at once, whatever the loop would do; for pictures and tests.
    void draw_frame(Program& program);

    /// The pixels of the last frame, RGBA, rows from the top.
    std::vector<unsigned char> pixels(int& width, int& height);

    void resize(int width, int height);
    void toggle_full_screen();
    bool is_full_screen() const;

    /// How often run() has shown a frame and asked for one without showing it.
    struct Counts {
        unsigned long shown = 0;
        unsigned long unseen = 0;
    };
    Counts counts() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Let the loop draw soon; from any thread. Nothing happens while there is no window.
void wake();

}  // namespace kwb::gui
