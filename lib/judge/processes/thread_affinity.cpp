#include "judge/processes/thread_affinity.hpp"

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
#include <string>
#include <vector>

namespace kwb {
namespace {

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
