#include "judge/work_item_search.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "judge/traced_source.hpp"

namespace kwb {
namespace {

/// PoCL's CPU devices run a work-group's items one after the other in one thread.
bool works_in_order(const DeviceInfo& device) {
    return device.kind == DeviceKind::Cpu &&
           device.platform.find("Portable Computing Language") != std::string::npos;
}

KernelPlan traced(const KernelPlan& plan) {
    KernelPlan traced = plan;
    traced.source_text = trace_prelude() + add_trace_calls(plan.source_text);
    for (auto& [name, text] : traced.includes) text = add_trace_calls(text);
    return traced;
}

}  // namespace

std::optional<Culprit> find_work_item(const DeviceBench& bench, const Entrant& entrant,
                                      ExecuteRequest request, const PassData& data, const Trespass& found) {
    if (!works_in_order(bench.device())) return std::nullopt;
    const std::unique_ptr<DeviceBench> alone = bench.make_sibling({{"POCL_MAX_PTHREAD_COUNT", "1"}});
    alone->set_timeout_ms(bench.timeout_ms());
    Layout layout = bench.layout();
    layout.trace = true;
    alone->use_layout(std::move(layout));
    alone->use_inputs(data);

    std::optional<Loss> loss;
    try {
        Answer<ExecutedReply> answer = alone->execute(traced(*entrant.plan), std::move(request));
        if (auto* lost = std::get_if<Loss>(&answer)) loss = std::move(*lost);
    } catch (const EnvironmentError&) {  // no runner: the verdict stands without a work-item
        return std::nullopt;
    }
    if (!loss) return std::nullopt;
    auto trespass = find_trespass(*loss, bench.layout());
    if (!trespass || trespass->slot != found.slot || trespass->access != found.access) return std::nullopt;
    if (!loss->fault->work_item) return std::nullopt;

    std::size_t dimensions = 1;
    for (const ExecuteLaunch& launch : entrant.launches)
        dimensions = std::max(dimensions, launch.global.size());
    std::vector<std::uint64_t> global_id = *loss->fault->work_item;
    global_id.resize(dimensions);
    return Culprit{*trespass, std::move(global_id)};
}

}  // namespace kwb
