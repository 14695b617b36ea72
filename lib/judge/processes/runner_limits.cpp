#include "judge/processes/runner_limits.hpp"

#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "ipc/runner_messages.hpp"
#include "judge/processes/machine.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

#if defined(KWB_SANITIZE_ADDRESS) || defined(KWB_SANITIZE_THREAD)
constexpr bool kSanitized = true;  // the judge and the runner are built with the same options
#else
constexpr bool kSanitized = false;
#endif

constexpr double kSpareCpuSeconds = 10;
constexpr double kGroupLookMs = 1000;
/// glibc reserves up to 128 MiB of address space for each thread that allocates.
constexpr std::uint64_t kThreadBytes = std::uint64_t{128} << 20;

std::uint64_t page_bytes() {
    return static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

unsigned cores() {
    return std::max(1u, std::thread::hardware_concurrency());
}

std::string process_file(pid_t pid, const char* name) {
    return "/proc/" + std::to_string(pid) + "/" + name;
}

struct Usage {
    std::uint64_t whole_bytes = 0;
    std::uint64_t resident_bytes = 0;
};

Usage usage_of(pid_t pid) {
    std::ifstream file(process_file(pid, "statm"));
    std::uint64_t whole = 0;
    std::uint64_t resident = 0;
    file >> whole >> resident;
    return {whole * page_bytes(), resident * page_bytes()};
}

/// The sum of these fields of a file with lines "name: number kB"; nullopt if it has none of them.
std::optional<std::uint64_t> sum_fields(const std::string& path, std::initializer_list<const char*> names) {
    std::ifstream file(path);
    std::optional<std::uint64_t> bytes;
    for (std::string line; std::getline(file, line);)
        for (const char* name : names)
            if (line.starts_with(name)) {
                std::uint64_t kib = 0;
                std::istringstream(line.substr(std::strlen(name))) >> kib;
                bytes = bytes.value_or(0) + (kib << 10);
            }
    return bytes;
}

/// Line format: "number (name) state parent group …"; the name may contain any characters.
pid_t group_of(const fs::path& process) {
    std::ifstream file(process / "stat");
    std::string stat;
    std::getline(file, stat);
    std::istringstream rest(stat.substr(std::min(stat.size(), stat.rfind(')') + 1)));
    char state = 0;
    pid_t parent = 0;
    pid_t group = 0;
    rest >> state >> parent >> group;
    return group;
}

/// All processes of a group except its leader.
std::vector<pid_t> others_in_group(pid_t leader) {
    std::vector<pid_t> others;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/proc", error)) {
        const std::string name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos) continue;
        const auto pid = static_cast<pid_t>(std::stol(name));
        if (pid != leader && group_of(entry.path()) == leader) others.push_back(pid);
    }
    return others;
}

/// Resident and swapped memory, each page divided by the number of processes that share it. Walks all pages,
/// 10 ms per GiB. Source: Linux, Documentation/filesystems/proc.rst, "smaps_rollup".
std::optional<std::uint64_t> proportional_bytes(pid_t pid) {
    return sum_fields(process_file(pid, "smaps_rollup"), {"Pss:", "SwapPss:"});
}

void set_soft_limit(pid_t pid, __rlimit_resource resource, std::uint64_t value) {
    rlimit limit{};
    if (::prlimit(pid, resource, nullptr, &limit) != 0) return;  // it has ended; other code notices that
    limit.rlim_cur = std::min<rlim_t>(value, limit.rlim_max);
    ::prlimit(pid, resource, &limit, nullptr);
}

}  // namespace

std::uint64_t resident_limit_bytes(const MemoryNeeds& needs, std::uint64_t machine_bytes) {
    constexpr std::uint64_t kLeastRoomBytes = std::uint64_t{512} << 20;
    const std::uint64_t buffers = std::min(machine_bytes, needs.buffer_bytes);
    const std::uint64_t arena = std::min(machine_bytes, needs.arena_bytes);
    return std::min(std::max(machine_bytes / 2, buffers + arena + kLeastRoomBytes),
                    buffers * 3 + kRunnerRoomBytes);
}

std::uint64_t bytes_of_group(pid_t leader) {
    std::vector<pid_t> processes = others_in_group(leader);
    processes.push_back(leader);
    std::uint64_t bytes = 0;
    for (const pid_t pid : processes) bytes += proportional_bytes(pid).value_or(usage_of(pid).resident_bytes);
    return bytes;
}

bool RunnerLimits::has_started_others() const {
    return !others_in_group(pid_).empty();
}

RunnerLimits::RunnerLimits(pid_t pid)
    : pid_(pid),
      machine_bytes_(machine_memory_bytes()),
      limit_bytes_(kwb::resident_limit_bytes({}, machine_bytes_)),
      next_group_look_(deadline_after_ms(kGroupLookMs)) {}

void RunnerLimits::set_memory(const MemoryNeeds& needs) {
    // Do not charge this run for memory that earlier buffers left allocated.
    const Usage now = usage_of(pid_);
    limit_bytes_ = std::max(kwb::resident_limit_bytes(needs, machine_bytes_),
                            std::min(machine_bytes_ / 2, now.resident_bytes + kRunnerRoomBytes));
    if (!needs.limit_address_space || kSanitized) return;
    set_soft_limit(pid_, RLIMIT_AS,
                   now.whole_bytes + (needs.arena_bytes + needs.buffer_bytes) * 2 +
                       needs.unreadable_buffers * 2 * kUnreadableBytes + cores() * kThreadBytes +
                       kRunnerRoomBytes);
}

void RunnerLimits::enter_stage(double timeout_ms) {
    clockid_t clock{};
    timespec used{};
    if (::clock_getcpuclockid(pid_, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return;
    const double limit_s = static_cast<double>(used.tv_sec) + timeout_ms / 1000 * cores() + kSpareCpuSeconds;
    if (limit_s < 1e9) set_soft_limit(pid_, RLIMIT_CPU, static_cast<std::uint64_t>(std::ceil(limit_s)));
}

bool RunnerLimits::is_over_memory() {
    const Deadline now = Clock::now();
    if (now >= next_look_) {
        next_look_ = now + std::chrono::milliseconds(static_cast<int>(kLookMs));
        std::uint64_t bytes = usage_of(pid_).resident_bytes;
        if (now >= next_group_look_) {
            next_group_look_ = now + std::chrono::milliseconds(static_cast<int>(kGroupLookMs));
            bytes += sum_fields(process_file(pid_, "status"), {"VmSwap:"}).value_or(0);
            for (const pid_t other : others_in_group(pid_)) bytes += usage_of(other).resident_bytes;
        }
        // The sum counts a shared page once for each process, but a fork alone uses no additional memory.
        seen_bytes_ = bytes > limit_bytes_ ? std::min(bytes, bytes_of_group(pid_)) : bytes;
    }
    return seen_bytes_ > limit_bytes_;
}

}  // namespace kwb
