// SPDX-License-Identifier: Apache-2.0
// Compiles a kernel for a GPU in a thread, while X-ray runs.
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <thread>
#include <utility>

#include "gpu/compile_for.hpp"

namespace kwb {

/// Its destructor ends the compiler, within about 20 ms.
class TargetCompiling {
public:
    /// @param wake  called in the thread at the end
    TargetCompiling(std::string target, SourceText text, std::function<void()> wake)
        : thread_([this, target = std::move(target), text = std::move(text),
                   wake = std::move(wake)](const std::stop_token& stop) {
              report_ = compile_for(target, text, stop);
              is_done_ = true;
              wake();
          }) {}

    bool is_done() const { return is_done_; }
    /// Once is_done().
    const TargetReport& report() const { return report_; }

private:
    TargetReport report_;
    std::atomic<bool> is_done_ = false;
    std::jthread thread_;  ///< last, because the thread uses the others
};

}  // namespace kwb
