// SPDX-License-Identifier: Apache-2.0
#include "judge/processes/family.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace kwb {
namespace {

std::string process_folder(pid_t pid) {
    return "/proc/" + std::to_string(pid);
}

}  // namespace

std::optional<ProcessStat> read_process_stat(pid_t pid) {
    std::ifstream file(process_folder(pid) + "/stat");
    std::string stat;
    // Line format: "number (name) state parent …"; the name may contain any characters.
    if (!std::getline(file, stat) || stat.rfind(')') == std::string::npos) return std::nullopt;
    std::istringstream rest(stat.substr(stat.rfind(')') + 1));
    ProcessStat process;
    std::string skipped;
    rest >> process.state >> skipped >> process.group;
    for (int field = 6; field < 14; ++field) rest >> skipped;
    std::uint64_t user = 0, system = 0, children_user = 0, children_system = 0;
    rest >> user >> system >> children_user >> children_system >> skipped >> skipped >> process.threads;
    static const double tick_ms = 1000.0 / static_cast<double>(::sysconf(_SC_CLK_TCK));
    process.cpu_ms = static_cast<double>(user + system) * tick_ms;
    process.ended_children_cpu_ms = static_cast<double>(children_user + children_system) * tick_ms;
    return process;
}

std::vector<pid_t> descendants_of(pid_t pid) {
    namespace fs = std::filesystem;
    constexpr std::size_t kMost = 10'000;
    std::vector<pid_t> found;
    std::error_code error;
    static const bool lists_children = fs::exists("/proc/thread-self/children", error);
    if (!lists_children) {  // a Linux kernel without CONFIG_PROC_CHILDREN
        for (const auto& entry : fs::directory_iterator("/proc", error)) {
            const std::string name = entry.path().filename();
            pid_t other = 0;
            const auto [end, code] = std::from_chars(name.data(), name.data() + name.size(), other);
            if (code != std::errc{} || end != name.data() + name.size() || other == pid) continue;
            if (const auto stat = read_process_stat(other); stat && stat->group == pid)
                found.push_back(other);
        }
        return found;
    }
    const auto add_children_of = [&](pid_t parent) {
        for (const auto& thread : fs::directory_iterator(process_folder(parent) + "/task", error)) {
            std::ifstream children(thread.path() / "children");
            for (pid_t child = 0; found.size() < kMost && children >> child;) found.push_back(child);
        }
    };
    add_children_of(pid);
    for (std::size_t i = 0; i < found.size(); ++i) add_children_of(found[i]);
    return found;
}

std::optional<double> family_cpu_ms(pid_t runner) {
    clockid_t clock{};
    timespec time{};
    if (::clock_getcpuclockid(runner, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return std::nullopt;
    double cpu_ms = static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
    // Parents first: the time of a child that is reaped meanwhile is counted at the next call instead of
    // twice.
    if (const auto stat = read_process_stat(runner)) cpu_ms += stat->ended_children_cpu_ms;
    for (const pid_t pid : descendants_of(runner))
        if (const auto stat = read_process_stat(pid)) cpu_ms += stat->cpu_ms + stat->ended_children_cpu_ms;
    return cpu_ms;
}

}  // namespace kwb
