// SPDX-License-Identifier: Apache-2.0
#include "ipc/open_outside.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "base/file.hpp"
#include "base/text.hpp"

namespace kwb {
namespace {

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

}  // namespace

bool has_display() {
    return !variable("DISPLAY").empty() || !variable("WAYLAND_DISPLAY").empty();
}

std::string browser_of_user() {
    for (const std::string& listed : split(variable("BROWSER"), ':')) {
        const std::string program(trim(listed));
        const bool is_path = program.find('/') != std::string::npos;
        if (!program.empty() &&
            (is_path ? ::access(program.c_str(), X_OK) == 0 : !find_in_path(program).empty()))
            return program;
    }
    return "";
}

bool open_outside(const std::string& program, const std::filesystem::path& file) {
    // The shell ends at once; the program, which may wait for the one that it starts, is left to init.
    std::string shell = "sh", flag = "-c", opener = program, path = file.string();
    std::string script = "command -v \"$0\" >/dev/null || exit 1; \"$0\" \"$1\" >/dev/null 2>&1 </dev/null &";
    char* const words[] = {shell.data(), flag.data(), script.data(), opener.data(), path.data(), nullptr};
    pid_t child = 0;
    int status = 0;
    return ::posix_spawn(&child, "/bin/sh", nullptr, nullptr, words, environ) == 0 &&
           ::waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace kwb
