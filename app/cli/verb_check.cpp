// SPDX-License-Identifier: Apache-2.0
// kwb check.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/error.hpp"
#include "base/text.hpp"
#include "comparison.hpp"
#include "experiment/variants.hpp"
#include "experiments.hpp"
#include "model/finding_words.hpp"
#include "report/problem_lines.hpp"
#include "report/tables.hpp"
#include "report/text_layout.hpp"
#include "verb.hpp"

namespace kwb::cli {
namespace {

constexpr const char* kCheckFooter =
    "Exit code 0: every verdict is correct or, for a kernel that is shipped because it is wrong\n"
    "(kernels/published), is what its [expect] declares for that size. 1: some verdict is not. This\n"
    "includes such a kernel being right at a size at which it should be wrong.\n";

struct CheckOptions : ComparisonOptions {
    bool lines = false;
    bool all_params = false;
    std::vector<std::string> sizes;

    void add(CLI::App& verb) {
        add_common(verb, kEachPlace);
        add_repeated(verb, "--size", sizes, "512", "check only at this size");
        verb.add_flag("--all-params", all_params,
                      "check each combination of the parameter values that a kernel's file lists");
        verb.add_flag("--lines", lines,
                      "print only what is wrong, a line for each place, as compilers do and editors read: "
                      "file:line:column: error: text");
    }
};

/// Describes the inputs of a check.
std::string problem_inputs(const OpenedExperiment& experiment) {
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

/// The kernels of one problem.
struct CheckedProblem {
    Collected all;
    std::vector<KernelResult> results;
    std::string text;
};

CheckedProblem check_problem(const CheckOptions& options, Conversation& conversation,
                             const std::vector<DeviceInfo>& devices, OpenedExperiment experiment) {
    const Problem& problem = common_problem(experiment.contestants, options.chosen.own.problem);
    std::vector<Sizes> sizes;
    for (const std::string& size : options.sizes) sizes.push_back(parse_sizes(problem, size));
    const TableOptions table = options.table();
    std::vector<std::string> excluded;  // of each kernel, by place
    const auto make_jobs = [&](const OpenedExperiment& wanted) {
        std::vector<Job> jobs;
        excluded.assign(devices.size(), "");
        for (std::size_t place = 0; place < devices.size(); ++place) {
            const DeviceInfo& device = devices[place];
            OpenedExperiment there = wanted;
            std::vector<RunRequest> together;
            for (const Sizes& size : sizes.empty() ? std::vector<Sizes>{problem.default_sizes()} : sizes)
                together.push_back(make_lenient_request(there, problem, size, device));
            for (std::size_t i = 0; i < there.contestants.size(); ++i) {
                const auto& contestant = there.contestants[i];
                const auto& plan = together.front().contestants[i].kernel;
                if (!sizes.empty() || (plan && plan->refusal && is_bad_input(plan->refusal->code))) {
                    for (RunRequest usual : together) {
                        usual.contestants = {usual.contestants[i]};
                        usual.baseline = 0;
                        jobs.push_back({std::move(usual), place});
                    }
                    continue;
                }
                AwkwardRequests awkward = make_awkward_requests(alone(there, i), problem, device);
                excluded[place] +=
                    describe_excluded(contestant ? contestant->spec.name : kHostBlasName, awkward, table);
                for (RunRequest& request : awkward.requests) jobs.push_back({std::move(request), place});
            }
        }
        return jobs;
    };

    CheckedProblem checked;
    checked.all = run_both_orders(experiment, make_jobs, [&](std::vector<Job> jobs) {
        return run_jobs(conversation, std::move(jobs), places_of(conversation, devices));
    });
    for (std::size_t place = 0; place < devices.size(); ++place) {
        std::vector<KernelResult> of_place = checked.all.results(place);
        add_advice(of_place, experiment);
        const std::string where =
            devices.size() == 1 ? conversation.place_names() : conversation.place_name(place);
        checked.text += (place > 0 ? "\n" : "") +
                        headline(problem, problem_inputs(experiment), devices[place], where, table) +
                        check_table(of_place, table, !problem.file().empty()) + excluded[place];
        std::ranges::move(of_place, std::back_inserter(checked.results));
    }
    return checked;
}

/// An experiment for each problem. Kernels that are refused, and cpu:blas, join another one.
std::vector<OpenedExperiment> by_problem(const OpenedExperiment& experiment) {
    std::vector<std::pair<const Problem*, OpenedExperiment>> groups;
    for (std::size_t i = 0; i < experiment.contestants.size(); ++i) {
        const auto& contestant = experiment.contestants[i];
        const Problem* const problem =
            contestant && !contestant->refusal ? &problem_of(*contestant) : nullptr;
        const auto group = std::ranges::find_if(groups, [&](const auto& other) {
            return problem == nullptr || other.first == nullptr ||
                   (other.first->name() == problem->name() && other.first->file() == problem->file());
        });
        OpenedExperiment one = alone(experiment, i);
        if (group == groups.end()) {
            groups.emplace_back(problem, std::move(one));
            continue;
        }
        if (group->first == nullptr) group->first = problem;
        group->second.contestants.push_back(contestant);
        std::ranges::move(one.own_choices, std::back_inserter(group->second.own_choices));
    }
    std::vector<OpenedExperiment> experiments;
    for (auto& [problem, group] : groups) experiments.push_back(std::move(group));
    return experiments;
}

int check_kernels(const CheckOptions& options, const Folders& folders) {
    Notes notes;
    OpenedExperiment experiment = open_experiment(options.chosen, folders, options.outputs, notes);
    experiment.check_only = true;
    if (options.all_params) expand_all_params(experiment);
    const std::vector<OpenedExperiment> problems = by_problem(experiment);
    for (const OpenedExperiment& one : problems) {  // before anything runs
        const Problem& problem = common_problem(one.contestants, options.chosen.own.problem);
        for (const std::string& size : options.sizes) parse_sizes(problem, size);
    }
    print_notes(notes, experiment, &options.chosen.own, options.outputs);
    Conversation conversation(options.judge);
    const std::vector<DeviceInfo> devices = conversation.choose_devices(options.chosen.device, false);
    CheckedProblem checked;
    for (const OpenedExperiment& one : problems) {
        CheckedProblem next = check_problem(options, conversation, devices, one);
        std::ranges::move(next.results, std::back_inserter(checked.results));
        checked.text += (checked.text.empty() ? "" : "\n") + next.text;
        checked.all = std::move(next.all);
        if (checked.all.interrupted || !checked.all.error.empty()) break;
    }
    OutputWriter writer(options.outputs);
    const std::string text =
        options.lines ? problem_lines(checked.results)
                      : checked.text + isolation_note(options.judge, checked.all.environments.front());
    return finish(writer, conversation, checked.all, checked.results, text);
}

}  // namespace

Verb add_check(CLI::App& kwb) {
    return add_verb<CheckOptions>(
        kwb,
        {"check", "test kernels at the sizes where they fail: 1, primes, tile edges, long and thin",
         kCheckFooter},
        check_kernels);
}

}  // namespace kwb::cli
