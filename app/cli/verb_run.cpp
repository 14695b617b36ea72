// SPDX-License-Identifier: Apache-2.0
// kwb run, sweep, check.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "base/error.hpp"
#include "base/text.hpp"
#include "conversation.hpp"
#include "experiment/own_kernel.hpp"
#include "experiment/own_launch.hpp"
#include "experiment/own_options.hpp"
#include "experiment/side_car.hpp"
#include "experiments.hpp"
#include "jobs.hpp"
#include "model/finding_words.hpp"
#include "outputs.hpp"
#include "report/documents.hpp"
#include "report/tables.hpp"
#include "report/text_layout.hpp"
#include "terminal.hpp"

namespace kwb::cli {
namespace {

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

/// The sizes at which a kernel was not checked; empty if none was left out.
std::string describe_excluded(const std::string& kernel, const AwkwardRequests& awkward,
                              const TableOptions& options) {
    if (awkward.excluded == 0) return "";
    std::string sentence =
        awkward.only_size.empty()
            ? fmt::format("{}: its conditions exclude {} of the sizes that `kwb check` tries", kernel,
                          awkward.excluded)
            : fmt::format(
                  "{} takes no size except {}, so it is checked where all sizes are equal, and not at {} of "
                  "the sizes that `kwb check` tries",
                  kernel, awkward.only_size, awkward.excluded);
    if (awkward.replaced > 0)
        sentence += fmt::format("; {} {} taken instead", counted(awkward.replaced, "similar one"),
                                awkward.replaced == 1 ? "was" : "were");
    return paragraph(sentence + '.', options.width);
}

/// Add advice on options that replace what the kernel's host program did.
void add_advice(std::vector<KernelResult>& results, const Experiment& experiment) {
    for (KernelResult& result : results)
        for (const auto& choice : experiment.contestants) {
            if (!choice || choice->spec.name != result.kernel) continue;
            for (const std::string& advice :
                 {advise_options(result, *choice), advise_on_guess(result, choice->spec)})
                if (!advice.empty()) result.reason += "\n" + advice;
            break;
        }
}

/// True if the guess of a kernel's launch may be wrong.
bool may_be_misguessed(const Collected& all, const KernelSpec& kernel) {
    return std::ranges::any_of(all.results(), [&](const KernelResult& result) {
        return result.kernel == kernel.name && !advise_on_guess(result, kernel).empty();
    });
}

bool is_as_expected(const Collected& all, const std::string& kernel) {
    return std::ranges::all_of(all.results(), [&](const KernelResult& result) {
        return result.kernel != kernel || result.as_expected();
    });
}

/// Run an experiment. If a guessed launch ends badly, try the other order of its dimensions before reporting.
/// @param experiment  receives the orders that are right
template <class MakeJobs, class Run>
Collected run_both_orders(Experiment& experiment, const MakeJobs& make_jobs, const Run& run) {
    Collected all = run(make_jobs(experiment));
    for (std::size_t i = 0; i < experiment.contestants.size(); ++i) {
        const auto& guessed = experiment.contestants[i];
        if (!guessed || all.interrupted || !all.error.empty() || !may_be_misguessed(all, guessed->spec))
            continue;
        Experiment other = experiment;
        if (!swap_guess(other.contestants[i]->spec)) continue;
        Collected again = run(make_jobs(other));
        if (!again.error.empty() || again.interrupted || !is_as_expected(again, guessed->spec.name)) continue;
        const std::vector<Written>& global = other.contestants[i]->spec.launches.front().global;
        const Finding swapped =
            remark(fmt::format("launched over {0}, because the kernel is wrong with the order guessed first; "
                               "state it with --global \"{1}\"",
                               join_written(global, " × "), join_written(global, ",")));
        for (Job& job : again.jobs)
            for (KernelResult& result : job.results)
                if (result.kernel == guessed->spec.name) result.warnings.push_back(swapped);
        all = std::move(again);
        experiment = std::move(other);
    }
    return all;
}

/// Adds a remark to an untrusted kernel whose time was not compared with the device's limits.
void remark_unbounded(Collected& all) {
    for (Job& job : all.jobs) {
        if (job.request.most_gbytes_s) continue;
        const Finding unbounded = remark(
            job.request.declared
                ? "times are not compared with the device's limits, because you declared this problem "
                  "yourself"
                : "times are not compared with the device's limits, because these could not be measured");
        for (KernelResult& result : job.results) result.warnings.push_back(unbounded);
    }
}

/// Show the results, write the requested files, then determine the exit code.
/// @param save_error  which arrays could not be saved, and why; empty if none
/// @throws EnvironmentError  if results are missing; BadInput if something could not be written. Both are
///          thrown only after everything else was shown and written.
int finish(const Options& options, const Conversation& conversation, const Collected& all,
           const std::vector<KernelResult>& results, const std::string& text, const std::string& page = {},
           const std::string& save_error = {}) {
    Attempts attempts;
    attempts.add_failure(all.error);
    attempts.add_failure(save_error);
    const auto write = [&](const std::optional<std::string>& file, const auto& make) {
        if (file) attempts.make([&] { write_output(*file, make()); });
    };
    if (!options.data_on_stdout())
        attempts.make([&] { print(text + isolation_note(options, all.environments.front())); });
    write(options.json, [&] { return results_to_json(conversation.placed(all.environments), results); });
    write(options.csv, [&] { return results_to_csv(results); });
    write(options.report, [&] { return page; });
    const std::string failed = attempts.failures();
    if (!all.error.empty()) throw EnvironmentError(failed);
    if (!failed.empty()) throw BadInput(failed);
    if (all.interrupted) return kExitInterrupted;
    return std::ranges::all_of(results, &KernelResult::as_expected) ? kExitGood : kExitVerdict;
}

}  // namespace

int run_kernels(const Options& options) {
    if (const char* const keep = options.freeze         ? "--freeze"
                                 : options.save_outputs ? "--save-outputs"
                                                        : "";
        *keep != 0 && options.on.size() > 1)
        throw BadInput(fmt::format("{} saves the outputs of one place; give one --on", keep));
    Notes notes;
    Experiment experiment = open_experiment(options, notes);
    expand_param_lists(experiment);
    const Problem& problem = common_problem(experiment.contestants, options.own.problem);
    print_notes(options, experiment, notes);
    const std::vector<Sizes> sizes = chosen_sizes(options, problem);
    prepare_outputs(options, experiment, problem, sizes.front());

    const bool sweeps = !options.sizes.empty();
    Conversation conversation(options);
    const std::vector<DeviceInfo> devices = conversation.choose_devices(options.device, sweeps);
    // Make all requests before running the first, so that invalid input for the last size does not cost the
    // other results.
    const bool is_shared = sweeps && devices.size() > 1;
    const auto make_jobs = [&](const Experiment& wanted) {
        std::vector<Job> jobs;
        for (std::size_t place = 0; place < (is_shared ? 1 : devices.size()); ++place) {
            Experiment there = wanted;
            keep_refused(there, problem, sizes.front(), devices[place]);
            for (const Sizes& size : sizes)
                jobs.push_back({make_request(there, problem, size, devices[place]),
                                is_shared ? std::nullopt : std::optional(place)});
        }
        return jobs;
    };
    std::vector<std::vector<KernelResult>> bounds;
    if (experiment.foreign && problem.file().empty())
        for (std::size_t place = 0; place < devices.size(); ++place)
            bounds.push_back(measure_bounds(conversation, place, devices[place], problem.name()));
    Collected all = run_both_orders(experiment, make_jobs, [&](std::vector<Job> jobs) {
        return run_jobs(conversation, std::move(jobs), devices, bounds);
    });
    if (experiment.foreign) remark_unbounded(all);

    TableOptions table = table_options();
    table.explains = options.explain;
    const std::string what = sweeps ? counted(sizes.size(), "size") : "size " + to_string(sizes.front());
    std::vector<KernelResult> results;
    std::string text;
    std::vector<PlaceResults> sections;
    for (std::size_t place = 0; place < (is_shared ? 1 : devices.size()); ++place) {
        std::vector<KernelResult> of_place = is_shared ? all.results() : all.results(place);
        add_advice(of_place, experiment);
        const std::string where =
            is_shared || devices.size() == 1 ? conversation.place_names() : conversation.place_name(place);
        text += (place > 0 ? "\n" : "") + headline(problem, what, devices[place], where, table) +
                (sweeps ? sweep_table(of_place, table) : results_table(of_place, table));
        results.insert(results.end(), of_place.begin(), of_place.end());
        sections.push_back({devices[place], where, all.environments[place], std::move(of_place)});
    }
    std::string page;
    if (options.report) page = html_page(experiment, problem, sizes, sections, all.error);
    const SavedOutputs saved = save_outputs(options, experiment, problem, results, all.jobs.back().outputs);
    if (!saved.sentence.empty()) text += paragraph(saved.sentence, table.width);
    return finish(options, conversation, all, results, text, page, saved.error);
}

int check_kernels(const Options& options) {
    Notes notes;
    Experiment experiment = open_experiment(options, notes);
    experiment.check_only = true;
    const Problem& problem = common_problem(experiment.contestants, options.own.problem);
    print_notes(options, experiment, notes);

    Conversation conversation(options);
    const std::vector<DeviceInfo> devices = conversation.choose_devices(options.device, false);
    const std::vector<Sizes> chosen = chosen_sizes(options, problem);
    TableOptions table = table_options();
    table.explains = options.explain;
    std::vector<std::string> excluded;  // of each kernel, by place
    const auto make_jobs = [&](const Experiment& wanted) {
        std::vector<Job> jobs;
        excluded.assign(devices.size(), "");
        for (std::size_t place = 0; place < devices.size(); ++place) {
            const DeviceInfo& device = devices[place];
            Experiment there = wanted;
            keep_refused(there, problem, chosen.front(), device);
            for (const auto& contestant : there.contestants) {
                Experiment alone = there;
                alone.contestants = {contestant};
                alone.baseline.reset();
                RunRequest usual = make_request(alone, problem, chosen.front(), device);
                const auto& plan = usual.contestants.front().kernel;
                if (options.size || (plan && plan->refusal && is_bad_input(plan->refusal->code))) {
                    jobs.push_back({std::move(usual), place});
                    continue;
                }
                AwkwardRequests awkward = make_awkward_requests(alone, problem, device);
                excluded[place] +=
                    describe_excluded(contestant ? contestant->spec.name : kHostBlasName, awkward, table);
                for (RunRequest& request : awkward.requests) jobs.push_back({std::move(request), place});
            }
        }
        return jobs;
    };

    const Collected all = run_both_orders(experiment, make_jobs, [&](std::vector<Job> jobs) {
        return run_jobs(conversation, std::move(jobs), devices);
    });
    std::vector<KernelResult> results;
    std::string text;
    for (std::size_t place = 0; place < devices.size(); ++place) {
        std::vector<KernelResult> of_place = all.results(place);
        add_advice(of_place, experiment);
        const std::string where =
            devices.size() == 1 ? conversation.place_names() : conversation.place_name(place);
        text += (place > 0 ? "\n" : "") +
                headline(problem, problem_inputs(experiment), devices[place], where, table) +
                check_table(of_place, table, !problem.file().empty()) + excluded[place];
        std::ranges::move(of_place, std::back_inserter(results));
    }
    return finish(options, conversation, all, results, text);
}

}  // namespace kwb::cli
