// SPDX-License-Identifier: Apache-2.0
#include "judge/processes/runner_limits.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "ipc/runner_messages.hpp"
#include "judge/processes/family.hpp"
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
constexpr double kFileLookMs = 1000;
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

struct FolderUse {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
};

/// Folders nested deeper than this, which may not even have a path, count as too many files.
constexpr int kDeepestFolder = 32;

/// Everything in these folders, links not followed; stops when there are too many files.
FolderUse use_of(const std::vector<fs::path>& folders) {
    struct Place {
        fs::path path;
        int depth = 0;
    };
    std::vector<Place> places;
    for (const fs::path& folder : folders) places.push_back({folder});
    FolderUse use;
    while (!places.empty() && use.files <= kMostFiles) {
        const auto [folder, depth] = std::move(places.back());
        places.pop_back();
        if (depth > kDeepestFolder) return {kMostFiles + 1, use.bytes};
        std::error_code error;
        for (fs::directory_iterator entry(folder, error), end; entry != end && use.files <= kMostFiles;
             entry.increment(error)) {
            struct stat info {};
            if (::lstat(entry->path().c_str(), &info) != 0) continue;
            ++use.files;
            use.bytes += static_cast<std::uint64_t>(info.st_blocks) * 512;
            if (S_ISDIR(info.st_mode)) places.push_back({entry->path(), depth + 1});
        }
    }
    return use;
}

/// Adds the files on the file system of these folders that this process holds open but that have no name any
/// more.
void add_nameless(pid_t pid, const std::vector<fs::path>& folders, std::set<ino_t>& seen, FolderUse& use) {
    struct stat info {};
    std::set<dev_t> devices;
    for (const fs::path& folder : folders)
        if (::stat(folder.c_str(), &info) == 0) devices.insert(info.st_dev);
    std::error_code error;
    for (fs::directory_iterator entry(process_file(pid, "fd"), error), end; entry != end;
         entry.increment(error)) {
        if (::stat(entry->path().c_str(), &info) != 0 || !S_ISREG(info.st_mode) || info.st_nlink > 0 ||
            !devices.contains(info.st_dev) || !seen.insert(info.st_ino).second)
            continue;
        ++use.files;
        use.bytes += static_cast<std::uint64_t>(info.st_blocks) * 512;
    }
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

std::uint64_t bytes_of_family(pid_t leader) {
    std::vector<pid_t> processes = descendants_of(leader);
    processes.push_back(leader);
    std::uint64_t bytes = 0;
    for (const pid_t pid : processes) bytes += proportional_bytes(pid).value_or(usage_of(pid).resident_bytes);
    return bytes;
}

RunnerLimits::RunnerLimits(pid_t pid, std::vector<fs::path> folders)
    : pid_(pid),
      folders_(std::move(folders)),
      machine_bytes_(machine_memory_bytes()),
      limit_bytes_(kwb::resident_limit_bytes({}, machine_bytes_)),
      next_file_look_(deadline_after_ms(kFileLookMs)) {}

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

std::optional<Excess> RunnerLimits::find_excess() {
    if (Clock::now() < next_look_) return std::nullopt;
    const std::optional<Excess> excess = look();
    next_look_ = deadline_after_ms(kLookMs);  // from the end, which may be late in a large family
    return excess;
}

std::optional<Excess> RunnerLimits::look() {
    const std::vector<pid_t> others = descendants_of(pid_);
    const auto excess = [&](Resource of, std::uint64_t limit) { return Excess{of, limit, !others.empty()}; };
    if (others.size() > kMostProcesses) return excess(Resource::Processes, kMostProcesses);

    std::uint64_t threads = 0;
    std::uint64_t bytes = sum_fields(process_file(pid_, "status"), {"VmSwap:"}).value_or(0);
    const auto add = [&](pid_t pid) {
        if (const auto stat = read_process_stat(pid)) threads += stat->threads;
        bytes += usage_of(pid).resident_bytes;
    };
    add(pid_);
    std::ranges::for_each(others, add);
    if (threads > kMostThreads) return excess(Resource::Threads, kMostThreads);
    // The sum counts a shared page once for each process, but a fork by itself uses no additional memory.
    seen_bytes_ = bytes > limit_bytes_ ? std::min(bytes, bytes_of_family(pid_)) : bytes;
    if (seen_bytes_ > limit_bytes_) return excess(Resource::Memory, limit_bytes_);

    if (Clock::now() < next_file_look_) return std::nullopt;
    next_file_look_ = deadline_after_ms(kFileLookMs);
    FolderUse use = use_of(folders_);
    std::set<ino_t> seen;
    add_nameless(pid_, folders_, seen, use);
    for (const pid_t other : others) add_nameless(other, folders_, seen, use);
    if (use.files > kMostFiles) return excess(Resource::Files, kMostFiles);
    if (use.bytes > kMostFolderBytes) return excess(Resource::FileBytes, kMostFolderBytes);
    return std::nullopt;
}

}  // namespace kwb
