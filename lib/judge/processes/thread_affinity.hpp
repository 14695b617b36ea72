// Which processors the threads of a CPU driver run on, and who may bind them.
#pragma once

#include <sys/types.h>

#include "base/fd.hpp"

namespace kwb {

/// Answers the notifications of a runner's system call filter (SandboxReport::question_fd). A runner may bind
/// its own threads, because drivers do (AMD's ROCm), but no kernel may bind threads of the judge or of
/// another runner.
class AffinitySupervisor {
public:
    AffinitySupervisor() = default;
    /// Where the descriptor cannot be copied (ptrace scope 3, for example), the runner's calls are refused.
    /// @param pidfd        of the runner
    /// @param question_fd  its number in the runner; -1: the filter asks nothing
    AffinitySupervisor(int pidfd, int question_fd);

    /// Poll it for input; -1: there is nothing to answer.
    int fd() const { return questions_.get(); }

    /// Answer one question, if there is one. Does not wait.
    void answer();

private:
    Fd questions_;
};

/// Bind each worker thread of a runner to its own processor, if it has as many as there are processors that
/// we may use; else leave them to the system. Best effort: failures are ignored. Otherwise Linux often wakes
/// both of PoCL's two workers on the same processor while launches are short, for seconds on end: a matmul at
/// 64 then takes 0.19 ms instead of 0.10 ms, whole rounds long. PoCL's own remedy, POCL_AFFINITY, counts
/// processors from 0, even where a container may not use that one, and makes a call that the sandbox refuses.
/// @param runner  its driver has started its threads, and it has no others but the first
void spread_worker_threads(pid_t runner);

}  // namespace kwb
