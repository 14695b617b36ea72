// SPDX-License-Identifier: Apache-2.0
// Performs a request: compiles the kernel, makes its buffers, runs its launches under observation.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "ipc/arena.hpp"
#include "ipc/runner_messages.hpp"

namespace kwb::xray {

/// @param arena  contents of the buffers, and where `download` puts them; may be null if there are none
/// @param enter  called before a step in which this process may crash, with its name
/// @throws std::runtime_error  the source does not compile here, or uses what is not observed; a sentence
ObservedReply observe(const ObserveRequest& request, Arena* arena,
                      const std::function<void(const char*)>& enter);

/// For a handler of signals: what was observed until then, if a kernel was running.
/// @return  nullopt: none was
/// @param division  the instruction that divided by zero; null: it was something else
std::optional<ObservedReply> observed_until_crash(const std::string& signal, const void* division);

}  // namespace kwb::xray
