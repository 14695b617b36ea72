// SPDX-License-Identifier: Apache-2.0
// kwb run, why, sweep, check.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/kernel_folders.hpp"
#include "conversation.hpp"
#include "device_limits.hpp"
#include "experiment/default_sizes.hpp"
#include "experiment/own_launch.hpp"
#include "experiment/own_options.hpp"
#include "experiments.hpp"
#include "model/finding_words.hpp"
#include "outputs.hpp"
#include "report/answer.hpp"
#include "report/documents.hpp"
#include "report/problem_lines.hpp"
#include "report/reason_words.hpp"
#include "report/tables.hpp"
#include "report/text_layout.hpp"
#include "task/jobs.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace kwb::cli {
namespace {

constexpr const char* kTimingFooter =
    "In each round every kernel takes one turn, in random order, so that clock drift affects all alike.\n"
    "The time is the median over rounds, followed by a 95 % confidence interval of the median within\n"
    "this run.\n"
    "Exit code 0: every verdict is correct, or is what the kernel's own [expect] declares\n"
    "('kwb check --help').\n";

constexpr const char* kWhyFooter =
    "Runs the kernels as 'kwb run' does. Then each kernel takes turns with a copy of itself that differs in "
    "one\n"
    "thing: every access of one buffer hits a near cache, barriers do nothing, atomic operations are "
    "ordinary\n"
    "loads and stores, integers are in ascending order, or the kernel is empty. What a change saves is what "
    "that thing costs on this device.\n"
    "The results of changed kernels are wrong on purpose and never checked. Effects overlap, so they do not\n"
    "add up.\n"
    "docs/why.md explains each reason and when it misleads.\n";

constexpr const char* kCheckFooter =
    "Exit code 0: every verdict is correct or, for a kernel that is shipped because it is wrong\n"
    "(kernels/published), is what its [expect] declares for that size. 1: some verdict is not. This\n"
    "includes such a kernel being right at a size at which it should be wrong.\n";

/// Options of run, why, sweep and check.
struct ComparisonOptions {
    ExperimentOptions chosen;
    JudgeOptions judge;
    OutputOptions outputs;
    bool explain = false;

    void add_common(CLI::App& verb, const char* several_places) {
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

    TableOptions table() const {
        TableOptions table = table_options();
        table.explains = explain;
        return table;
    }
};

/// Options of run, why and sweep.
struct TimingOptions : ComparisonOptions {
    std::vector<std::string> sizes;    ///< sweep
    SavingOptions saving;              ///< run
    bool why = false;                  ///< run, why
    std::vector<std::string> targets;  ///< run, why: GPUs, by names of theirs or of compilers

    void add_timing(CLI::App& verb) {
        verb.get_option("--param")->description(
            "set a compile-time parameter of the kernels; TILE=8,16 adds one contestant per value; may be "
            "repeated");
        outputs.add(verb, "--report",
                    "also write an HTML page with charts and sources to this file; - is standard output");
        chosen.add_rounds(
            verb,
            "time for each kernel's rounds, in ms, s, min or h; a bare number is seconds; default: 1s, "
            "and up to 20s for the 6 rounds that an interval needs");
        add_text(verb, "--baseline", chosen.experiment.baseline, "K",
                 "the kernel that speed-ups are relative to: one of the kernels, or cpu:blas, which is added "
                 "if not named; default: the first kernel");
    }
};

struct RunOptions : TimingOptions {
    void add(CLI::App& verb) {
        add_all(verb);
        verb.add_flag("--why", why,
                      "also measure why, as 'kwb why' does: time each kernel without one thing, such as its "
                      "barriers or the cache misses of one buffer");
    }

protected:
    void add_all(CLI::App& verb) {
        add_common(verb, kEachPlace);
        add_timing(verb);
        add_targets(verb, targets,
                    "also compute occupancy and the shortest possible time on this GPU, which you need not "
                    "have: part of its name (a100), its compiler's name (sm_80), or all; with sub-groups of "
                    "32; with why: default a100; may be repeated");
        chosen.add_size(verb,
                        "problem size: 512, or M x N x K as 512x256x1024; default: the usual one, or a "
                        "larger one whose inputs exceed the second-level cache of the CPU");
        verb.add_flag(
            "--check", chosen.experiment.unreadable_pages,
            "before timing, also check for out-of-bounds accesses, as 'kwb check' does (CPU devices)");
        saving.add(verb);
    }
};

struct WhyOptions : RunOptions {
    void add(CLI::App& verb) {
        why = true;
        add_all(verb);
    }
};

std::vector<std::string> split_sizes(const std::string& text) {
    if (trim(text).empty()) throw BadInput("--sizes is empty; give some sizes, e.g. --sizes 64,128,256");
    return split(text, ',');
}

struct SweepOptions : TimingOptions {
    void add(CLI::App& verb) {
        add_common(verb, kSharedWork);
        add_timing(verb);
        verb.add_option_function<std::string>(
                "--sizes", [this](const std::string& text) { sizes = split_sizes(text); },
                "sizes, separated by commas")
            ->type_name("64,128,256")
            ->required();
    }
};

struct CheckOptions : ComparisonOptions {
    bool lines = false;

