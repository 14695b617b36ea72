// Which work-item it was that left its buffer.
#pragma once

#include <optional>

#include "judge/entrant.hpp"
#include "judge/processes/runner_process.hpp"

namespace kwb {

/// Run a kernel that has met an unreadable page once more: traced (see traced_source.hpp), with one thread,
/// in a runner of its own. Takes a compilation, some 100 to 2000 ms.
///
/// Which of several threads meets a page first is a matter of chance; one thread takes the work-items in
/// order. So this run may end in another access than the first one did, and that access is the one to report.
/// @param bench    where it happened, with layout in use
/// @param request  that it happened in
/// @return  the `out_of_bounds` with the work-item in its evidence; nothing if the traced source does not
///          compile, the run ends otherwise, or the driver is not known to take work-items in order
std::optional<Loss> find_work_item(const DeviceBench& bench, const Entrant& entrant, ExecuteRequest request,
                                   const PassData& data);

}  // namespace kwb
