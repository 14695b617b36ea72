// SPDX-License-Identifier: Apache-2.0
// kwb run, why, sweep.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/kernel_folders.hpp"
#include "comparison.hpp"
#include "conversation.hpp"
#include "device_limits.hpp"
#include "experiment/default_sizes.hpp"
#include "experiment/own_launch.hpp"
#include "experiment/own_options.hpp"
#include "experiment/variants.hpp"
#include "experiments.hpp"
#include "model/finding_words.hpp"
#include "outputs.hpp"
#include "report/answer.hpp"
#include "report/documents.hpp"
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

/// Options of run, why and sweep.
struct TimingOptions : ComparisonOptions {
    std::vector<std::string> sizes;    ///< sweep
    std::vector<std::string> locals;   ///< sweep: work-group sizes
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

std::vector<std::string> split_sizes(const char* option, const std::string& text, const char* example) {
    if (trim(text).empty())
        throw BadInput(fmt::format("{0} is empty; give some sizes, e.g. {0} {1}", option, example));
    return split(text, ',');
}

struct SweepOptions : TimingOptions {
    void add(CLI::App& verb) {
        add_common(verb, kSharedWork);
        add_timing(verb);
        verb.add_option_function<std::string>(
                "--sizes",
                [this](const std::string& text) { sizes = split_sizes("--sizes", text, "64,128,256"); },
                "sizes, separated by commas")
            ->type_name("64,128,256")
            ->required();
        verb.add_option_function<std::string>(
                "--locals",
                [this](const std::string& text) { locals = split_sizes("--locals", text, "8x8,16x16"); },
                "time each kernel with each of these work-group sizes; all: with the powers of two that it "
                "and the device allow")
            ->type_name("8x8,16x16");
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

int run_kernels(const TimingOptions& options, const Folders& folders) {
    if (const char* const keep = options.saving.option(); keep != nullptr && options.judge.on.size() > 1)
        throw BadInput(fmt::format("{} saves the outputs of one place; give one --on", keep));
    if (!options.locals.empty() && !options.chosen.own.local.empty())
        throw BadInput("--local and --locals exclude each other; add the size to --locals");
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
    if (!options.locals.empty())
        expand_locals(experiment, options.locals, problem, sizes.front(), devices.front());
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

}  // namespace kwb::cli
