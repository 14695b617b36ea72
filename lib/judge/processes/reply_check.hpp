// Which replies to a request are plausible.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>

#include "ipc/runner_messages.hpp"

namespace kwb {

/// What a request allows its reply to contain. A kernel may have overwritten the runner or may send messages
/// in its name, so everything that the judge uses is checked against this first.
struct AllowedReplies {
    std::set<std::string> stages;  ///< that may be entered
    bool may_fault = false;        ///< one fault note may come
    std::array<std::uint64_t, 3>
        extent{};  ///< the largest of all launches, per dimension: bounds work-item ids
    std::set<std::uint32_t> buffers = {};  ///< that exist in the runner; a fault note may name them
};

AllowedReplies allowed_replies(const BuildRequest& request);
AllowedReplies allowed_replies(const ExecuteRequest& request);
/// For requests that run nothing dangerous.
template <class Request>
AllowedReplies allowed_replies(const Request&) {
    return {};
}

/// Check a stage note, a fault note or a reply, but not whether it is the right kind of reply. Cuts very long
/// logs, with a line that says so.
/// @throws ProtocolError  says what is wrong
void require_plausible(RunnerReply& reply, const AllowedReplies& allowed);

}  // namespace kwb
