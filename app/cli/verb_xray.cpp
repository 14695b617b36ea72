// SPDX-License-Identifier: Apache-2.0
// kwb xray: which work-item reads and writes what, from which line, and what is undefined behaviour.
#include <algorithm>
#include <future>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "conversation.hpp"
#include "experiment/gpus.hpp"
#include "experiment/overflow_size.hpp"
#include "experiment/side_car.hpp"
#include "experiment/xray_request.hpp"
#include "experiments.hpp"
#include "model/finding_words.hpp"
#include "outputs.hpp"
#include "report/html.hpp"
#include "report/labels.hpp"
#include "report/xray_report.hpp"
#include "terminal.hpp"

namespace kwb::cli {
namespace {

/// An invalid entry in the user's own gpus.toml stops only what needs that file.
Targets chosen_targets(const std::vector<std::string>& names) {
    std::string fault;
    std::vector<GpuProfile> gpus;
    try {
        gpus = known_gpus();
    } catch (const BadInput& error) {
        fault = error.what();
        gpus = shipped_gpus();
    }
    try {
        Targets targets = choose_targets(names, gpus);
        if (!fault.empty()) print_error("kwb: " + fault + "; only the built-in GPUs are used\n");
        return targets;
    } catch (const BadInput&) {
        if (!fault.empty()) throw BadInput(fault);
        throw;
    }
}

}  // namespace

int xray_kernels(const Options& options) {
    Notes notes;
    Experiment experiment = open_experiment(options, notes);
    experiment.xray = false;  // the request below asks for it
    if (std::ranges::any_of(experiment.contestants, [](const auto& kernel) { return !kernel; }))
        throw BadInput("cpu:blas has no source to observe; name kernels");
    const Problem& problem = common_problem(experiment.contestants, options.own.problem);
    if (options.assembly && options.targets.empty())
        throw BadInput("--assembly needs --target, for example gfx906 or device");
    const Targets targets = options.targets.empty() ? Targets{} : chosen_targets(options.targets);
    print_notes(options, experiment, notes);
    const Sizes sizes = options.size ? parse_sizes(problem, *options.size) : problem.default_sizes();

    Conversation conversation(options);
    const DeviceList devices = conversation.list_devices(options.device);
    const DeviceInfo& device = choose_device(devices, options.device);
    const RunRequest run = make_request(experiment, problem, sizes, device);
    XrayOptions what_to_observe;
    what_to_observe.sub_group = options.lanes.value_or(common_sub_group(targets.gpus));
    what_to_observe.keep_counts = true;
    if (options.observe_ms) what_to_observe.most_ms = *options.observe_ms;
    std::vector<ObservedKernel> kernels;
    std::optional<TargetReport> of_device;
    const auto observe = [&](const RunRequest& at, std::size_t contestant, const XrayOptions& what,
                             bool machine_code = false) {
        const KernelPlan& plan = *at.contestants[contestant].kernel;
        if (plan.refusal) throw Refused(*plan.refusal);
        XrayRequest request = make_xray_request(at, plan, what);
        request.machine_code = machine_code;
        const auto snapshot = conversation.xray(std::move(request));
        if (conversation.interrupted()) throw Interrupted{};
        if (!snapshot->error.empty()) throw EnvironmentError(snapshot->error);
        if (machine_code) of_device = snapshot->machine_code;
        return *snapshot->xray;
    };
    for (std::size_t i = 0; i < run.contestants.size(); ++i) {
        const Contestant& contestant = run.contestants[i];
        // Meanwhile X-ray observes.
        auto compiling = std::async(std::launch::async, compile_for_targets, targets.codes,
                                    source_text_of(*contestant.kernel));
        XrayReport report = observe(run, i, what_to_observe, targets.is_device);
        const auto observe_at = [&](const Sizes& smaller) -> std::optional<XrayReport> {
            try {
                const XrayReport seen =
                    observe(make_request(experiment, problem, smaller, device), i, what_to_observe);
                return seen.launches.empty() ? std::nullopt : std::optional(seen);
            } catch (const BadInput&) {  // no size of the problem or of the kernel
                return std::nullopt;
            }
        };
        try {
            find_overflow_size(report, sizes, observe_at);
        } catch (const Interrupted&) {  // what was observed before is shown
        }
        kernels.push_back(observed_kernel(contestant_label(unmeasured_result(run, contestant)), run,
                                          contestant, std::move(report)));
        kernels.back().targets = compiling.get();
        if (of_device) kernels.back().targets.push_back(*std::exchange(of_device, std::nullopt));
        add_gpus(kernels.back(), targets.gpus, [&](std::uint32_t sub_group) {
            XrayOptions what = what_to_observe;
            what.sub_group = sub_group;
            return observe(run, i, what);
        });
        if (conversation.interrupted()) break;
    }

    const TableOptions table = table_options();
    if (!options.data_on_stdout()) {
        print(headline(problem, "size " + to_string(sizes), device, conversation.place_names(), table) +
              xray_text(kernels, table));
        if (options.assembly) print(assembly_text(kernels, table));
    }
    if (options.json) write_output(*options.json, xray_to_json(kernels));
    if (options.report)
        write_output(*options.report,
                     html_report({.title = problem.title() + ", X-ray, size " + to_string(sizes),
                                  .made = device.name + " (" + device.id + ")",
                                  .sections = {},
                                  .observed = kernels}));
    if (conversation.interrupted()) return kExitInterrupted;
    const bool is_any_unobserved = std::ranges::any_of(kernels, [](const ObservedKernel& kernel) {
        return kernel.report.launches.empty() ||
               std::ranges::any_of(kernel.report.remarks, [](const Finding& remark) {
                   return remark.code == FindingCode::XrayEndless || remark.code == FindingCode::XrayCrashed;
               });
    });
    return is_any_unobserved || has_undefined(kernels) || has_failed_targets(kernels) ? kExitVerdict
                                                                                      : kExitGood;
}

}  // namespace kwb::cli
