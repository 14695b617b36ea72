// SPDX-License-Identifier: Apache-2.0
#include "gui/window.hpp"

// GLFW includes OpenGL 1.1, which is all that is called here; ImGui's loader handles the rest.
#include <GLFW/glfw3.h>

#if __has_include(<backends/imgui_impl_glfw.h>)
#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>
#else
#include <imgui_impl_glfw.h>
#include <imgui_impl_opengl3.h>
#endif

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <mutex>
#include <utility>

#include "base/error.hpp"
#include "gui/gl_pictures.hpp"
#include "gui/input_queue.hpp"

namespace kwb::gui {
namespace {

constexpr int kSettleFrames = 3;  ///< after each event: ImGui lays out with sizes of the previous frame
constexpr int kMoreFrames = 8;    ///< at most, while popups and tooltips still change their size
constexpr double kTimingFramesPerSecond = 4;  ///< shown while Program::timing_runs()

/// The mutex protects glfwPostEmptyEvent() from being called after glfwTerminate(). `events` counts the
/// events that woke the loop.
std::mutex wake_mutex;
bool can_wake = false;
std::atomic<unsigned long> events{0};

void count_event() {
    ++events;
}

/// GLFW's last error in brackets, or an empty string.
std::string glfw_reason() {
    const char* reason = nullptr;
    glfwGetError(&reason);
    return reason != nullptr ? std::string(" (") + reason + ")" : std::string();
}

/// The key according to what is printed on it, if ImGui's backend does not determine that; '+' on any key,
/// for zooming.
int printed_key(int key, int scancode) {
    if (key >= GLFW_KEY_KP_0 && key <= GLFW_KEY_KP_EQUAL) return key;
    const char* name = glfwGetKeyName(key, scancode);
    if (name == nullptr || std::strlen(name) != 1) return key;
    if (*name == '+') return GLFW_KEY_EQUAL;
    if (compat::kBackendKnowsLayout) return key;
    if (*name == '-') return GLFW_KEY_MINUS;
    if (std::isalnum(static_cast<unsigned char>(*name)) != 0)
        return std::toupper(static_cast<unsigned char>(*name));
    return key;
}

}  // namespace

struct Window::State {
    WindowOptions options;
    GLFWwindow* window = nullptr;
    std::optional<Look> look;
    std::optional<GlTextures> textures;
    InputQueue input;            ///< unused if ImGui has its own queue
    Program* program = nullptr;  ///< while run() is active
    int restore_x = 0, restore_y = 0, restore_width = 0, restore_height = 0;  ///< when full screen ends
    bool restore_maximised = false;
    int normal_width = 0, normal_height = 0;  ///< when neither maximised nor full screen
    WindowState seen, told;
    double seen_since_s = 0;
    double last_frame_s = -1, last_shown_s = -1;
    Counts counts;
    bool gl_ready = false;

    static State& of(GLFWwindow* window) { return *static_cast<State*>(glfwGetWindowUserPointer(window)); }

    ~State() {
        textures.reset();
        if (gl_ready) {
            ImGui_ImplOpenGL3_Shutdown();
            if (options.takes_input) ImGui_ImplGlfw_Shutdown();
        }
        look.reset();
        {
            const std::lock_guard lock(wake_mutex);
            can_wake = false;
        }
        if (window != nullptr) glfwDestroyWindow(window);
        glfwTerminate();
    }

