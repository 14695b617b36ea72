// kwb xray: who reads and writes what, from which line, and what the language does not promise.
#include <algorithm>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "conversation.hpp"
#include "experiments.hpp"
#include "model/finding_words.hpp"
#include "outputs.hpp"
#include "report/html.hpp"
#include "report/labels.hpp"
#include "report/xray_report.hpp"
#include "session/side_car.hpp"
#include "terminal.hpp"

namespace kwb::cli {
namespace {

XrayRequest request_for(const Contestant& contestant, const RunRequest& run, std::uint32_t lanes) {
    XrayRequest request;
    request.device = device_of(run, *contestant.kernel);
    request.problem = run.problem;
    request.sizes = run.sizes;
    request.declared = run.declared;
    request.kernel = *contestant.kernel;
    request.options.sub_group = lanes;
    request.options.keep_counts = true;
    return request;
}

}  // namespace

int xray_kernels(const Options& options) {
    Notes notes;
    Experiment experiment = open_experiment(options, notes);
    experiment.xray = false;  // the request below asks for it
    if (std::ranges::any_of(experiment.contestants, [](const auto& kernel) { return !kernel; }))
        throw BadInput("cpu:blas has no source to look into; name kernels");
    const Problem& problem = common_problem(experiment.contestants, options.own.problem);
    print_notes(options, experiment, notes);
    const Sizes sizes = options.size ? parse_sizes(problem, *options.size) : problem.default_sizes();

    Conversation conversation(options);
    const DeviceList devices = conversation.list_devices(options.device);
    const DeviceInfo& device = choose_device(devices, options.device);
    const RunRequest run = make_request(experiment, problem, sizes, device);
    const ProblemInstance instance = problem.at(sizes);
    std::vector<ObservedKernel> kernels;
    for (const Contestant& contestant : run.contestants) {
        if (contestant.kernel->refusal) throw Refused(*contestant.kernel->refusal);
        const auto snapshot = conversation.xray(request_for(contestant, run, options.lanes));
        if (conversation.interrupted()) throw Interrupted{};
        if (!snapshot->error.empty()) throw EnvironmentError(snapshot->error);
        const KernelPlan& plan = *contestant.kernel;
        ObservedKernel& kernel = kernels.emplace_back();
        kernel.label = contestant_label(unmeasured_result(run, contestant));
        kernel.file = plan.file;
        kernel.size = sizes;
        const double flops = plan.flops.value_or(instance.cost.flops);
        const double bytes = plan.bytes.value_or(instance.cost.bytes);
        if (flops > 0) kernel.flops = flops;
        if (bytes > 0) kernel.compulsory_bytes = bytes;
        kernel.report = *snapshot->xray;
    }

    const TableOptions table = table_options();
    if (!options.data_on_stdout())
        print(headline(problem, "size " + to_string(sizes), device, table) + xray_text(kernels, table));
    if (options.json) write_output(*options.json, xray_to_json(kernels));
    if (options.report)
        write_output(*options.report,
                     html_report({.title = problem.title() + ", X-ray, size " + to_string(sizes),
                                  .made = device.name + " (" + device.id + ")",
                                  .sections = {},
                                  .observed = kernels}));
    return has_undefined(kernels) ? kExitVerdict : kExitGood;
}

}  // namespace kwb::cli
