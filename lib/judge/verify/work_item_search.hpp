// Finds the work-item that made an out-of-bounds access.
#pragma once

#include <optional>

#include "judge/contestant_state.hpp"
#include "judge/processes/runner_process.hpp"

namespace kwb {

/// Runs a kernel again that has accessed an unreadable page: traced (see traced_source.hpp), with one thread,
/// in its own runner. Takes a compilation, 100 to 2000 ms. With several threads, which of them first accesses
/// a page is random; a single thread runs the work-items in order. So this run may end with a different
/// out-of-bounds access than the first run; then that one is reported.
/// @param bench    the bench of the first run, with its layout in use
/// @param request  the request of the first run
/// @return  the `out_of_bounds` failure with the work-item in its evidence; nullopt if the traced source does
///          not compile, the run ends differently, or the driver is not known to run work-items in order
std::optional<Failure> find_work_item(const DeviceBench& bench, const ContestantState& contestant,
                                      ExecuteRequest request, const PassData& data);

}  // namespace kwb
