// kwb run, sweep, check.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"
#include "conversation.hpp"
#include "report/tables.hpp"
#include "report/text_layout.hpp"
#include "running.hpp"
#include "saved_outputs.hpp"
#include "session/hang_watch.hpp"
#include "session/own_options.hpp"
#include "session/session.hpp"
#include "terminal.hpp"
#include "verbs.hpp"

namespace kwb::cli {
namespace {

/// Results collected over several requests.
struct Collected {
    Environment environment;
    std::vector<KernelResult> results;
    std::vector<WrittenOutput> outputs;  ///< of the last request
    std::string error;                   ///< why the last results are missing; empty if none are

    void add(const std::vector<KernelResult>& more) {
        results.insert(results.end(), more.begin(), more.end());
    }
    bool has_any() const {
        return std::any_of(results.begin(), results.end(),
                           [](const KernelResult& result) { return result.verdict != Verdict::Skipped; });
    }
};

std::vector<Sizes> chosen_sizes(const Options& options, const Problem& problem) {
    std::vector<Sizes> sizes;
    for (const std::string& text : options.sizes) {
        Sizes size = parse_sizes(problem, text);
        // Skip duplicates: they would run twice without new information.
        if (std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(std::move(size));
    }
    if (!sizes.empty()) return sizes;
    return {options.size ? parse_sizes(problem, *options.size) : problem.default_sizes()};
}

std::string headline(const Problem& problem, const std::string& sizes, const DeviceInfo& device,
                     const TableOptions& options) {
    return plain_signs(paragraph(fmt::format("{}, {}, on {} ({})", problem.title(), sizes,
                                             printable(device.name), device.id),
                                 options.width) +
                           "\n",
                       options);
}

/// Only if the user disabled the sandbox: what these kernels can do.
std::string isolation_note(const Options& options, const Environment& environment) {
    if (!options.no_sandbox || environment.sandbox.empty()) return "";
    return plain_signs(paragraph("\nSandbox: " + environment.sandbox +
                                     ". These kernels could read and change your files, and use the network.",
                                 table_options().width),
                       table_options());
}

/// Describes the inputs of a check.
std::string problem_inputs(const Experiment& experiment) {
    const bool is_own = std::any_of(experiment.contestants.begin(), experiment.contestants.end(),
                                    [](const auto& choice) { return choice && choice->own_problem; });
    return is_own ? "checked with the problem's own inputs" : "checked with exact and with random inputs";
}

std::string numbered(std::size_t i, std::size_t n) {
    return n == 1 ? "" : fmt::format("size {} of {}", i + 1, n);
}

/// Run the requests one after the other. Results obtained before a failure are kept, and a kernel that hangs
/// is not tried again at every size.
/// @throws EnvironmentError  if there are no results to keep
Collected run_all(Conversation& conversation, std::vector<RunRequest> requests) {
    Collected all;
    HangWatch watch;
    for (std::size_t i = 0; i < requests.size() && !conversation.interrupted(); ++i) {
        if (!all.error.empty()) {
            all.add(skipped_results(requests[i], all.error));
            continue;
        }
        if (const auto reason = watch.find_reason_to_skip(requests[i])) {
            all.add(skipped_results(requests[i], *reason));
            continue;
        }
        const auto snapshot = conversation.run(requests[i], numbered(i, requests.size()));
        all.add(snapshot->results);
        all.outputs = snapshot->outputs;
        for (const KernelResult& result : snapshot->results) watch.note(result);
        if (snapshot->error.empty())
            all.environment = snapshot->environment;
        else if (!conversation.interrupted())
            all.error = snapshot->error;
    }
    if (!all.error.empty() && !all.has_any()) throw EnvironmentError(all.error);
    return all;
}

/// If a build failed because of a macro that the kernel's host program would define, add advice.
void add_advice(std::vector<KernelResult>& results, const Experiment& experiment) {
    for (KernelResult& result : results)
        for (const auto& choice : experiment.contestants) {
            if (!choice || choice->spec.name != result.kernel) continue;
            const std::string advice = advise_macros(result, *choice);
            if (!advice.empty()) result.reason += "\n" + advice;
            break;
        }
}

int conclude(const Options& options, const Collected& all, const Conversation& conversation,
             Conclusion conclusion) {
    conclusion.text += isolation_note(options, all.environment);
    conclusion.error = all.error;
    conclusion.interrupted = conversation.interrupted();
    return finish(options, all.environment, all.results, std::move(conclusion));
}

}  // namespace

int run_kernels(const Options& options) {
    Notes notes;
    const Experiment experiment = open_experiment(options, notes);
    const Problem& problem = common_problem(experiment.contestants, options.own.problem);
    tell(options, experiment, notes);
    const std::vector<Sizes> sizes = chosen_sizes(options, problem);
    prepare_outputs(options, experiment, problem.at(sizes.front()));

    Conversation conversation(options);
    const DeviceList devices = conversation.list_devices(options.device);
    const DeviceInfo& device = choose_device(devices, options.device);
    // Make all requests before running the first, so that invalid input for the last size does not cost the
    // other results.
    std::vector<RunRequest> requests;
    for (const Sizes& size : sizes) requests.push_back(make_request(experiment, problem, size, device));

    Collected all = run_all(conversation, requests);
    add_advice(all.results, experiment);

    const TableOptions table = table_options();
    const bool sweeps = options.verb == Verb::Sweep;
    Conclusion conclusion;
    conclusion.text =
        headline(problem, sweeps ? counted(sizes.size(), "size") : "size " + to_string(sizes.front()), device,
                 table) +
        (sweeps ? sweep_table(all.results, table) : results_table(all.results, table));
    if (options.report)
        conclusion.page =
            html_page(experiment, problem, sizes, device, all.environment, all.results, all.error);
    SavedOutputs saved = save_outputs(options, experiment, all.outputs);
    if (!saved.told.empty()) conclusion.text += paragraph(saved.told, table.width);
    conclusion.save_error = std::move(saved.error);
    return conclude(options, all, conversation, std::move(conclusion));
}

int check_kernels(const Options& options) {
    Notes notes;
    Experiment experiment = open_experiment(options, notes);
    experiment.check_only = true;
    const Problem& problem = common_problem(experiment.contestants, options.own.problem);
    tell(options, experiment, notes);

    Conversation conversation(options);
    const DeviceList devices = conversation.list_devices(options.device);
    const DeviceInfo& device = choose_device(devices, options.device);
    std::vector<RunRequest> requests;
    for (const auto& contestant : experiment.contestants) {
        Experiment alone = experiment;
        alone.contestants = {contestant};
        alone.baseline.reset();
        std::vector<Sizes> sizes = chosen_sizes(options, problem);
        const RunRequest usual = make_request(alone, problem, sizes.front(), device);
        if (!options.size) {
            const auto& plan = usual.contestants.front().kernel;
            sizes = problem.awkward_sizes(plan ? tile_edge(*plan) : 16);
        }
        for (const Sizes& size : sizes) requests.push_back(make_request(alone, problem, size, device));
    }

    Collected all = run_all(conversation, std::move(requests));
    add_advice(all.results, experiment);

    const TableOptions table = table_options();
    Conclusion conclusion;
    conclusion.text =
        headline(problem, problem_inputs(experiment), device, table) + check_table(all.results, table);
    return conclude(options, all, conversation, std::move(conclusion));
}

}  // namespace kwb::cli