    void open();
    void watch_events();
    void queue_input();
    bool input_waits() const { return input.waits() || compat::has_queued_input(); }
    float content_scale() const;
    void begin_frame();
    bool prepare();
    void draw_unseen(Program& shown);
    void show();
    WindowState look_at_window() const;
    double watch_window(bool ends);
};

void Window::State::open() {
#ifdef GLFW_PLATFORM_X11
    // GLFW 3.4 tries Wayland first, whose library prints errors if there is no Wayland display.
    if (std::getenv("WAYLAND_DISPLAY") == nullptr && std::getenv("WAYLAND_SOCKET") == nullptr)
        glfwInitHint(GLFW_PLATFORM, GLFW_PLATFORM_X11);
#endif
    if (glfwInit() != GLFW_TRUE)
        throw EnvironmentError("there is no display to open a window on" + glfw_reason() +
                               "; start it from a desktop or through 'ssh -X', or work in the terminal with "
                               "'kwb run'");
    glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
    glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 0);
    glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);  // shown after its first frame was drawn
    glfwWindowHint(GLFW_MAXIMIZED, options.maximised ? GLFW_TRUE : GLFW_FALSE);
    glfwWindowHint(GLFW_SCALE_TO_MONITOR, options.fixed_pixels ? GLFW_FALSE : GLFW_TRUE);
    glfwWindowHintString(GLFW_X11_CLASS_NAME, "kwb-gui");
    glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "kwb-gui");
    int width = options.width, height = options.height;
    if (GLFWmonitor* monitor = glfwGetPrimaryMonitor(); monitor != nullptr && !options.fixed_pixels) {
        int x = 0, y = 0, screen_width = width, screen_height = height;
        float scale = 1, vertical = 1;
        glfwGetMonitorWorkarea(monitor, &x, &y, &screen_width, &screen_height);
        glfwGetMonitorContentScale(monitor, &scale, &vertical);
        // GLFW multiplies the size by the monitor's scale.
        width = std::min(width, static_cast<int>(static_cast<float>(screen_width) / scale));
        height = std::min(height, static_cast<int>(static_cast<float>(screen_height) / scale));
    }
    window =
        glfwCreateWindow(std::max(width, 64), std::max(height, 64), "Kernel Workbench", nullptr, nullptr);
    if (window == nullptr)
        throw EnvironmentError("the display offers no OpenGL 3" + glfw_reason() +
                               "; install its driver or Mesa's software renderer (package libgl1-mesa-dri), "
                               "or work in the terminal with 'kwb run'");
    glfwSetWindowUserPointer(window, this);
    normal_width = std::max(width, 64);
    normal_height = std::max(height, 64);
    glfwMakeContextCurrent(window);
    glfwSwapInterval(options.hidden ? 0 : 1);
    const std::lock_guard lock(wake_mutex);
    can_wake = true;
}

void Window::State::watch_events() {
    // ImGui's backend chains to the callbacks that exist when it installs its own.
    glfwSetWindowFocusCallback(window, [](GLFWwindow*, int) { count_event(); });
    glfwSetCursorEnterCallback(window, [](GLFWwindow* target, int entered) {
        count_event();
        if (!compat::kQueuesInput && entered == 0) of(target).input.pointer_left();
    });
    glfwSetCursorPosCallback(window, [](GLFWwindow* target, double x, double y) {
        count_event();
        if (!compat::kQueuesInput) of(target).input.pointer(static_cast<float>(x), static_cast<float>(y));
    });
    glfwSetMouseButtonCallback(window, [](GLFWwindow*, int, int, int) { count_event(); });
    glfwSetScrollCallback(window, [](GLFWwindow*, double, double) { count_event(); });
    glfwSetCharCallback(window, [](GLFWwindow*, unsigned) { count_event(); });
    glfwSetWindowRefreshCallback(window, [](GLFWwindow*) { count_event(); });
    glfwSetFramebufferSizeCallback(window, [](GLFWwindow*, int, int) { count_event(); });
    glfwSetWindowIconifyCallback(window, [](GLFWwindow*, int) { count_event(); });
    glfwSetWindowCloseCallback(window, [](GLFWwindow*) { count_event(); });
    glfwSetWindowContentScaleCallback(window, [](GLFWwindow*, float, float) { count_event(); });
    glfwSetDropCallback(window, [](GLFWwindow* target, int count, const char** paths) {
        count_event();
        Program* shown = of(target).program;
        if (shown != nullptr) shown->open_files({paths, paths + count});
    });
    ImGui_ImplGlfw_InitForOpenGL(window, true);
    glfwSetKeyCallback(window, [](GLFWwindow* target, int key, int scancode, int action, int modifiers) {
        count_event();
        ImGui_ImplGlfw_KeyCallback(target, printed_key(key, scancode), scancode, action, modifiers);
    });
    if (!compat::kQueuesInput) queue_input();
}