    void add(CLI::App& verb) {
        add_common(verb, kEachPlace);
        chosen.add_size(verb, "check only at this size");
        verb.add_flag("--lines", lines,
                      "print only what is wrong, a line for each place, as compilers do and editors read: "
                      "file:line:column: error: text");
    }
};

/// Whether the sizes meet the requirements of all kernels.
bool suits_all(OpenedExperiment experiment, const Problem& problem, const Sizes& sizes,
               const DeviceInfo& device) {
    experiment.keeps_refused = true;
    const RunRequest request = make_request(experiment, problem, sizes, device);
    return std::ranges::none_of(request.contestants, [](const auto& contestant) {
        return contestant.kernel && contestant.kernel->refusal;
    });
}

/// The size for the device; but the problem's usual one if a kernel has requirements that only that one
/// meets.
Sizes default_sizes(const OpenedExperiment& experiment, const Problem& problem, const DeviceInfo& device) {
    Sizes sizes = default_sizes_on(problem, &device);
    return suits_all(experiment, problem, sizes, device) ? sizes : problem.default_sizes();
}

/// @return  empty: none was chosen
std::vector<Sizes> chosen_sizes(const TimingOptions& options, const Problem& problem) {
    if (options.chosen.size) return {options.chosen.sizes(problem)};
    std::vector<Sizes> sizes;
    for (const std::string& text : options.sizes) {
        Sizes size = parse_sizes(problem, text);
        // Skip duplicates: they would run twice without new information.
        if (std::find(sizes.begin(), sizes.end(), size) == sizes.end()) sizes.push_back(std::move(size));
    }
    return sizes;
}

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

/// Add advice on options that replace what the kernel's host program did.
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

std::vector<Jobs::Place> places_of(const Conversation& conversation, const std::vector<DeviceInfo>& devices) {
    std::vector<Jobs::Place> places;
    for (std::size_t i = 0; i < devices.size(); ++i)
        places.push_back({conversation.place(i).name, devices[i]});
    return places;
}

/// @throws EnvironmentError  if there are no results to keep
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

/// Run an experiment. If a guessed launch ends badly, try the other order of its dimensions before reporting.
/// @param experiment  receives the orders that are right
template <class MakeJobs, class Run>
Collected run_both_orders(OpenedExperiment& experiment, const MakeJobs& make_jobs, const Run& run) {
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

/// The GPUs for which reasons are computed.
Targets computed_targets(const TimingOptions& options) {
    constexpr std::uint32_t kCountedLanes = 32;  // by X-ray in a run
    if (options.targets.empty()) return usual_target();
    Targets targets = chosen_targets(options.targets);
    if (targets.is_device)
        throw BadInput("--target device: name a GPU; 'kwb xray --target device' shows the machine code");
    for (const GpuProfile& gpu : targets.gpus)
        if (gpu.sub_group != kCountedLanes)
            throw BadInput(
                fmt::format("--target: X-ray counts sub-groups of {} in a run, and {} has {}; 'kwb "
                            "xray --target' counts them",
                            kCountedLanes, gpu.name, gpu.sub_group));
    return targets;
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
/// @throws EnvironmentError  if results are missing; BadInput if something could not be written. Both are
///          thrown only after everything else was shown and written.
int finish(OutputWriter& writer, const Conversation& conversation, const Collected& all,
           const std::vector<KernelResult>& results, const std::string& text) {
    writer.show(text);
    writer.write("--json", [&] { return results_to_json(conversation.placed(all.environments), results); });
    writer.write("--csv", [&] { return results_to_csv(results); });
    writer.finish(all.error);
    if (all.interrupted) return kExitInterrupted;
    return std::ranges::all_of(results, &KernelResult::as_expected) ? kExitGood : kExitVerdict;
}

int run_kernels(const TimingOptions& options, const Folders& folders) {
    if (const char* const keep = options.saving.option(); keep != nullptr && options.judge.on.size() > 1)
        throw BadInput(fmt::format("{} saves the outputs of one place; give one --on", keep));
    Notes notes;
    OpenedExperiment experiment = open_experiment(options.chosen, folders, options.outputs, notes);
    experiment.keep_outputs = options.saving.option() != nullptr;
    experiment.what_if = options.why;
    expand_param_lists(experiment);
    const Problem& problem = common_problem(experiment.contestants, options.chosen.own.problem);
    const Targets targets = computed_targets(options);
    print_notes(notes, experiment, &options.chosen.own, options.outputs);
    std::vector<Sizes> sizes = chosen_sizes(options, problem);
    prepare_saving(options.saving, options.outputs, experiment, problem,
                   sizes.empty() ? problem.default_sizes() : sizes.front());
    const bool sweeps = !options.sizes.empty();
    Conversation conversation(options.judge);
    if (options.outputs.file("--report")) conversation.receive_maps();
    const std::vector<DeviceInfo> devices = conversation.choose_devices(options.chosen.device, sweeps);
    if (sizes.empty()) {
        sizes.push_back(default_sizes(experiment, problem, devices.front()));
        if (sizes.front() != problem.default_sizes())  // larger outputs may be too large to save
            prepare_saving(options.saving, options.outputs, experiment, problem, sizes.front());
    }
    // Make all requests before running the first, so that invalid input for the last size does not cost the
    // other results.
    const bool is_shared = sweeps && devices.size() > 1;
    const auto make_jobs = [&](const OpenedExperiment& wanted) {
        std::vector<Job> jobs;
        for (std::size_t place = 0; place < (is_shared ? 1 : devices.size()); ++place) {
            OpenedExperiment there = wanted;
            for (const Sizes& size : sizes)
                jobs.push_back({make_lenient_request(there, problem, size, devices[place]),
                                is_shared ? std::nullopt : std::optional(place)});
        }
        return jobs;
    };
    std::vector<Jobs::Place> places = places_of(conversation, devices);
    if (experiment.foreign && problem.file().empty()) measure_bounds(conversation, places, problem.name());
    Collected all = run_both_orders(experiment, make_jobs, [&](std::vector<Job> jobs) {
        return run_jobs(conversation, std::move(jobs), places);
    });
    if (experiment.foreign) remark_unbounded(all);
    // One kernel is explained by what the device can do.
    std::vector<RooflineCeilings> ceilings(places.size());
    if (options.why && experiment.contestants.size() == 1 && experiment.contestants.front() &&
        !options.outputs.data_on_stdout())
        ceilings = find_ceilings(conversation, places);

    const TableOptions table = options.table();
    std::string what = sweeps ? counted(sizes.size(), "size") : "size " + to_string(sizes.front());
    if (!sweeps && !options.chosen.size)
        if (const std::string cause = describe_default_sizes(problem, sizes.front(), devices.front());
            !cause.empty())
            what += fmt::format(" ({})", cause);
    std::vector<KernelResult> results;
    std::string text;
    std::vector<PlaceResults> sections;
    for (std::size_t place = 0; place < (is_shared ? 1 : devices.size()); ++place) {
        std::vector<KernelResult> of_place = is_shared ? all.results() : all.results(place);
        add_advice(of_place, experiment);
        const RunRequest& request = all.jobs[place].request;
        // Compiling takes longer than a run should grow by, unless it has no other answer.
        if (!sweeps && (options.why || !options.targets.empty() ||
                        answer_among_kernels(of_place, request.baseline).kind == Answer::Kind::NoDifference))
            add_gpus(of_place, request, targets);
        const std::string where =
            is_shared || devices.size() == 1 ? conversation.place_names() : conversation.place_name(place);
        text += (place > 0 ? "\n" : "") + headline(problem, what, devices[place], where, table) +
                (sweeps ? sweep_table(of_place, table) : results_table(of_place, table));
        if (of_place.size() == 1) text += ceilings_text(of_place.front(), ceilings[place], table);
        if (!sweeps) text += reasons_text(of_place, request.baseline, devices[place], !options.why, table);
        results.insert(results.end(), of_place.begin(), of_place.end());
        sections.push_back({devices[place], where, all.environments[place], std::move(of_place)});
    }
    OutputWriter writer(options.outputs);
    const SavedOutputs saved =
        save_outputs(options.saving, experiment, problem, results, all.jobs.back().outputs);
    if (!saved.sentence.empty()) text += paragraph(saved.sentence, table.width);
    writer.add_failure(saved.error);
    writer.write("--report", [&] { return html_page(experiment, problem, sizes, sections, all.error); });
    text += isolation_note(options.judge, all.environments.front());
    return finish(writer, conversation, all, results, text);
}

int check_kernels(const CheckOptions& options, const Folders& folders) {
    Notes notes;
    OpenedExperiment experiment = open_experiment(options.chosen, folders, options.outputs, notes);
    experiment.check_only = true;
    const Problem& problem = common_problem(experiment.contestants, options.chosen.own.problem);
    print_notes(notes, experiment, &options.chosen.own, options.outputs);

    Conversation conversation(options.judge);
    const std::vector<DeviceInfo> devices = conversation.choose_devices(options.chosen.device, false);
    const Sizes sizes = options.chosen.sizes(problem);
    const TableOptions table = options.table();
    std::vector<std::string> excluded;  // of each kernel, by place
    const auto make_jobs = [&](const OpenedExperiment& wanted) {
        std::vector<Job> jobs;
        excluded.assign(devices.size(), "");
        for (std::size_t place = 0; place < devices.size(); ++place) {
            const DeviceInfo& device = devices[place];
            OpenedExperiment there = wanted;
            const RunRequest together = make_lenient_request(there, problem, sizes, device);
            for (std::size_t i = 0; i < there.contestants.size(); ++i) {
                const auto& contestant = there.contestants[i];
                const auto& plan = together.contestants[i].kernel;
                if (options.chosen.size || (plan && plan->refusal && is_bad_input(plan->refusal->code))) {
                    RunRequest usual = together;
                    usual.contestants = {together.contestants[i]};
                    usual.baseline = 0;
                    jobs.push_back({std::move(usual), place});
                    continue;
                }
                OpenedExperiment alone = there;
                alone.contestants = {contestant};
                alone.baseline.reset();
                AwkwardRequests awkward = make_awkward_requests(alone, problem, device);
                excluded[place] +=
                    describe_excluded(contestant ? contestant->spec.name : kHostBlasName, awkward, table);
                for (RunRequest& request : awkward.requests) jobs.push_back({std::move(request), place});
            }
        }
        return jobs;
    };

    const Collected all = run_both_orders(experiment, make_jobs, [&](std::vector<Job> jobs) {
        return run_jobs(conversation, std::move(jobs), places_of(conversation, devices));
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
    OutputWriter writer(options.outputs);
    text = options.lines ? problem_lines(results)
                         : text + isolation_note(options.judge, all.environments.front());
    return finish(writer, conversation, all, results, text);
}

}  // namespace

Verb add_run(CLI::App& kwb) {
    return add_verb<RunOptions>(
        kwb, {"run", "check kernels, then time them against each other", kTimingFooter}, run_kernels);
}

Verb add_why(CLI::App& kwb) {
    return add_verb<WhyOptions>(kwb, {"why", "measure why one kernel is faster than another", kWhyFooter},
                                run_kernels);
}

Verb add_sweep(CLI::App& kwb) {
    return add_verb<SweepOptions>(
        kwb, {"sweep", "time kernels against each other at several sizes", kTimingFooter}, run_kernels);
}

Verb add_check(CLI::App& kwb) {
    return add_verb<CheckOptions>(
        kwb,
        {"check", "test kernels at the sizes where they fail: 1, primes, tile edges, long and thin",
         kCheckFooter},
        check_kernels);
}

}  // namespace kwb::cli
