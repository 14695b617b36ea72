// SPDX-License-Identifier: Apache-2.0
// Executes a request: compiles the kernel, creates its buffers, runs its launches under observation.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "ipc/arena.hpp"
#include "ipc/runner_messages.hpp"

namespace kwb::xray {

class Observation;

/// Observes what it is asked for. After a part of a recording it waits where the group is, so that the next
/// part takes no longer than that one.
class Executor {
public:
    /// @param arena  holds the buffers' contents and receives those in `download`; may be null if there are
    /// none
    explicit Executor(Arena* arena);
    ~Executor();
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;

    /// @param enter  called before a step in which this process may crash, with its name
    /// @throws std::runtime_error  the source does not compile, or uses an unsupported feature; a sentence
    ObservedReply observe(const ObserveRequest& request, const std::function<void(const char*)>& enter);
    /// The answer, once it has been sent: the next part needs some of it.
    void take_back(ObservedReply reply);

private:
    Arena* arena_;
    std::unique_ptr<Observation> waiting_;  ///< null: the last one has ended
};

/// For a signal handler: the observations up to the signal, if a kernel was running.
/// @return  nullopt: no kernel was running
/// @param division  the instruction that divided by zero; null: another cause
std::optional<ObservedReply> observed_until_crash(const std::string& signal, const void* division);

}  // namespace kwb::xray
