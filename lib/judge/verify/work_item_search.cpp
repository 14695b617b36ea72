#include "judge/verify/work_item_search.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "judge/build/source_hints.hpp"
#include "judge/verify/stray_access.hpp"
#include "judge/verify/traced_source.hpp"
#include "source/read.hpp"

namespace kwb {
namespace {

/// PoCL's CPU devices run the work-items of a work-group one after the other in one thread.
bool works_in_order(const DeviceInfo& device) {
    return device.kind == DeviceKind::Cpu &&
           device.platform.find("Portable Computing Language") != std::string::npos;
}

}  // namespace

std::optional<Failure> find_work_item(const DeviceBench& bench, const ContestantState& contestant,
                                      ExecuteRequest request, const PassData& data) {
    if (!works_in_order(bench.device())) return std::nullopt;
    const Reading reading = read_source(read_plan_source(*contestant.plan));
    if (!reading.program) return std::nullopt;
    const std::unique_ptr<DeviceBench> alone = bench.make_sibling({{"POCL_MAX_PTHREAD_COUNT", "1"}});
    alone->set_timeout_ms(bench.timeout_ms());
    Layout layout = bench.layout();
    layout.trace = true;
    alone->use_layout(std::move(layout));
    alone->use_inputs(data);

    std::optional<Failure> failure;
    try {
        Answer<ExecutedReply> answer =
            alone->execute(add_trace_calls(*contestant.plan, *reading.program), std::move(request));
        if (auto* lost = std::get_if<Failure>(&answer)) failure = std::move(*lost);
    } catch (const EnvironmentError&) {  // no runner: keep the verdict without a work-item
        return std::nullopt;
    }
    if (!failure || !failure->fault || !failure->fault->work_item ||
        !find_stray_access(*failure, bench.layout()))
        return std::nullopt;

    std::size_t dimensions = 1;
    for (const ExecuteLaunch& launch : contestant.launches)
        dimensions = std::max(dimensions, launch.global.size());
    std::vector<std::uint64_t> global_id = *failure->fault->work_item;
    global_id.resize(dimensions);

    failure = explain_fault(std::move(*failure), bench.layout());
    failure->reason += ", " + describe_work_item(global_id);
    failure->evidence.work_item = std::move(global_id);
    return failure;
}

}  // namespace kwb
