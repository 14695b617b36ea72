// SPDX-License-Identifier: Apache-2.0
// kwb xray: which work-item reads and writes what, from which line, and what is undefined behaviour.
#include <algorithm>
#include <future>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "conversation.hpp"
#include "experiment/gpus.hpp"
#include "experiment/xray_request.hpp"
#include "experiments.hpp"
#include "model/finding_words.hpp"
#include "outputs.hpp"
#include "report/html.hpp"
#include "report/labels.hpp"
#include "report/xray_report.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace kwb::cli {
namespace {

constexpr const char* kXrayFooter =
    "The kernel's own source runs on the CPU under observation; if all work-groups would take too long, a\n"
    "sample of whole work-groups runs. Two kernels are shown side by side.\n"
    "Exit code 1: something is undefined: a data race, a barrier that not all work-items reach, a read of\n"
    "uninitialised memory, an out-of-bounds access.\n";

std::uint32_t parse_lanes(const std::string& text) {
    if (text != "8" && text != "16" && text != "32" && text != "64")
        throw BadInput("--lanes " + text + ": give 8, 16, 32 or 64");
    return static_cast<std::uint32_t>(std::stoul(text));
}

struct XrayVerbOptions {
    ExperimentOptions chosen;
    JudgeOptions judge;
    OutputOptions outputs;
    std::optional<std::uint32_t> lanes;  ///< work-items of a sub-group
    std::vector<std::string> targets;    ///< GPUs, by names of theirs or of compilers
    XrayOptions observed;
    bool assembly = false;

    void add(CLI::App& verb) {
        verb.add_option("KERNEL", chosen.kernels, "a name from 'kwb kernels', or the path of a .cl file")
            ->required()
            ->expected(1, 2);
        chosen.add_planning(verb);
        judge.add(verb);
        chosen.add_size(verb);
        add_parsed(
            verb, "--lanes", lanes, "32",
            "work-items per sub-group: 8, 16, 32 or 64; default: that of the --target GPUs if they agree, "
            "otherwise 32",
            parse_lanes);
        add_targets(verb, targets,
                    "also compile for this GPU, which you need not have: its compiler's name (gfx906, "
                    "sm_80), part of its name (a100), or all; shows registers, occupancy and the shortest "
                    "possible time; device: the machine code of the device itself, if it is a CPU under "
                    "PoCL; may be repeated");
        add_parsed(
            verb, "--timeout", observed.most_ms, "5s",
            "longest time to observe a kernel, not counting compilation; increase it on a slow machine (5s)",
            duration_ms("--timeout"));
        verb.add_flag("--assembly", assembly, "with --target: also print the machine code");
        outputs.add_json(verb);
        outputs.add(verb, "--report",
                    "also write an HTML page with the tables to this file; - is standard output");
    }
};

int xray_kernels(const XrayVerbOptions& options, const Folders& folders) {
    Notes notes;
    OpenedExperiment experiment = open_experiment(options.chosen, folders, options.outputs, notes);
    experiment.xray = false;  // the request below asks for it
    if (std::ranges::any_of(experiment.contestants, [](const auto& kernel) { return !kernel; }))
        throw BadInput("cpu:blas has no source to observe; name kernels");
    const Problem& problem = common_problem(experiment.contestants, options.chosen.own.problem);
    if (options.assembly && options.targets.empty())
        throw BadInput("--assembly needs --target, for example gfx906 or device");
    const Targets targets = options.targets.empty() ? Targets{} : chosen_targets(options.targets);
    print_notes(notes, experiment, &options.chosen.own, options.outputs);
    const Sizes sizes = options.chosen.sizes(problem);

    Conversation conversation(options.judge);
    const DeviceInfo device = conversation.choose_devices(options.chosen.device, false).front();
    const RunRequest run = make_request(experiment, problem, sizes, device);
    XrayOptions what_to_observe = options.observed;
    what_to_observe.sub_group = options.lanes.value_or(common_sub_group(targets.gpus));
    what_to_observe.keep_counts = true;
    std::vector<ObservedKernel> kernels;
    std::optional<TargetReport> of_device;
    const auto observe = [&](const RunRequest& at, std::size_t contestant, const XrayOptions& what,
                             bool machine_code = false) {
        const KernelPlan& plan = *at.contestants[contestant].kernel;
        if (plan.refusal) throw Refused(*plan.refusal);
        XrayRequest request = make_xray_request(at, plan, what);
        request.machine_code = machine_code;
        const auto snapshot = conversation.ask(std::move(request));
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
    OutputWriter writer(options.outputs);
    writer.show(headline(problem, "size " + to_string(sizes), device, conversation.place_names(), table) +
                xray_text(kernels, table) + (options.assembly ? assembly_text(kernels, table) : ""));
    writer.write("--json", [&] { return xray_to_json(kernels); });
    writer.write("--report", [&] {
        return html_report({.title = problem.title() + ", X-ray, size " + to_string(sizes),
                            .made = device.name + " (" + device.id + ")",
                            .sections = {},
                            .observed = kernels});
    });
    writer.finish();
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

}  // namespace

Verb add_xray(CLI::App& kwb) {
    return add_verb<XrayVerbOptions>(
        kwb, {"xray", "show what each line reads and writes, and find undefined behaviour", kXrayFooter},
        xray_kernels);
}

}  // namespace kwb::cli
