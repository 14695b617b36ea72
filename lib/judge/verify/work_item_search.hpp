// Finds the work-item that made a stray access.
#pragma once

#include <optional>

#include "judge/contestant_state.hpp"
#include "judge/processes/runner_process.hpp"

namespace kwb {

/// Run a kernel that has touched an unreadable page again: traced (see traced_source.hpp), with one thread,
/// in its own runner. Costs a compilation, 100 to 2000 ms. With several threads it is random which one
/// touches a page first; one thread takes the work-items in order. So this run may end with another stray
/// access than the first run, and that one is reported.
/// @param bench    where it happened, with its layout in use
/// @param request  in which it happened
/// @return  the `out_of_bounds` with the work-item in its evidence; nothing if the traced source does not
///          compile, the run ends otherwise, or the driver is not known to take work-items in order
std::optional<Failure> find_work_item(const DeviceBench& bench, const ContestantState& contestant,
                                      ExecuteRequest request, const PassData& data);

}  // namespace kwb
