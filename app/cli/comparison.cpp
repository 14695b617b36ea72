// SPDX-License-Identifier: Apache-2.0
#include "comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "experiment/own_launch.hpp"
#include "experiment/own_options.hpp"
#include "report/documents.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace kwb::cli {
namespace {

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

}  // namespace

void ComparisonOptions::add_common(CLI::App& verb, const char* several_places) {
    verb.add_option("KERNEL", chosen.kernels, kKernelHelp)->required();
    chosen.add_planning(verb);
    chosen.add_judging(verb, judge, several_places, outputs);
    verb.add_flag("--foreign", chosen.experiment.foreign,
                  "judge untrusted kernels strictly: discard each compiler cache, ignore the files' "
                  "[expect], flops, moves and [problem], and compare times with what the device can do");
    chosen.add_seed(verb,
                    "repeat the inputs of an earlier run, from the seed that it reported; default: an "
                    "unpredictable seed");
    outputs.add(verb, "--csv", "also write CSV to this file; - is standard output");
    add_explain(verb, explain);
}

TableOptions ComparisonOptions::table() const {
    TableOptions table = table_options();
    table.explains = explain;
    return table;
}
void add_advice(std::vector<KernelResult>& results, const OpenedExperiment& experiment) {
    for (KernelResult& result : results)
        for (const auto& choice : experiment.contestants) {
            if (!choice || choice->spec.name != result.kernel) continue;
            for (const std::string& advice :
                 {advise_options(result, *choice), advise_on_guess(result, choice->spec)})
                if (!advice.empty()) result.reason += "\n" + advice;
            break;
        }
}

std::vector<Jobs::Place> places_of(const Conversation& conversation, const std::vector<DeviceInfo>& devices) {
    std::vector<Jobs::Place> places;
    for (std::size_t i = 0; i < devices.size(); ++i)
        places.push_back({conversation.place(i).name, devices[i]});
    return places;
}

Collected run_jobs(Conversation& conversation, std::vector<Job> jobs,
                   const std::vector<Jobs::Place>& places) {
    Jobs task(std::move(jobs), places);
    std::vector<bool> are_told(places.size());
    conversation.perform(task, [&](std::size_t place) {
        const std::string error = task.lost(place);
        if (error.empty() || are_told[place]) return;
        are_told[place] = true;
        print_error(fmt::format("kwb: {}; the other places continue\n", conversation.at_place(place, error)));
    });
    Collected all = task.collect(conversation.interrupted());
    all.require_results();
    return all;
}

Collected run_both_orders(OpenedExperiment& experiment,
                          const std::function<std::vector<Job>(const OpenedExperiment&)>& make_jobs,
                          const std::function<Collected(std::vector<Job>)>& run) {
    Collected all = run(make_jobs(experiment));
    for (std::size_t i = 0; i < experiment.contestants.size(); ++i) {
        const auto& guessed = experiment.contestants[i];
        if (!guessed || all.interrupted || !all.error.empty() || !may_be_misguessed(all, guessed->spec))
            continue;
        OpenedExperiment other = experiment;
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

int finish(OutputWriter& writer, const Conversation& conversation, const Collected& all,
           const std::vector<KernelResult>& results, const std::string& text) {
    writer.show(text);
    writer.write("--json", [&] { return results_to_json(conversation.placed(all.environments), results); });
    writer.write("--csv", [&] { return results_to_csv(results); });
    writer.finish(all.error);
    if (all.interrupted) return kExitInterrupted;
    return std::ranges::all_of(results, &KernelResult::as_expected) ? kExitGood : kExitVerdict;
}

}  // namespace kwb::cli
