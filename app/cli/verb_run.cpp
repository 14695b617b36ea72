// kwb run, sweep, check.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "base/error.hpp"
#include "base/text.hpp"
#include "conversation.hpp"
#include "experiments.hpp"
#include "model/finding_words.hpp"
#include "outputs.hpp"
#include "report/documents.hpp"
#include "report/tables.hpp"
#include "report/text_layout.hpp"
#include "session/ceilings.hpp"
#include "session/hang_watch.hpp"
#include "session/kernel_folders.hpp"
#include "session/own_kernel.hpp"
#include "session/own_options.hpp"
#include "session/session.hpp"
#include "session/side_car.hpp"
#include "terminal.hpp"

namespace kwb::cli {
namespace {

/// Results collected over several requests.
struct Collected {
    Environment environment;
    std::vector<KernelResult> results;
    std::vector<WrittenOutput> outputs;  ///< of the last request
    std::string error;                   ///< why the last results are missing; empty if none are
    bool interrupted = false;            ///< ended early by Ctrl-C

    void add(const std::vector<KernelResult>& more) {
        results.insert(results.end(), more.begin(), more.end());
    }
    bool has_any() const {
        return std::ranges::any_of(
            results, [](Verdict verdict) { return verdict != Verdict::Skipped; }, &KernelResult::verdict);
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

/// Describes the inputs of a check.
std::string problem_inputs(const Experiment& experiment) {
    const bool is_own = std::ranges::any_of(experiment.contestants,
                                            [](const auto& choice) { return choice && choice->own_problem; });
    return is_own ? "checked with the problem's own inputs" : "checked with exact and with random inputs";
}

/// Which sizes a kernel was not checked at; empty if none was left out.
std::string describe_excluded(const std::string& kernel, const AwkwardRequests& awkward,
                              const TableOptions& options) {
    if (awkward.excluded == 0) return "";
    std::string sentence = fmt::format("{}: its conditions exclude {} of the sizes that `kwb check` tries",
                                       kernel, awkward.excluded);
    if (awkward.replaced > 0)
        sentence += fmt::format("; {} {} taken instead", counted(awkward.replaced, "similar one"),
                                awkward.replaced == 1 ? "was" : "were");
    return paragraph(sentence + '.', options.width);
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
    all.interrupted = conversation.interrupted();
    return all;
}

/// Add advice on options that stand for what the kernel's host program did.
void add_advice(std::vector<KernelResult>& results, const Experiment& experiment) {
    for (KernelResult& result : results)
        for (const auto& choice : experiment.contestants) {
            if (!choice || choice->spec.name != result.kernel) continue;
            const std::string advice = advise_options(result, *choice);
            if (!advice.empty()) result.reason += "\n" + advice;
            break;
        }
}

/// Lets the judge compare times with what the device can do, where the problem's cost is known.
/// @throws Interrupted
void bound_times(std::vector<RunRequest>& requests, Conversation& conversation, const DeviceInfo& device) {
    if (requests.front().declared) return;
    std::vector<KernelResult> results;
    for (RunRequest& request : make_bound_requests(open_catalogue({}), device, requests.front().problem)) {
        const auto snapshot = conversation.run(std::move(request), "what the device can do");
        if (conversation.interrupted()) throw Interrupted{};
        results.insert(results.end(), snapshot->results.begin(), snapshot->results.end());
    }
    for (RunRequest& request : requests) bound_rates(request, results);
}

/// Show the results, write the requested files, then determine the exit code.
/// @param page        for --report
/// @param save_error  which arrays could not be saved, and why; empty if none
/// @throws EnvironmentError  if results are missing; BadInput if something could not be written. Both only
///          after everything else was shown and written.
int finish(const Options& options, const Collected& all, const std::string& text,
           const std::string& page = {}, const std::string& save_error = {}) {
    Attempts attempts;
    attempts.add_failure(all.error);
    attempts.add_failure(save_error);
    const auto write = [&](const std::optional<std::string>& file, const auto& make) {
        if (file) attempts.make([&] { write_output(*file, make()); });
    };
    if (!options.data_on_stdout())
        attempts.make([&] { print(text + isolation_note(options, all.environment)); });
    write(options.json, [&] { return results_to_json(all.environment, all.results); });
    write(options.csv, [&] { return results_to_csv(all.results); });
    write(options.report, [&] { return page; });
    const std::string failed = attempts.failures();
    if (!all.error.empty()) throw EnvironmentError(failed);
    if (!failed.empty()) throw BadInput(failed);
    if (all.interrupted) return kExitInterrupted;
    return std::ranges::all_of(all.results, &KernelResult::as_expected) ? kExitGood : kExitVerdict;
}

}  // namespace

int run_kernels(const Options& options) {
    Notes notes;
    Experiment experiment = open_experiment(options, notes);
    expand_param_lists(experiment);
    const Problem& problem = common_problem(experiment.contestants, options.own.problem);
    print_notes(options, experiment, notes);
    const std::vector<Sizes> sizes = chosen_sizes(options, problem);
    prepare_outputs(options, experiment, problem, sizes.front());

    Conversation conversation(options);
    const DeviceList devices = conversation.list_devices(options.device);
    const DeviceInfo& device = choose_device(devices, options.device);
    keep_refused(experiment, problem, sizes.front(), device);
    // Make all requests before running the first, so that invalid input for the last size does not cost the
    // other results.
    std::vector<RunRequest> requests;
    for (const Sizes& size : sizes) requests.push_back(make_request(experiment, problem, size, device));

    if (experiment.foreign) bound_times(requests, conversation, device);
    Collected all = run_all(conversation, requests);
    if (experiment.foreign && !requests.front().most_gbytes_s)
        for (KernelResult& result : all.results)
            result.warnings.push_back(remark(
                requests.front().declared
                    ? "a problem of your own: times are not compared with what the device can do at most"
                    : "what the device can do at most could not be measured, so times are not compared with "
                      "it"));
    add_advice(all.results, experiment);

    const TableOptions table = table_options();
    const bool sweeps = !options.sizes.empty();
    const std::string what = sweeps ? counted(sizes.size(), "size") : "size " + to_string(sizes.front());
    std::string text = headline(problem, what, device, conversation.place(), table) +
                       (sweeps ? sweep_table(all.results, table) : results_table(all.results, table));
    std::string page;
    if (options.report)
        page = html_page(experiment, problem, sizes, device, all.environment, all.results, all.error);
    const SavedOutputs saved = save_outputs(options, experiment, problem, all.results, all.outputs);
    if (!saved.sentence.empty()) text += paragraph(saved.sentence, table.width);
    return finish(options, all, text, page, saved.error);
}

int check_kernels(const Options& options) {
    Notes notes;
    Experiment experiment = open_experiment(options, notes);
    experiment.check_only = true;
    const Problem& problem = common_problem(experiment.contestants, options.own.problem);
    print_notes(options, experiment, notes);

    Conversation conversation(options);
    const DeviceList devices = conversation.list_devices(options.device);
    const DeviceInfo& device = choose_device(devices, options.device);
    const std::vector<Sizes> chosen = chosen_sizes(options, problem);
    const TableOptions table = table_options();
    keep_refused(experiment, problem, chosen.front(), device);
    std::vector<RunRequest> requests;
    std::string excluded;  // of each kernel
    for (const auto& contestant : experiment.contestants) {
        Experiment alone = experiment;
        alone.contestants = {contestant};
        alone.baseline.reset();
        const RunRequest usual = make_request(alone, problem, chosen.front(), device);
        const auto& plan = usual.contestants.front().kernel;
        if (options.size || (plan && plan->refusal && is_bad_input(plan->refusal->code))) {
            requests.push_back(usual);
            continue;
        }
        AwkwardRequests awkward = make_awkward_requests(alone, problem, device);
        excluded += describe_excluded(contestant ? contestant->spec.name : kHostBlasName, awkward, table);
        std::ranges::move(awkward.requests, std::back_inserter(requests));
    }

    Collected all = run_all(conversation, std::move(requests));
    add_advice(all.results, experiment);

    const std::string text =
        headline(problem, problem_inputs(experiment), device, conversation.place(), table) +
        check_table(all.results, table, !problem.file().empty()) + excluded;
    return finish(options, all, text);
}

}  // namespace kwb::cli
