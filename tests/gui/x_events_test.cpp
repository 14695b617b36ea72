// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <X11/Xatom.h>
#include <X11/keysym.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "base/version.hpp"
#ifdef KWB_HAS_PICTURE_CLIPBOARD
#include "gui/gl_pictures.hpp"
#endif
#include "gui/x_seat.hpp"
#include "gui/x_selection.hpp"

namespace kwb::test {
namespace {

// The program on a real X server with real events: a smoke test of what windowless tests and pixel tests do
// not cover.

constexpr unsigned long kDark = 0x12141a, kLight = 0xeceff4;

TEST_CASE("the window opens, takes keys and clicks, and closes with exit code 0") {
    const XSeat server;
    Process program(command({KWB_GUI_PROGRAM, "--theme", "dark", "--scale", "1"}));
    const ::Window window = wait_for_window(server);
    server.focus(window);
    wait_until("the dark window is painted", [&] { return server.pixel(window, 2, 2) == kDark; });

    // The theme button in the top right corner.
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
    const XSeat server;
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
    const XSeat server;
    Process program(command({KWB_PROGRAM, "gui", "some.cl"}));
    const ::Window window = wait_for_window(server);
    server.ask_to_close(window);
    CHECK(program.finish().exit_code == 0);
}

TEST_CASE("F11 twice gives back size and place, and size and scale are those of the last time") {
    const Home home;
    const XSeat server;
    write_file(home.settings_file(), "window_width = 900\nwindow_height = 700\n");
    {
        Process program(home.window());
        const ::Window window = wait_for_window(server);
        server.focus(window);
        XMoveWindow(server.get(), window, 120, 80);
        XSync(server.get(), False);
        const XSeat::Place before = server.place_of(window);
        CHECK(before == XSeat::Place{120, 80, 900, 700});
        server.key(XK_F11, true);
        wait_until("F11 has filled the screen", [&] {
            return server.place_of(window) == XSeat::Place{0, 0, 1920, 1200};
        });
        server.key(XK_F11, false);
        wait_until("full screen is written down", [&] { return home.says("full_screen = true"); });
        CHECK(home.says("window_width = 900"));
        server.key(XK_F11, true);
        wait_until("F11 has given it back", [&] { return server.place_of(window) == before; });
        server.key(XK_F11, false);
        server.chord(XK_Control_L, XK_plus,
                     [&] { wait_until("Ctrl and + scale", [&] { return home.says("scale = 1.1"); }); });
        server.set_size(window, 1000, 720);
        wait_until("the size is written down", [&] { return home.says("window_width = 1000"); });
        server.set_size(window, 1010, 730);
        wait_until("it has that size", [&] { return server.width_of(window) == 1010; });
        server.ask_to_close(window);  // before the size counts as settled
        CHECK(program.finish().exit_code == 0);
    }
    CHECK(home.says("window_width = 1010"));
    CHECK(home.says("full_screen = false"));
    Process program(home.window());
    const ::Window window = wait_for_window(server);
    CHECK(server.place_of(window).width == 1010);
    CHECK(server.place_of(window).height == 730);
    server.ask_to_close(window);
    CHECK(program.finish().exit_code == 0);
    CHECK(home.says("scale = 1.1"));
}

TEST_CASE("a panel is dragged to another place with the pointer, which is kept") {
    const Home home;
    const XSeat server;
    write_file(home.settings_file(), "window_width = 1366\nwindow_height = 768\nscale = 1.0\n");
    Process program(home.window());
    const ::Window window = wait_for_window(server);
    server.focus(window);
    server.move_pointer(window, 90, 140);  // the title of the panel at the left
    wait_until("the first frames are drawn", [&] { return server.pixel(window, 2, 2) == kDark; });
    server.button(true);
    const std::string moved = "\"3-low/experiment\" = \"source\"";
    int x = 100;  // a drag has many steps
    wait_until("the panel has moved", [&] {
        server.move_pointer(window, x = std::min(x + 40, 560), 400);
        if (x == 560) server.button(false);
        return home.says(moved);
    });
    server.ask_to_close(window);
    CHECK(program.finish().exit_code == 0);
    CHECK(home.says(moved));
}

TEST_CASE("a window that was full screen is again, and one that was larger than the screen fits") {
    const Home home;
    const XSeat server;
    write_file(home.settings_file(), "window_width = 9000\nwindow_height = 7000\nfull_screen = true\n");
    Process program(home.window());
    const ::Window window = wait_for_window(server);
    server.focus(window);
    const XSeat::Place whole{0, 0, 1920, 1200};
    wait_until("it fills the screen", [&] { return server.place_of(window) == whole; });
    server.key(XK_F11, true);
    wait_until("F11 is written down", [&] { return home.says("full_screen = false"); });
    server.key(XK_F11, false);
    CHECK(server.place_of(window).width <= 1920);
    CHECK(server.place_of(window).height <= 1200);
    server.ask_to_close(window);
    CHECK(program.finish().exit_code == 0);
}

TEST_CASE("on a screen of twice the resolution the window is twice as large, and remembered as it was") {
    const Home home;
    const XSeat server;
    write_file(home.settings_file(), "window_width = 800\nwindow_height = 500\n");
    const std::string resources = "Xft.dpi:\t192\n";
    const auto* bytes = reinterpret_cast<const unsigned char*>(resources.data());
    XChangeProperty(server.get(), DefaultRootWindow(server.get()), XA_RESOURCE_MANAGER, XA_STRING, 8,
                    PropModeReplace, bytes, static_cast<int>(resources.size()));
    XSync(server.get(), False);
    Process program(home.window());
    const ::Window window = wait_for_window(server);
    CHECK(server.place_of(window).width == 1600);
    CHECK(server.place_of(window).height == 1000);
    server.set_size(window, 1500, 900);
    wait_until("it has that size", [&] { return server.width_of(window) == 1500; });
    server.ask_to_close(window);
    CHECK(program.finish().exit_code == 0);
    CHECK(home.says("window_width = 750"));
    XDeleteProperty(server.get(), DefaultRootWindow(server.get()), XA_RESOURCE_MANAGER);
    XSync(server.get(), False);
}

/// `text` is one line with this beginning.
void check_sentence(const std::string& text, const std::string& beginning) {
    CAPTURE(text);
    CHECK(text.starts_with(beginning));
    CHECK(text.find('\n') == text.size() - 1);
}

TEST_CASE("a display that cannot be reached is one sentence and exit code 3") {
    ProcessOptions options = without_display({KWB_GUI_PROGRAM});
    options.environment = {{"DISPLAY", ":4711"}};
    const Finished finished = run_process(options);
    CHECK(finished.exit_code == 3);
    check_sentence(finished.err, "kwb-gui: there is no display to open a window on");
    options.command = {KWB_PROGRAM, "gui"};
    const Finished other = run_process(options);
    CHECK(other.exit_code == 3);
    CHECK(other.err == finished.err);
}

TEST_CASE("without OpenGL it is one sentence and exit code 3") {
    const Home home;
    ProcessOptions options = command({KWB_GUI_PROGRAM});
    // Empty files hide Mesa's libraries; its environment variables do not stop newer versions from rendering
    // in software.
    for (const char* library : {"libGLX_mesa.so.0", "libGLX_indirect.so.0"})
        write_file(home.file(library), "");
    options.environment = {{"LD_LIBRARY_PATH", home.file("").string()}};
    const Finished finished = run_process(options);
    CHECK(finished.exit_code == 3);
    check_sentence(finished.err, "kwb-gui: the display offers no OpenGL 3");
    CHECK(finished.err.find("install its driver") != std::string::npos);
}

TEST_CASE("'kwb gui' says when there is no display at all") {
    const Finished finished = run_process(without_display({KWB_PROGRAM, "gui"}));
    CHECK(finished.exit_code == 3);
    check_sentence(finished.err, "kwb: there is no display to open a window on");
    const Finished itself = run_process(without_display({KWB_GUI_PROGRAM}));
    CHECK(itself.exit_code == 3);
    check_sentence(itself.err, "kwb-gui: there is no display to open a window on");
}

TEST_CASE("'kwb gui' says when the window was not built") {
    const fs::path folder = fs::temp_directory_path() / ("kwb-gui-alone-" + std::to_string(::getpid()));
    fs::create_directories(folder);
    fs::copy_file(KWB_PROGRAM, folder / "kwb", fs::copy_options::overwrite_existing);
    const Finished finished = run_process(command({(folder / "kwb").string(), "gui"}));
    fs::remove_all(folder);
    CHECK(finished.exit_code == 3);
    check_sentence(finished.err,
                   "kwb: the window program, " + (folder / "kwb-gui").string() + ", was not built");
}

TEST_CASE("help and version need no display") {
    const Finished help = run_process(without_display({KWB_GUI_PROGRAM, "--help"}));
    CHECK(help.exit_code == 0);
    CHECK(help.out.find("kernel files (.cl) or experiments (.kwb) to open") != std::string::npos);
    const Finished version = run_process(without_display({KWB_GUI_PROGRAM, "--version"}));
    CHECK(version.out == "kwb-gui " + kwb_version() + "\n");
    const Finished wrong = run_process(without_display({KWB_GUI_PROGRAM, "--theme", "pink"}));
    CHECK(wrong.exit_code == 2);
    CHECK(wrong.err.find("--help") != std::string::npos);
}

TEST_CASE("a file that is dropped onto the window is opened") {
    const Home home;
    const XSeat server;
    const fs::path file = home.file("dropped here.cl");
    write_file(file, "kernel void f() {}\n");
    Process program(home.window());
    const ::Window window = wait_for_window(server);
    drop(server, window, file);
    server.set_size(window, 1000, 720);  // so that all settings are saved
    wait_until("the file is open", [&] { return home.says("dropped here.cl"); });
    server.ask_to_close(window);
    CHECK(program.finish().exit_code == 0);
}

/// Presses keys in turn, repeatedly. Each is held for a while, because ImGui before 1.87 only samples the
/// state of the keys when it draws a frame.
class Typist {
public:
    Typist(const XSeat& server, std::vector<KeySym> keys) : server_(server), keys_(std::move(keys)) {}
    Typist(const Typist&) = delete;
    Typist& operator=(const Typist&) = delete;
    ~Typist() { server_.key(keys_[at_], false); }

