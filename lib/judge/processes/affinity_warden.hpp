// Lets a confined runner bind its own threads to processors, and nobody else's.
#pragma once

#include <sys/types.h>

#include "base/fd.hpp"

namespace kwb {

/// Answers the questions of a runner's system call filter (SandboxReport::question_fd). Drivers bind threads
/// that they start (AMD's ROCm does); a kernel must not bind those of the judge or of another runner.
class AffinityWarden {
public:
    AffinityWarden() = default;
    /// Where the descriptor cannot be had (PTRACE scope 3, say), the runner's calls are refused.
    /// @param pidfd        of the runner
    /// @param question_fd  its number there; -1: it asks nothing
    AffinityWarden(int pidfd, int question_fd);

    /// To be polled for input; -1: there is nothing to answer.
    int fd() const { return questions_.get(); }

    /// Answer one question, if there is one. Does not wait.
    void answer();

private:
    Fd questions_;
};

}  // namespace kwb
