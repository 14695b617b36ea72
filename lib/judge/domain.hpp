// Who may share a process and a compiler cache with whom.
#pragma once

#include <compare>
#include <string>

#include "model/plan.hpp"

namespace kwb {

/// Kernels of one domain may share a runner and the compiler cache that it writes and executes; kernels of
/// different domains share neither.
struct Domain {
    Trust trust = Trust::Own;
    std::string submission;  ///< tells strangers apart; empty unless `trust` is Foreign

    friend auto operator<=>(const Domain&, const Domain&) = default;
};

}  // namespace kwb
