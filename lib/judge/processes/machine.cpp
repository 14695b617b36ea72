// SPDX-License-Identifier: Apache-2.0
#include "judge/processes/machine.hpp"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

/// Version 1 represents "no limit" by the largest 64-bit multiple of the page size.
constexpr std::uint64_t kNoGroupLimit = std::uint64_t{1} << 62;

/// Where the groups of one cgroup version are mounted.
struct Hierarchy {
    bool is_second_version = false;
    std::string mount_root;  ///< the group that appears at the mount point
    fs::path mount_point;
};

std::optional<std::uint64_t> parse_bytes(const std::string& text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;  // also for "max"
    return value;
}

std::optional<std::uint64_t> read_number(const fs::path& file) {
    std::ifstream in(file);
    std::string word;
    in >> word;
    return parse_bytes(word);
}

/// Reads a value from a file with lines "name number".
std::optional<std::uint64_t> read_entry(const fs::path& file, std::string_view wanted) {
    std::ifstream in(file);
    for (std::string name, number; in >> name >> number;)
        if (name == wanted) return parse_bytes(number);
    return std::nullopt;
}

bool lists_word(const std::string& list, std::string_view word) {
    const std::vector<std::string> words = split(list, ',');
    return std::ranges::find(words, word) != words.end();
}

/// Spaces and other special characters are written as a backslash with three octal digits.
std::string unescape_mount(const std::string& text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        unsigned code = 0;
        if (text[i] == '\\' && i + 3 < text.size() &&
            std::from_chars(&text[i + 1], &text[i + 4], code, 8).ptr == &text[i + 4]) {
            plain += static_cast<char>(code);
            i += 3;
        } else {
            plain += text[i];
        }
    }
    return plain;
}

/// Line format: "id parent device root mount-point options [fields] - type source options"
std::vector<Hierarchy> find_hierarchies(const fs::path& root) {
    std::vector<Hierarchy> found;
    std::ifstream in(root / "proc/self/mountinfo");
    for (std::string line; std::getline(in, line);) {
        const std::size_t separator = line.find(" - ");
        if (separator == std::string::npos) continue;
        std::string skipped, mount_root, mount_point, type, source, options;
        std::istringstream(line.substr(0, separator)) >> skipped >> skipped >> skipped >> mount_root >>
            mount_point;
        std::istringstream(line.substr(separator + 3)) >> type >> source >> options;
        if (type == "cgroup2" || (type == "cgroup" && lists_word(options, "memory")))
            found.push_back({type == "cgroup2", unescape_mount(mount_root),
                             root / fs::path(unescape_mount(mount_point)).relative_path()});
    }
    return found;
}

/// Line format: "number:controllers:path"; version 2 has number 0 and no controllers.
std::optional<std::string> find_group(const fs::path& root, bool is_second_version) {
    std::ifstream in(root / "proc/self/cgroup");
    for (std::string line; std::getline(in, line);) {
        const std::size_t first = line.find(':');
        const std::size_t second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string controllers = line.substr(first + 1, second - first - 1);
        if (is_second_version ? controllers.empty() : lists_word(controllers, "memory"))
            return line.substr(second + 1);
    }
    return std::nullopt;
}

/// The group's path below the mount point. Empty if the mount does not show that path: a container may see
/// only its own group.
fs::path below_mount(const Hierarchy& hierarchy, const std::string& group) {
    const fs::path below = fs::path(group).lexically_relative(hierarchy.mount_root);
    if (below.empty() || *below.begin() == "..") return {};
    return below == "." ? fs::path() : below;
}

std::optional<std::uint64_t> lower_of(std::optional<std::uint64_t> a, std::optional<std::uint64_t> b) {
    if (!a || !b) return a ? a : b;
    return std::min(*a, *b);
}

/// The limits of a single group.
CgroupMemory read_group(const fs::path& folder, bool is_second_version) {
    CgroupMemory memory;
    if (is_second_version)
        memory.limit_bytes =
            lower_of(read_number(folder / "memory.max"), read_number(folder / "memory.high"));
    else
        memory.limit_bytes = lower_of(read_number(folder / "memory.limit_in_bytes"),
                                      read_entry(folder / "memory.stat", "hierarchical_memory_limit"));
    if (memory.limit_bytes >= kNoGroupLimit) memory.limit_bytes.reset();
    if (!memory.limit_bytes) return memory;
    const std::uint64_t used =
        read_number(folder / (is_second_version ? "memory.current" : "memory.usage_in_bytes")).value_or(0);
    const std::uint64_t unneeded =
        read_entry(folder / "memory.stat", is_second_version ? "inactive_file" : "total_inactive_file")
            .value_or(0);
    const std::uint64_t taken = used - std::min(used, unneeded);
    memory.free_bytes = *memory.limit_bytes - std::min(*memory.limit_bytes, taken);
    return memory;
}

