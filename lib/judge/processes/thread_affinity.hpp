// Controls on which processors the threads of a CPU driver run, and who may bind them.
#pragma once

#include <sys/types.h>

#include "base/fd.hpp"

namespace kwb {

/// Answers the notifications of a runner's system call filter (SandboxReport::question_fd). A runner may bind
/// its own threads, as some drivers do (AMD's ROCm), but no kernel may bind threads of the judge or of
/// another runner.
class AffinitySupervisor {
public:
    AffinitySupervisor() = default;
    /// If the descriptor cannot be copied (ptrace scope 3, for example), the runner's calls are refused.
    /// @param pidfd        of the runner
    /// @param question_fd  its number in the runner; -1: the filter sends no notifications
    AffinitySupervisor(int pidfd, int question_fd);

    /// Poll this for input; -1: nothing to answer.
    int fd() const { return questions_.get(); }

    /// Answers one notification, if there is one. Does not wait.
    void answer();

private:
    Fd questions_;
};

/// Binds each worker thread of a runner to its own processor, if there are as many workers as processors that
/// we may use; otherwise does nothing. Failures are ignored. Without this, Linux often wakes both of PoCL's
/// two workers on the same processor during short launches, for seconds on end: a matmul at 64 then takes
/// 0.19 ms instead of 0.10 ms for whole rounds. PoCL's own setting, POCL_AFFINITY, counts processors from 0,
/// even in a container that may not use processor 0, and makes a system call that the sandbox refuses.
/// @param runner  its driver has started its threads, and it has no others except the first
void spread_worker_threads(pid_t runner);

}  // namespace kwb
