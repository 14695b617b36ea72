// When a check gives up on a kernel that never ends.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/named.hpp"
#include "model/request.hpp"

namespace kwb {

/// Each size of a kernel that hangs costs the whole time limit, and a check has some twenty of them. Two tell
/// as much as all, so the check goes on with the other kernels after these.
class HangWatch {
public:
    static constexpr std::size_t kMostTimeouts = 2;  ///< of one kernel, for one cause

    /// Take down what came of one kernel at one size; a reference that came to nothing counts like a hang,
    /// for it may have hung. A timeout that the kernel's file expects is no hang: each size has to show it.
    void note(const KernelResult& result);

    /// @param request  of a check
    /// @return  a sentence for the person if all kernels of `request` have come to nothing often enough, for
    /// one
    ///          cause each that is the same at every size; nothing if one of them is to be tried, and for
    ///          requests that take times
    std::optional<std::string> find_reason_to_skip(const RunRequest& request) const;

private:
    /// At which sizes a kernel came to nothing, by cause.
    struct Losses {
        std::vector<std::string> hung_at;
        std::vector<std::string> had_no_reference_at;
    };
    NamedList<Losses> losses_;  ///< by kernel
};

}  // namespace kwb
