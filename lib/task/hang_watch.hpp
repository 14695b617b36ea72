// SPDX-License-Identifier: Apache-2.0
// Decides when a check gives up on a kernel that never ends.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/request.hpp"

namespace kwb {

/// A kernel that hangs takes the full time limit at each size, and a check has about twenty sizes. Two
/// timeouts are evidence enough, so after these the check continues with the other kernels.
class HangWatch {
public:
    static constexpr std::size_t kMostTimeouts = 2;  ///< per kernel and cause

    /// Record the result of one kernel at one size. A failed reference counts like a timeout, because it may
    /// have hung. A timeout that the kernel's file expects does not count, because it must be confirmed at
    /// every size.
    void note(const KernelResult& result);

    /// @param request  of a check
    /// @return  a reason for the user, for each of several kernels, if every kernel of `request` has already
    ///          failed at kMostTimeouts sizes for the same cause; nothing if one of them is still worth
    ///          trying, or if the request is not a check
    std::optional<std::string> find_reason_to_skip(const RunRequest& request) const;

private:
    /// The sizes at which a kernel failed, by cause.
    struct Failures {
        std::vector<std::string> hung_at;
        std::vector<std::string> had_no_reference_at;
    };
    std::map<std::string, Failures> failures_;  ///< by kernel
};

}  // namespace kwb
