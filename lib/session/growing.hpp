// The results of a run under way.
#pragma once

#include <memory>
#include <vector>

#include "model/request.hpp"

namespace kwb {

/// What is known of each contestant before the last round: its times, their running median and interval, and
/// no verdict (KernelResult::judged is false). One that is settled is as it was settled.
/// @param settled     see Snapshot::settled: a place for each contestant of `request`, or none at all
/// @param samples_ms  see Snapshot::samples_ms: a list for each contestant of `request`, or none at all
/// @throws ContractError  as many lists as contestants, or none
std::vector<KernelResult> growing_results(
    const RunRequest& request, const std::vector<std::vector<double>>& samples_ms,
    const std::vector<std::shared_ptr<const KernelResult>>& settled = {});

}  // namespace kwb
