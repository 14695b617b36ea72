// SPDX-License-Identifier: Apache-2.0
#include "process_run.hpp"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <system_error>

#include "base/error.hpp"
#include "base/fd.hpp"
#include "base/text.hpp"

namespace kwb::bench {
namespace {

std::vector<std::string> merge(const NamedList<std::string>& changes) {
    std::vector<std::string> merged;
    for (char** entry = environ; *entry != nullptr; ++entry) {
        const std::string_view line(*entry);
        if (find_named(changes, line.substr(0, line.find('='))) == nullptr) merged.emplace_back(line);
    }
    for (const auto& [name, value] : changes) merged.push_back(name + "=" + value);
    return merged;
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
    std::vector<char*> out;
    for (std::string& text : texts) out.push_back(text.data());
    out.push_back(nullptr);
    return out;
}

/// VmHWM in bytes; 0 once the process has released its memory.
std::uint64_t peak_of(pid_t pid) {
    std::ifstream status("/proc/" + std::to_string(pid) + "/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) return std::strtoull(line.c_str() + 6, nullptr, 10) << 10;
    return 0;
}

}  // namespace

ProcessRun run_process(const std::vector<std::string>& command, const NamedList<std::string>& environment,
                       Watch watch) {
    std::vector<std::string> arguments = command;
    std::vector<std::string> variables = merge(environment);
    const std::vector<char*> argv = pointers(arguments);
    const std::vector<char*> envp = pointers(variables);
    Pipe pipe = make_pipe();
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, pipe.write.get(), STDOUT_FILENO);
    ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);

    const auto start = std::chrono::steady_clock::now();
    pid_t pid = -1;
    const int error = ::posix_spawnp(&pid, argv[0], &actions, nullptr, argv.data(), envp.data());
    ::posix_spawn_file_actions_destroy(&actions);
    if (error != 0)
        throw std::system_error(error, std::generic_category(), "cannot start " + command.front());
    pipe.write.reset();

    ProcessRun run;
    char buffer[1 << 16];
    for (;;) {
        pollfd ready{pipe.read.get(), POLLIN, 0};
        if (watch == Watch::Memory) run.peak_bytes = std::max(run.peak_bytes, peak_of(pid));
        if (::poll(&ready, 1, watch == Watch::Memory ? 1 : -1) == 0) continue;
        const ssize_t n = ::read(pipe.read.get(), buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        run.output.append(buffer, static_cast<std::size_t>(n));
    }
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
    run.wall_ms = wall.count();
    if (WIFEXITED(status)) run.exit_code = WEXITSTATUS(status);
    return run;
}

ProcessRun run_well(const std::vector<std::string>& command, const NamedList<std::string>& environment,
                    Watch watch) {
    ProcessRun run = run_process(command, environment, watch);
    if (run.exit_code != 0)
        throw EnvironmentError("`" + join(command, " ") + "` ended with exit code " +
                               std::to_string(run.exit_code));
    return run;
}

}  // namespace kwb::bench
