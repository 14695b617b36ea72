#include "judge/processes/worker_threads.hpp"

#include <sched.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string>
#include <vector>

namespace kwb {
namespace {

/// All but the first, in the order of their start.
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