/// The value of "name : value" in a text file below /proc, or "".
std::string find_entry(const fs::path& file, std::string_view name) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
        const std::size_t colon = line.find(':');
        if (colon != std::string::npos && trim(std::string_view(line).substr(0, colon)) == name)
            return std::string(trim(std::string_view(line).substr(colon + 1)));
    }
    return "";
}

/// UINT64_MAX if the system does not report it.
std::uint64_t meminfo_bytes(const fs::path& root, std::string_view name) {
    const std::string text = find_entry(root / "proc/meminfo", name);
    std::uint64_t kibibytes = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), kibibytes).ec != std::errc{})
        return UINT64_MAX;
    return kibibytes << 10;
}

/// The threads of a process appear in each other's /proc/<thread>/task.
bool are_of_one_process(std::uint32_t asking, std::uint64_t target) {
    const std::string thread = "/proc/" + std::to_string(asking) + "/task/" + std::to_string(target);
    return ::access(thread.c_str(), F_OK) == 0;
}

/// All threads except the first, in the order in which they started.
std::vector<pid_t> find_workers(pid_t process) {
    std::vector<pid_t> workers;
    std::error_code error;
    for (const auto& entry :
         std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/task", error)) {
        const std::string name = entry.path().filename();
        pid_t thread = 0;
        std::from_chars(name.data(), name.data() + name.size(), thread);
        if (thread != process) workers.push_back(thread);
    }
    std::ranges::sort(workers);
    return workers;
}

std::vector<std::size_t> usable_processors() {
    std::vector<std::size_t> processors;
    cpu_set_t set;
    CPU_ZERO(&set);
    if (::sched_getaffinity(0, sizeof set, &set) != 0) return processors;
    for (std::size_t i = 0; i < CPU_SETSIZE; ++i)
        if (CPU_ISSET(i, &set)) processors.push_back(i);
    return processors;
}

}  // namespace

CgroupMemory read_cgroup_memory(const fs::path& root) {
    CgroupMemory lowest;
    for (const Hierarchy& hierarchy : find_hierarchies(root)) {
        const auto group = find_group(root, hierarchy.is_second_version);
        if (!group) continue;
        fs::path below = below_mount(hierarchy, *group);
        for (;; below = below.parent_path()) {
            const CgroupMemory memory =
                read_group(hierarchy.mount_point / below, hierarchy.is_second_version);
            lowest.limit_bytes = lower_of(lowest.limit_bytes, memory.limit_bytes);
            lowest.free_bytes = lower_of(lowest.free_bytes, memory.free_bytes);
            if (below.empty()) break;
        }
    }
    return lowest;
}

std::string host_cpu_name() {
    const std::string name = find_entry("/proc/cpuinfo", "model name");
    return name.empty() ? "unknown" : name;
}

std::uint64_t machine_memory_bytes(const fs::path& root) {
    return std::min(meminfo_bytes(root, "MemTotal"),
                    read_cgroup_memory(root).limit_bytes.value_or(UINT64_MAX));
}

std::uint64_t available_memory_bytes(const fs::path& root) {
    const std::uint64_t free = read_cgroup_memory(root).free_bytes.value_or(UINT64_MAX);
    return std::max<std::uint64_t>(1, std::min(meminfo_bytes(root, "MemAvailable"), free));
}

std::uint64_t count_memory_kills(const fs::path& root) {
    return read_entry(root / "proc/vmstat", "oom_kill").value_or(0);
}

AffinitySupervisor::AffinitySupervisor(int pidfd, int question_fd) {
    if (question_fd < 0) return;
    questions_ = Fd(static_cast<int>(::syscall(SYS_pidfd_getfd, pidfd, question_fd, 0)));
}

void AffinitySupervisor::answer() {
    pollfd asked{fd(), POLLIN, 0};
    if (!questions_ || ::poll(&asked, 1, 0) != 1) return;
    if ((asked.revents & POLLIN) == 0) {  // the runner has ended
        questions_.reset();
        return;
    }
    seccomp_notif question{};
    if (::ioctl(fd(), SECCOMP_IOCTL_NOTIF_RECV, &question) != 0) return;  // the thread has ended
    seccomp_notif_resp reply{};
    reply.id = question.id;
    // The thread number is in a register, so no other thread can change it between this check and the call.
    if (are_of_one_process(question.pid, question.data.args[0]))
        reply.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    else
        reply.error = -EPERM;
    ::ioctl(fd(), SECCOMP_IOCTL_NOTIF_SEND, &reply);
}

void spread_worker_threads(pid_t runner) {
    const std::vector<pid_t> workers = find_workers(runner);
    const std::vector<std::size_t> processors = usable_processors();
    if (workers.size() < 2 || workers.size() != processors.size()) return;
    for (std::size_t i = 0; i < workers.size(); ++i) {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET(processors[i], &one);
        ::sched_setaffinity(workers[i], sizeof one, &one);
    }
}

}  // namespace kwb
