// Defines which replies to a request are plausible.
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
    bool may_fault = false;        ///< one fault note is allowed
    std::array<std::uint64_t, 3>
        extent{};  ///< the largest of all launches, per dimension: the bound for work-item ids
    std::set<std::uint32_t> buffers = {};  ///< that exist in the runner; a fault note may name them
};

AllowedReplies allowed_replies(const BuildRequest& request);
AllowedReplies allowed_replies(const ExecuteRequest& request);
/// For requests that do not run untrusted code.
template <class Request>
AllowedReplies allowed_replies(const Request&) {
    return {};
}

/// Checks a stage note, a fault note or a reply, but not whether it is the right kind of reply. Truncates
/// very long logs and appends a line that says so.
/// @throws ProtocolError  says what is wrong
void require_plausible(RunnerReply& reply, const AllowedReplies& allowed);

}  // namespace kwb