    void go_on() {
        const auto now = std::chrono::steady_clock::now();
        if (now < next_) return;
        next_ = now + std::chrono::milliseconds(150);  // shorter than the key repeat delay
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

#ifdef KWB_HAS_PICTURE_CLIPBOARD
TEST_CASE("a picture in the clipboard is pasted by other programs, until one of them copies something") {
    const XSeat server;
    SelectionOwner other(server);
    gui::PictureClipboard clipboard;
    const auto is_owned = [&] {
        const ::Window owner = XGetSelectionOwner(server.get(), other.atom("CLIPBOARD"));
        return owner != None && owner != other.window();
    };
    std::string large(300'000, '\0');
    for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i * 7);
    for (const std::string& png : {std::string("\x89PNG first"), large}) {
        CHECK(clipboard.offer(png) == "");
        wait_until("it is in the clipboard", is_owned);
        CHECK(other.ask("CLIPBOARD", "image/png") == png);
        CHECK(other.ask("CLIPBOARD") == "");  // it is no text
        CHECK(!other.ask("CLIPBOARD", "TARGETS").empty());
    }
    CHECK(clipboard.offer(std::string(std::size_t{1} << 28, 'x')).find("too large") != std::string::npos);
    other.own("CLIPBOARD");
    wait_until("another program has the clipboard", [&] { return !is_owned(); });
    CHECK(clipboard.offer("\x89PNG again") == "");
    wait_until("it is back in the clipboard", is_owned);
}
#endif

TEST_CASE("F5 in a new window leads from the start to an answer that is kept") {
    const Home home;
    const XSeat server;
    write_file(home.settings_file(),
               "window_width = 1366\nwindow_height = 768\nscale = 1.0\ntheme = \"dark\"\n"
               "time_budget_ms = 50.0\n[sizes]\nM = 48\nN = 48\nK = 48\n");
    Process program(home.window());
    const ::Window window = wait_for_window(server);
    server.focus(window);
    wait_until("the first frames are drawn", [&] { return server.pixel(window, 2, 2) == kDark; });
    const fs::path run = home.file("data") / "kwb" / "history" / "1.json";
    const auto kept = [&] {
        return fs::exists(run) && read_file(run).find("matmul/tiled") != std::string::npos;
    };
    CHECK_FALSE(kept());
    {
        Typist typist(server, {XK_F5});  // it counts from the moment at which there is a device
        wait_until("the run is kept", [&] {
            typist.go_on();
            return kept();
        });
    }
    server.ask_to_close(window);
    CHECK(program.finish().exit_code == 0);
}

}  // namespace
}  // namespace kwb::test
