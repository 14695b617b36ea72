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
#include "options.hpp"

namespace kwb::cli {
int open_window(const Options& options) {
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
    for (const std::filesystem::path& folder : options.folders) {
        words.push_back("--kernels");
        words.push_back(folder.string());
    }
    words.insert(words.end(), options.window.begin(), options.window.end());
    words.push_back("--");
    words.insert(words.end(), options.kernels.begin(), options.kernels.end());
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    ::execv(program.c_str(), arguments.data());
    throw EnvironmentError("cannot start " + program + ": " + std::strerror(errno));
}

}  // namespace kwb::cli
