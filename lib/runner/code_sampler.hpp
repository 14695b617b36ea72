// SPDX-License-Identifier: Apache-2.0
// Notes where the threads of this process are, again and again: a sampling profiler.
#pragma once

#include <vector>

#include "ipc/runner_messages.hpp"

namespace kwb {

/// Samples from its construction on, each millisecond of the process's processor time or less often, but not
/// the thread that made it, which waits for the others. One at a time.
class CodeSampler {
public:
    CodeSampler();
    CodeSampler(const CodeSampler&) = delete;
    CodeSampler& operator=(const CodeSampler&) = delete;
    ~CodeSampler();

    /// Ends the sampling. @return  at most kMostCodePlaces; none on processors other than x86-64 and ARM64
    std::vector<CodePlace> take();

private:
    void end();
};

}  // namespace kwb