/// Replaces the backend's callbacks, which would overwrite input that no frame has processed yet.
void Window::State::queue_input() {
    glfwSetKeyCallback(window, [](GLFWwindow* target, int key, int scancode, int action, int) {
        count_event();
        if (action != GLFW_REPEAT)  // ImGui generates repeats itself
            of(target).input.key(static_cast<Key>(printed_key(key, scancode)), action == GLFW_PRESS);
    });
    glfwSetCharCallback(window, [](GLFWwindow* target, unsigned code_point) {
        count_event();
        of(target).input.character(code_point);
    });
    glfwSetMouseButtonCallback(window, [](GLFWwindow* target, int button, int action, int) {
        count_event();
        of(target).input.button(button, action == GLFW_PRESS, glfwGetTime());
    });
    glfwSetScrollCallback(window, [](GLFWwindow* target, double horizontal, double vertical) {
        count_event();
        of(target).input.wheel(static_cast<float>(horizontal), static_cast<float>(vertical));
    });
}

/// The monitor's scale, less the scale that the frame buffer already applies. ImGui works in window
/// coordinates, and pixels per window coordinate differ between systems.
float Window::State::content_scale() const {
    if (options.fixed_pixels) return options.look.content_scale;
    float scale = 1, vertical = 1;
    int width = 0, height = 0, pixel_width = 0, pixel_height = 0;
    glfwGetWindowContentScale(window, &scale, &vertical);
    glfwGetWindowSize(window, &width, &height);
    glfwGetFramebufferSize(window, &pixel_width, &pixel_height);
    return width > 0 && pixel_width > 0 ? scale * static_cast<float>(width) / static_cast<float>(pixel_width)
                                        : scale;
}

void Window::State::begin_frame() {
    textures->begin_frame();
    ImGui_ImplOpenGL3_NewFrame();
    if (options.takes_input) {
        ImGui_ImplGlfw_NewFrame();
        if (!compat::kQueuesInput) input.apply();
    } else {
        int width = 0, height = 0;
        glfwGetFramebufferSize(window, &width, &height);
        ImGui::GetIO().DisplaySize = {static_cast<float>(width), static_cast<float>(height)};
        ImGui::GetIO().DeltaTime = 1.0f / 60;
    }
    look->probes().begin_frame();
    ImGui::NewFrame();
}

/// Applies requested changes between frames.
/// @return  true if fonts or size have changed since the last frame, so that the layout is outdated
bool Window::State::prepare() {
    look->set_content_scale(content_scale());
    const bool has_other_fonts = look->apply();
    if (has_other_fonts) {
#if KWB_IMGUI_UPLOADS_FONTS
        ImGui_ImplOpenGL3_DestroyFontsTexture();
        ImGui_ImplOpenGL3_CreateFontsTexture();
#endif
    }
    int width = 0, height = 0;
    if (options.takes_input)
        glfwGetWindowSize(window, &width, &height);
    else
        glfwGetFramebufferSize(window, &width, &height);
    const ImVec2 before = ImGui::GetIO().DisplaySize;
    return has_other_fonts || static_cast<float>(width) != before.x || static_cast<float>(height) != before.y;
}

void Window::State::draw_unseen(Program& shown) {
    begin_frame();
    shown.draw();
    ImGui::EndFrame();
    last_frame_s = glfwGetTime();
    ++counts.unseen;
}

