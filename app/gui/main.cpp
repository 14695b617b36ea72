// SPDX-License-Identifier: Apache-2.0
// kwb-gui, the workbench with a graphical user interface.
#include <CLI/CLI.hpp>

#include <csignal>
#include <exception>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/user_folders.hpp"
#include "base/version.hpp"
#include "desk/desk.hpp"
#include "gui/gl_pictures.hpp"
#include "gui/window.hpp"
#include "gui/workspace.hpp"
#include "task/judge_place.hpp"

namespace {

// As for 'kwb', if no window was shown.
constexpr int kExitBad = 2;          ///< bad options
constexpr int kExitEnvironment = 3;  ///< no display, no OpenGL

constexpr const char* kAbout =
    "Kernel Workbench in a window: choose kernels, run them, see times and errors.\n"
    "'kwb gui' starts it, too; 'kwb --help' describes the same workbench for the terminal.";

constexpr const char* kFooter =
    "Keys: F5 runs, Esc stops, Ctrl + and Ctrl \u2212 scale everything, F11 is full screen, F1 lists all "
    "keys.\n"
    "Exit codes: 0 the window was closed, 2 bad options, 3 no display or no OpenGL.";

}  // namespace

int main(int argc, char** argv) {
    using namespace kwb;
    std::vector<std::filesystem::path> files;
    std::string theme;
    std::optional<float> scale;
    std::string judge;
    std::filesystem::path probes;
    std::vector<std::filesystem::path> folders;
    CLI::App app{kAbout, "kwb-gui"};
    app.footer(kFooter);
    app.set_version_flag("--version", "kwb-gui " + kwb_version());
    app.add_option("FILE", files, "kernel files (.cl) or experiments (.kwb) to open");
    app.add_option("--kernels", folders, "a folder with kernels, before the built-in ones; may be repeated")
        ->type_name("DIR")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
    app.add_option("--theme", theme, "dark or light (default: as last time)")
        ->check(CLI::IsMember({"dark", "light"}));
    app.add_option("--scale", scale, "scale of the whole window, 0.75 to 2.5 (default: as last time)")
        ->check(CLI::Range(gui::kLeastScale, gui::kMostScale));
    app.add_option("--judge", judge, "the judge's program and arguments")->group("");         // for tests
    app.add_option("--probes", probes, "a file for the position of each widget")->group("");  // for tests
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);
        std::cerr << "kwb-gui: " << error.what() << "; 'kwb-gui --help' lists the options\n";
        return kExitBad;
    }
    ::signal(SIGPIPE, SIG_IGN);  // writing to a judge that died then fails with an error
    try {
        DeskOptions desk_options;
        desk_options.judge = usual_place();
        if (!judge.empty()) desk_options.judge = {split_command(judge), ""};
        desk_options.kernel_folders = folders;
        for (const auto& file : files) desk_options.files.push_back(std::filesystem::absolute(file));
        desk_options.settings_file = config_folder() / "settings.toml";
        desk_options.window_file = config_folder() / "window.toml";
        desk_options.history_folder = data_folder() / "history";
        desk_options.ceilings_file = data_folder() / kCeilingsFile;
        desk_options.progress_file = progress_file();
        desk_options.exercise_folder = data_folder() / "exercises";
        Desk desk(std::move(desk_options), [] { gui::wake(); });

        Settings settings = desk.state().settings;
        if (!theme.empty()) settings.theme = theme == "light" ? Theme::Light : Theme::Dark;
        if (scale) settings.scale = *scale;
        desk.perform(command::ChangeSettings{[&](Settings& kept) { kept = settings; }});
        gui::WindowOptions options;
        options.width = settings.window_width;
        options.height = settings.window_height;
        options.maximised = settings.maximised;
        options.full_screen = settings.full_screen;
        options.remember = [&desk](const gui::WindowState& window) {
            desk.perform(command::ChangeSettings{[&](Settings& changed) {
                changed.window_width = window.width;
                changed.window_height = window.height;
                changed.maximised = window.maximised;
                changed.full_screen = window.full_screen;
            }});
        };
        options.look.theme = settings.theme;
        options.look.scale = static_cast<float>(settings.scale);
        if (!probes.empty()) {
            options.look.probes = true;
            options.tell_probes = [&probes, last = std::string()](const gui::Probes& all) mutable {
                if (std::string now = all.lines(); now != last) write_file(probes, last = std::move(now));
            };
        }
        gui::Window window(options);
        gui::CopyPng copy;
#ifdef KWB_HAS_PICTURE_CLIPBOARD
        gui::PictureClipboard clipboard;
        copy = [&](std::string png) { return clipboard.offer(std::move(png)); };
#endif
        gui::Workspace workspace(desk, {.toggle_full_screen = [&] { window.toggle_full_screen(); },
                                        .paint = gui::paint_png,
                                        .copy = copy,
                                        .wake = [] { gui::wake(); }});
        window.run(workspace);
        return 0;
    } catch (const EnvironmentError& error) {
        std::cerr << "kwb-gui: " << error.what() << "\n";
        return kExitEnvironment;
    } catch (const std::exception& error) {
        std::cerr << "kwb-gui: " << error.what() << "\n";
        return kExitBad;
    }
}
