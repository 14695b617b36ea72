#include "judge/processes/affinity_warden.hpp"

#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <string>

namespace kwb {
namespace {

/// Threads of one process see each other in /proc/self/task.
bool are_of_one_process(std::uint32_t asking, std::uint64_t target) {
    const std::string thread = "/proc/" + std::to_string(asking) + "/task/" + std::to_string(target);
    return ::access(thread.c_str(), F_OK) == 0;
}

}  // namespace

AffinityWarden::AffinityWarden(int pidfd, int question_fd) {
    if (question_fd < 0) return;
    questions_ = Fd(static_cast<int>(::syscall(SYS_pidfd_getfd, pidfd, question_fd, 0)));
}

void AffinityWarden::answer() {
    pollfd asked{fd(), POLLIN, 0};
    if (!questions_ || ::poll(&asked, 1, 0) != 1) return;
    if ((asked.revents & POLLIN) == 0) {  // nobody is left to ask
        questions_.reset();
        return;
    }
    seccomp_notif question{};
    if (::ioctl(fd(), SECCOMP_IOCTL_NOTIF_RECV, &question) != 0) return;  // the thread ended meanwhile
    seccomp_notif_resp reply{};
    reply.id = question.id;
    // The number lies in a register, which no other thread can change between this look and the call.
    if (are_of_one_process(question.pid, question.data.args[0]))
        reply.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    else
        reply.error = -EPERM;
    ::ioctl(fd(), SECCOMP_IOCTL_NOTIF_SEND, &reply);
}

}  // namespace kwb
