// SPDX-License-Identifier: Apache-2.0
// Executes a request: compiles the kernel, creates its buffers, runs its launches under observation.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "ipc/arena.hpp"
#include "ipc/runner_messages.hpp"

namespace kwb::xray {

/// @param arena  holds the buffers' contents and receives those in `download`; may be null if there are none
/// @param enter  called before a step in which this process may crash, with its name
/// @throws std::runtime_error  the source does not compile, or uses an unsupported feature; a sentence
ObservedReply observe(const ObserveRequest& request, Arena* arena,
                      const std::function<void(const char*)>& enter);

/// For a signal handler: the observations up to the signal, if a kernel was running.
/// @return  nullopt: no kernel was running
/// @param division  the instruction that divided by zero; null: another cause
std::optional<ObservedReply> observed_until_crash(const std::string& signal, const void* division);

}  // namespace kwb::xray
