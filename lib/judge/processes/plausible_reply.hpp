// SPDX-License-Identifier: Apache-2.0
// Which messages of a runner are plausible.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>

#include "ipc/runner_messages.hpp"

namespace kwb {

/// What the reply to a request may contain. A kernel may have overwritten the runner's memory or may send
/// messages in the runner's name, so the judge checks every reply against this before it uses it.
struct AllowedReplies {
    std::set<std::string> stages;  ///< that the runner may enter
    unsigned timeouts = 1;         ///< the whole request may take this many times the timeout of a stage
    bool may_fault = false;        ///< one fault note is allowed
    bool is_execution = false;     ///< launches kernels for the first time
    bool is_timed = false;         ///< disturb it as little as possible
    bool leaves_nothing = false;   ///< no process may be left that kernels have started
    std::string stage = {};        ///< that the request begins in; empty: none
    /// The largest of all launches, per dimension: the bound for work-item ids.
    std::array<std::uint64_t, 3> extent{};
    std::set<std::uint32_t> buffers = {};  ///< that exist in the runner; a fault note may name them
};

/// For another run of the same launches: they are compiled, and the runner announces nothing.
inline AllowedReplies again(AllowedReplies executed) {
    executed.is_execution = executed.leaves_nothing = false;
    executed.is_timed = true;
    executed.timeouts = 1;
    executed.stage = kLaunchStage;
    return executed;
}
AllowedReplies allowed_replies(const BuildRequest& request);
AllowedReplies allowed_replies(const ExecuteRequest& request);
AllowedReplies allowed_replies(const ObserveRequest& request);
/// For requests that do not run untrusted code.
template <class Request>
AllowedReplies allowed_replies(const Request&) {
    return {};
}

/// Checks a stage note, a fault note or a reply, but not whether it is the right kind of reply. Truncates
/// very long logs and appends a line that states so.
/// @throws ProtocolError  names what is wrong
void require_plausible(RunnerReply& reply, const AllowedReplies& allowed);

}  // namespace kwb
