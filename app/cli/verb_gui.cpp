// SPDX-License-Identifier: Apache-2.0
// kwb gui: replace this process with the window.
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "ipc/open_outside.hpp"
#include "verb.hpp"

namespace kwb::cli {
namespace {

struct GuiOptions {
    std::vector<std::string> files;
    std::vector<std::string> passed_on;  ///< options of kwb-gui

    void add(CLI::App& verb) {
        verb.add_option("FILE", files, "kernel files (.cl) or experiments (.kwb) to open");
        const auto pass_on = [&](const std::string& name, const char* help) {
            const auto take = [this, name](const std::string& value) {
                passed_on.insert(passed_on.end(), {name, value});
            };
            return verb.add_option_function<std::string>(name, take, help);
        };
        pass_on("--theme", "dark or light (as the last time)")->check(CLI::IsMember({"dark", "light"}));
        pass_on("--scale", "size of everything, 0.75 to 2.5 (as the last time)")
            ->check(CLI::Range(0.75, 2.5));
        pass_on("--judge", "the judge's program and arguments")->group("");  // for tests
    }
};

/// Replaces this process; only returns by exception.
int open_window(const GuiOptions& options, const Folders& folders) {
    const std::string program =
        (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "kwb-gui").string();
    if (::access(program.c_str(), X_OK) != 0)
        throw EnvironmentError("the window program, " + program +
                               ", was not built. In a clone, './workbench gui' installs its dependencies and "
                               "builds it; or install libimgui-dev, libglfw3-dev and libgl-dev and build "
                               "with -DKWB_GUI=ON, or work in the terminal with 'kwb run'");
    if (!has_display())
        throw EnvironmentError(
            "there is no display to open a window on (neither DISPLAY nor WAYLAND_DISPLAY is set); start it "
            "from a desktop or through 'ssh -X', or work in the terminal with 'kwb run'");
    std::vector<std::string> words = {program};
    for (const std::filesystem::path& folder : folders) {
        words.push_back("--kernels");
        words.push_back(folder.string());
    }
    words.insert(words.end(), options.passed_on.begin(), options.passed_on.end());
    words.push_back("--");
    words.insert(words.end(), options.files.begin(), options.files.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execv(program.c_str(), arguments.data());
    throw EnvironmentError("cannot start " + program + ": " + std::strerror(errno));
}

}  // namespace

Verb add_gui(CLI::App& kwb) {
    return add_verb<GuiOptions>(kwb, {"gui", "open the window"}, open_window);
}

}  // namespace kwb::cli
