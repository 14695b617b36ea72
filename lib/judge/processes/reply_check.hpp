// What an honest runner can answer to a request.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>

#include "ipc/runner_messages.hpp"

namespace kwb {

/// What a request allows its answer to say. A kernel may have overwritten the runner, or may speak in its
/// name: whatever the judge goes on to use is checked against this first.
struct Asked {
    std::set<std::string> stages;           ///< that may be entered on the way
    bool may_fault = false;                 ///< a fault note may come, one
    std::array<std::uint64_t, 3> extent{};  ///< of all launches, per dimension: bounds a work-item
    std::set<std::uint32_t> buffers = {};   ///< that exist in the runner and that a fault note may name
};

Asked asked_by(const BuildRequest& request);
Asked asked_by(const ExecuteRequest& request);
/// Of requests on whose way nothing dangerous happens.
template <class Request>
Asked asked_by(const Request&) {
    return {};
}

/// Check a stage note, a fault note or a reply. Whether it is the right kind of reply is not looked at.
/// Logs longer than a person reads are cut, with a line that says so.
/// @throws ProtocolError  with what is wrong with it
void require_plausible(RunnerReply& reply, const Asked& asked);

}  // namespace kwb