void Window::State::show() {
    int width = 0, height = 0;
    glfwGetFramebufferSize(window, &width, &height);
    const ImVec4 ground = look->colors().window.vec();
    glViewport(0, 0, width, height);
    glClearColor(ground.x, ground.y, ground.z, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    if (!options.hidden) glfwSwapBuffers(window);  // a hidden window is captured from the back buffer
    last_frame_s = last_shown_s = glfwGetTime();
    ++counts.shown;
    if (options.tell_probes) options.tell_probes(look->probes());
}

/// The current state. While maximised or in full screen, the size is the user's last normal size, not the
/// screen's.
WindowState Window::State::look_at_window() const {
    WindowState now{normal_width, normal_height, glfwGetWindowAttrib(window, GLFW_MAXIMIZED) != 0,
                    glfwGetWindowMonitor(window) != nullptr};
    if (now.full_screen) {
        now.maximised = restore_maximised;
    } else if (!now.maximised && glfwGetWindowAttrib(window, GLFW_ICONIFIED) == 0) {
        int width = 0, height = 0;
        glfwGetWindowSize(window, &width, &height);
        const auto unscaled = [scale = content_scale()](int size) {
            return static_cast<int>(std::lround(static_cast<float>(size) / scale));
        };
        now.width = unscaled(width);
        now.height = unscaled(height);
    }
    return now;
}

/// Reports the window's size and state. A window being maximised may be large before it counts as maximised,
/// so only a state that has been stable for a while is reported.
/// @return  seconds until the next call is necessary; 0: not before the next event
double Window::State::watch_window(bool ends) {
    if (!options.remember) return 0;
    const double now_s = glfwGetTime();
    if (const WindowState now = look_at_window(); !(now == seen)) {
        seen = now;
        seen_since_s = now_s;
    }
    if (seen == told) return 0;
    const double left_s = seen_since_s + options.stands_still_s - now_s;
    if (left_s > 0 && !ends) return left_s;
    told = seen;
    normal_width = seen.width;
    normal_height = seen.height;
    options.remember(told);
    return 0;
}

Window::Window(const WindowOptions& options) : state_(std::make_unique<State>()) {
    state_->options = options;
    state_->open();
    LookOptions look = options.look;
    if (!options.fixed_pixels) look.content_scale = state_->content_scale();
    state_->look.emplace(look);
    if (options.takes_input)
        state_->watch_events();
    else
        install_key_map();
    ImGui_ImplOpenGL3_Init("#version 130");
    state_->gl_ready = true;
    state_->look->texture_of = [&textures = state_->textures.emplace()](const plot::Image& image) {
        return textures.texture(image);
    };

    std::vector<unsigned char> large = window_icon(64), small = window_icon(32);
    const GLFWimage icons[] = {{64, 64, large.data()}, {32, 32, small.data()}};
    glfwSetWindowIcon(state_->window, 2, icons);
}

Window::~Window() = default;

Look& Window::look() {
    return *state_->look;
}

void Window::draw_frame(Program& program) {
    if (state_->prepare()) state_->draw_unseen(program);
    state_->begin_frame();
    program.draw();
    ImGui::Render();
    state_->show();
}

namespace {

constexpr double kForever_s = std::numeric_limits<double>::infinity();

double seconds_until(const std::optional<std::chrono::steady_clock::time_point>& due) {
    if (!due) return kForever_s;
    return std::chrono::duration<double>(*due - std::chrono::steady_clock::now()).count();
}

}  // namespace

void Window::run(Program& program) {
    State& state = *state_;
    constexpr double kLeastBetweenUnseen_s = 1.0 / 30;
    state.program = &program;
    draw_frame(program);
    // The requested state is known; report only differences from it.
    state.told = state.look_at_window();
    state.told.maximised = state.options.maximised;
    state.told.full_screen = state.options.full_screen;
    if (!state.options.hidden) glfwShowWindow(state.window);
    if (state.options.full_screen && !is_full_screen()) toggle_full_screen();
    unsigned long seen_events = events;
    int settle = kSettleFrames, more = kMoreFrames;
    bool owes_unseen = false;  // input arrived while frames are not shown, and no frame has processed it
    while (!program.wants_to_end()) {
        if (glfwWindowShouldClose(state.window) == GLFW_TRUE) {
            if (program.may_close()) break;
            glfwSetWindowShouldClose(state.window, GLFW_FALSE);
        }
        const double until_program_s = seconds_until(program.due());
        if (until_program_s <= 0) settle = std::max(settle, 1);
        const bool nothing_to_show =
            (settle == 0 && !state.input_waits()) || glfwGetWindowAttrib(state.window, GLFW_ICONIFIED) != 0;
        const double until_due_s =
            program.timing_runs() ? state.last_shown_s + 1 / kTimingFramesPerSecond - glfwGetTime() : 0;
        const double until_still_s = state.watch_window(false);
        const auto until_unseen_s = [&] {
            return state.input_waits() ? 0 : state.last_frame_s + kLeastBetweenUnseen_s - glfwGetTime();
        };
        const double pause_s = owes_unseen ? std::min(until_due_s, until_unseen_s()) : until_due_s;
        // While it is minimised the window is not drawn, and the program waits for its return.
        const double sleep_s = std::min(until_still_s > 0 ? until_still_s : kForever_s,
                                        until_program_s > 0 ? until_program_s : kForever_s);
        if (nothing_to_show && sleep_s > 0 && sleep_s < kForever_s)
            glfwWaitEventsTimeout(sleep_s);
        else if (nothing_to_show)
            glfwWaitEvents();
        else if (until_due_s > 0 && pause_s > 0)
            glfwWaitEventsTimeout(pause_s);
        else
            glfwPollEvents();

        if (const unsigned long now = events; now != seen_events) {
            seen_events = now;
            settle = kSettleFrames;
            more = kMoreFrames;
            owes_unseen = true;
        } else if (nothing_to_show) {
            continue;
        }
        if (until_due_s > 0) {  // process input now; its result is shown when the next frame is due
            if (!owes_unseen || until_unseen_s() > 0) continue;
            state.draw_unseen(program);
            owes_unseen = state.input_waits();
            continue;
        }
        draw_frame(program);
        owes_unseen = state.input_waits();
        settle = std::max(settle - 1, 0);
        const bool moves = state.look->take_frame_request();
        if (moves || (compat::is_settling() && more-- > 0)) settle = std::max(settle, 1);
    }
    state.watch_window(true);
    state.program = nullptr;
}

std::vector<unsigned char> Window::pixels(int& width, int& height) {
    glfwGetFramebufferSize(state_->window, &width, &height);
    glReadBuffer(state_->options.hidden ? GL_BACK : GL_FRONT);
    const std::vector<plot::Color> pixels = read_pixels(width, height);
    const auto* bytes = reinterpret_cast<const unsigned char*>(pixels.data());
    return {bytes, bytes + pixels.size() * sizeof(plot::Color)};
}

void Window::resize(int width, int height) {
    glfwSetWindowSize(state_->window, width, height);
    glfwPollEvents();
}

bool Window::is_full_screen() const {
    return glfwGetWindowMonitor(state_->window) != nullptr;
}

void Window::toggle_full_screen() {
    State& state = *state_;
    if (is_full_screen()) {
        glfwSetWindowMonitor(state.window, nullptr, state.restore_x, state.restore_y, state.restore_width,
                             state.restore_height, GLFW_DONT_CARE);
        if (state.restore_maximised) glfwMaximizeWindow(state.window);
        return;
    }
    int x = 0, y = 0, width = 0, height = 0;
    glfwGetWindowPos(state.window, &x, &y);
    glfwGetWindowSize(state.window, &width, &height);
    // Choose the monitor that shows most of the window.
    int count = 0, most = -1;
    GLFWmonitor* best = nullptr;
    GLFWmonitor** monitors = glfwGetMonitors(&count);
    for (int i = 0; i < count; ++i) {
        const GLFWvidmode* mode = glfwGetVideoMode(monitors[i]);
        int left = 0, top = 0;
        glfwGetMonitorPos(monitors[i], &left, &top);
        const int wide = std::max(0, std::min(x + width, left + mode->width) - std::max(x, left));
        const int high = std::max(0, std::min(y + height, top + mode->height) - std::max(y, top));
        if (wide * high > most) {
            most = wide * high;
            best = monitors[i];
        }
    }
    if (best == nullptr) return;
    const GLFWvidmode* mode = glfwGetVideoMode(best);
    state.restore_maximised = glfwGetWindowAttrib(state.window, GLFW_MAXIMIZED) != 0;
    state.restore_x = x;
    state.restore_y = y;
    state.restore_width = width;
    state.restore_height = height;
    glfwSetWindowMonitor(state.window, best, 0, 0, mode->width, mode->height, mode->refreshRate);
}

Window::Counts Window::counts() const {
    return state_->counts;
}

void wake() {
    const std::lock_guard lock(wake_mutex);
    if (!can_wake) return;
    count_event();
    glfwPostEmptyEvent();
}

}  // namespace kwb::gui
