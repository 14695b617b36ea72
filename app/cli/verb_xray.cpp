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
#include "session/xray_request.hpp"
#include "terminal.hpp"

namespace kwb::cli {
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
    XrayOptions what_to_observe;
    what_to_observe.sub_group = options.lanes;
    what_to_observe.keep_counts = true;
    std::vector<ObservedKernel> kernels;
    for (const Contestant& contestant : run.contestants) {
        if (contestant.kernel->refusal) throw Refused(*contestant.kernel->refusal);
        const auto snapshot = conversation.xray(make_xray_request(run, *contestant.kernel, what_to_observe));
        if (conversation.interrupted()) throw Interrupted{};
        if (!snapshot->error.empty()) throw EnvironmentError(snapshot->error);
        kernels.push_back(observed_kernel(contestant_label(unmeasured_result(run, contestant)), run,
                                          contestant, *snapshot->xray));
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
    const bool is_any_unobserved = std::ranges::any_of(
        kernels, [](const ObservedKernel& kernel) { return kernel.report.launches.empty(); });
    return is_any_unobserved || has_undefined(kernels) ? kExitVerdict : kExitGood;
}

}  // namespace kwb::cli
