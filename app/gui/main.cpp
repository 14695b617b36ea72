// kwb-gui: the workbench in a window.
#include <CLI/CLI.hpp>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/version.hpp"
#include "gui/shell.hpp"
#include "gui/window.hpp"

namespace {

constexpr int kExitBad = 2;  ///< bad options, no display, no OpenGL: nothing was shown

constexpr const char* kAbout =
    "Kernel Workbench in a window: choose kernels, run them, see times and errors.\n"
    "'kwb gui' starts it too; 'kwb --help' explains the same workbench in a terminal.";

constexpr const char* kFooter =
    "Keys: F5 runs, Esc stops, Ctrl + and Ctrl \xE2\x88\x92 scale everything, F11 is full screen, F1 lists "
    "all "
    "keys.\n"
    "Exit codes: 0 the window was closed, 2 bad options, no display or no OpenGL.";

}  // namespace

int main(int argc, char** argv) {
    using namespace kwb;
    std::vector<std::filesystem::path> files;
    std::string theme = "dark";
    float scale = 1;
    std::vector<std::filesystem::path> folders;
    CLI::App app{kAbout, "kwb-gui"};
    app.footer(kFooter);
    app.set_version_flag("--version", "kwb-gui " + kwb_version());
    app.add_option("FILE", files, "kernel files (.cl) to open");
    app.add_option("--kernels", folders, "a folder with kernels, before the built-in ones; may be repeated")
        ->type_name("DIR")
        ->expected(1)
        ->take_all();
    app.add_option("--theme", theme, "dark (the default) or light")->check(CLI::IsMember({"dark", "light"}));
    app.add_option("--scale", scale, "size of everything, 0.75 to 2.5 (1)")
        ->check(CLI::Range(gui::kLeastScale, gui::kMostScale));
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        std::cerr << "kwb-gui: " << error.what() << "; 'kwb-gui --help' lists the options\n";
        return kExitBad;
    }
    try {
        gui::WindowOptions options;
        options.look.theme = theme == "light" ? gui::Theme::Light : gui::Theme::Dark;
        options.look.scale = scale;
        gui::Window window(options);
        gui::Shell shell({.toggle_full_screen = [&] { window.toggle_full_screen(); }});
        shell.open_files(files);
        window.run(shell);
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "kwb-gui: " << error.what() << "\n";
        return kExitBad;
    }
}
