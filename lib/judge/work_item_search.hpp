// Which work-item it was that left its buffer.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "judge/entrant.hpp"
#include "judge/fault_report.hpp"

namespace kwb {

struct Culprit {
    Trespass trespass;                     ///< as it happened in the traced run
    std::vector<std::uint64_t> global_id;  ///< as many as the launch has dimensions
};

/// Run a kernel that has met an unreadable page once more: traced (see traced_source.hpp), with one thread,
/// in a runner of its own. Takes a compilation, some 100 to 2000 ms.
/// @param bench    where it happened, with layout in use
/// @param request  that it happened in
/// @param found    what happened
/// @return  nothing if the traced source does not compile, the run does not end in an access of the same kind
///          beside the same buffer, or the driver is not known to work through work-items in order
std::optional<Culprit> find_work_item(const DeviceBench& bench, const Entrant& entrant,
                                      ExecuteRequest request, const PassData& data, const Trespass& found);

}  // namespace kwb
