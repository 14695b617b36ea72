// SPDX-License-Identifier: Apache-2.0
// kwb tune.
#include <fmt/format.h>

#include <cctype>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/record.hpp"
#include "base/text.hpp"
#include "conversation.hpp"
#include "experiment/own_words.hpp"
#include "experiment/side_car.hpp"
#include "experiments.hpp"
#include "outputs.hpp"
#include "report/documents.hpp"
#include "report/labels.hpp"
#include "report/numbers.hpp"
#include "report/text_layout.hpp"
#include "task/tuner.hpp"
#include "terminal.hpp"
#include "tune/kernel_tuner_files.hpp"
#include "tune/space.hpp"
#include "tuning.hpp"
#include "verb.hpp"

namespace kwb::cli {
namespace {

constexpr const char* kTuneFooter =
    "Tries every configuration of the listed values that meets the file's [require] and the device's\n"
    "limits, a few at a time, each time with the best so far. The fastest then run once more against each\n"
    "other, beyond the budget. Each is checked as by 'kwb run'. A crash, a hang or a wrong answer costs\n"
    "only that configuration. With --cache F, an interruption loses at most the run in progress; --resume\n"
    "continues.\n"
    "Exit code 0: there is a best configuration; 1: none is correct.\n";

/// "200" configurations, or a time with its unit.
TuneBudget parse_budget(const std::string& text) {
    if (text.find_first_not_of("0123456789") == std::string::npos)
        return {whole("--budget", 1, 1'000'000'000)(text), {}};
    try {
        // A bare number such as 1.5 would be seconds.
        if (std::isalpha(static_cast<unsigned char>(text.back())) == 0) throw BadInput("no unit");
        return {{}, duration_ms("--budget")(text)};
    } catch (const BadInput&) {
        throw BadInput(
            "--budget " + text +
            ": give a time above 0 with its unit, e.g. 60s or 10min, or a number of configurations");
    }
}

StrategyKind parse_strategy(const std::string& text) {
    if (const auto kind = parse_enum<StrategyKind>(text)) return *kind;
    const std::vector<std::string> known = enum_names<StrategyKind>();
    throw BadInput("--strategy " + text + ": choose from " + enumerate(known) + "." +
                   did_you_mean(text, known));
}

struct TuneOptions {
    ExperimentOptions chosen;
    JudgeOptions judge;
    OutputOptions outputs;
    std::optional<StrategyKind> strategy;
    TuneBudget budget;
    std::optional<std::string> t1;
    bool resume = false;
    bool list = false;

    void add(CLI::App& verb) {
        verb.add_option(
                "KERNEL", chosen.kernels,
                "a name from 'kwb kernels', or the path of a .cl file; with --t1, default: its KernelFile")
            ->expected(1);
        chosen.add_planning(verb);
        verb.get_option("--param")
            ->type_name("TILE=8,16")
            ->description(
                "try only these values of a parameter; other parameters take all values that the file lists; "
                "may be repeated");
        chosen.add_size(verb);
        add_parsed(verb, "--strategy", strategy, "model",
                   "exhaustive: in the order of the file; random: in random order; climb, anneal: near the "
                   "fastest so far; model: those that a model of the times predicts to be fast. Default: "
                   "exhaustive, or model if the --budget may not be enough for all",
                   parse_strategy);
        add_parsed(verb, "--budget", budget, "60s",
                   "end after this time (ms, s, min, h), or this many configurations", parse_budget);
        chosen.add_seed(verb,
                        "seed of the random order and of the inputs; default: always the same order, and "
                        "unpredictable inputs");
        chosen.add_rounds(
            verb,
            "time for each configuration's rounds; default: 200ms, and up to 2s for the 6 rounds "
            "that an interval needs; for the fastest, at the end, as in 'kwb run'");
        chosen.add_judging(verb, judge, kSharedWork, outputs);
        outputs.add(verb, "--cache",
                    "save every configuration to this file as soon as its run ends; Kernel Tuner can read "
                    "the file, too");
        verb.add_flag("--resume", resume, "continue from the --cache file, which may come from Kernel Tuner")
            ->needs("--cache");
        outputs.add(verb, "--t4", "also write Kernel Tuner's T4 document to this file; - is standard output");
        add_text(
            verb, "--t1", t1, "F",
            "take parameters and conditions from this T1 file of Kernel Tuner; also kernel, launch, size, "
            "strategy and budget, unless the kernel's file or other options set them");
        CLI::Option* only_list =
            verb.add_flag("--list", list, "only list the configurations that would be tried, one per line");
        for (const char* option : {"--json", "--cache", "--t4"}) only_list->excludes(option);
    }
};

void run_tuner(Tuner& tuner, Conversation& conversation) {
    bool has_trouble = false;
    conversation.perform(tuner, [&](std::size_t place) {
        const bool had_trouble =
            std::exchange(has_trouble, tuner.cache() != nullptr && !tuner.cache()->trouble().empty());
        if (has_trouble && !had_trouble)
            print_error("kwb: " + tuner.cache()->trouble() +
                        "; tuning continues, and retries after each run\n");
        if (!tuner.error_at(place).empty() && tuner.error().empty())
            print_error(fmt::format("kwb: {}; tuning continues at the other places\n",
                                    conversation.at_place(place, tuner.error_at(place))));
    });
}

/// Describes the configurations that --resume found.
std::string recalled_text(const std::string& file, const RecalledTrials& recalled) {
    std::string text =
        fmt::format("Resumed: {} from {}", counted(recalled.trials.size(), "configuration"), file);
    if (recalled.others > 0)
        text += fmt::format("; {} with other values, which stay in the file", recalled.others);
    if (recalled.damaged > 0) text += fmt::format("; {} dropped", counted(recalled.damaged, "damaged line"));
    return text + ".\n\n";
}

/// The command that runs this configuration.
/// @param declared  the parameters in the kernel's own file
std::string best_command(const TuneOptions& options, const Folders& folders, const ParamChoice& params,
                         const ParamSpace& declared) {
    std::string command = "kwb run " + quote_for_shell(options.chosen.kernels.front());
    const auto add = [&](const char* option, const std::optional<std::string>& value) {
        if (value) command += fmt::format(" {} {}", option, quote_for_shell(*value));
    };
    for (const auto& folder : folders) add("--kernels", folder.string());
    if (!options.judge.on.empty()) add("--on", options.judge.on.front());
    add("--device", options.chosen.device);
    add("--size", options.chosen.size);
    add("--problem", options.chosen.own.problem);
    command += own_option_words(options.chosen.own);
    return command + param_words(params, declared);
}

/// One a line.
void print_configurations(const Space& space) {
    constexpr std::size_t kManyBytes = std::size_t{1} << 16;
    std::string text;
    for (std::size_t i = 0; i < space.size(); ++i) {
        text += params_text(space.at(i)) + "\n";
        if (text.size() < kManyBytes && i + 1 < space.size()) continue;
        print(text);
        text.clear();
    }
}

/// Take what the options leave open from the --t1 file.
std::optional<T1File> take_t1(TuneOptions& options, Notes& notes) {
    if (!options.t1) return std::nullopt;
    T1File t1 = open_t1(*options.t1, options.outputs);
    if (options.chosen.kernels.empty()) options.chosen.kernels = {kernel_of(t1)};
    if (!options.budget.configurations && !options.budget.time_ms && t1.budget) options.budget = *t1.budget;
    if (!options.strategy) options.strategy = strategy_of(t1);
    if (!t1.unused.empty()) notes.push_back(fmt::format("{}: not used: {}", t1.name, enumerate(t1.unused)));
    return t1;
}

int tune_kernel(const TuneOptions& typed, const Folders& folders) {
    TuneOptions options = typed;
    ExperimentOptions& chosen = options.chosen;
    const OutputOptions& outputs = options.outputs;
    const std::optional<std::string> cache = outputs.file("--cache");
    if (chosen.kernels.empty() && !options.t1)
        throw BadInput(
            "kwb tune needs a kernel: a name from 'kwb kernels', the path of a .cl file, or --t1 with a T1 "
            "file of Kernel Tuner");
    if (cache == "-") throw BadInput("--cache -: give a file, so that --resume can read it");
    outputs.refuse_equal();
    Notes notes;
    const std::optional<T1File> t1 = take_t1(options, notes);
    if (chosen.kernels.front() == kHostBlasName)
        throw BadInput(std::string(kHostBlasName) + " has no parameters to tune; name a kernel");
    std::vector<std::optional<KernelFile>> kernels = open_kernels(chosen.kernels, folders);
    const ParamSpace declared = kernels.front()->spec.params;
    if (t1 && !kernels.front()->refusal) apply_t1(*t1, *kernels.front(), chosen, notes);
    const OpenedExperiment experiment = complete_experiment(chosen, std::move(kernels), outputs, notes);
    const Problem& problem = common_problem(experiment.contestants, chosen.own.problem);
    print_notes(notes, experiment, t1 ? nullptr : &chosen.own, outputs);
    const Sizes sizes = chosen.sizes(problem);

    Conversation conversation(options.judge);
    const std::vector<DeviceInfo> devices = conversation.choose_devices(chosen.device, true);
    const DeviceInfo& device = devices.front();
    const TableOptions table = table_options();
    const KernelFile& kernel = *experiment.contestants.front();
    Space space(space_of(kernel, problem.at(sizes), device, experiment.choices));
    if (space.size() == 0)
        throw BadInput("nothing is left to tune: " + space_text(space, table) +
                       "allow other values with --param, or choose another size or device");
    const std::string found =
        headline(problem, "size " + to_string(sizes), device, conversation.place_names(), table) +
        space_text(space, table) + "\n";
    if (options.list) {
        print(found);
        print_configurations(space);
        return kExitGood;
    }
    Tuner tuner(experiment, problem, sizes, devices, std::move(space),
                {options.strategy, options.budget, cache, options.resume, own_option_words(chosen.own),
                 cached_size(t1, problem, sizes)});
    outputs.tell(found);
    if (options.resume) outputs.tell(recalled_text(*cache, tuner.cache()->recalled()));
    run_tuner(tuner, conversation);
    const Tuning& tuning = tuner.tuning();
    if (tuning.tried() == 0 && conversation.interrupted()) throw Interrupted{};
    if (tuning.tried() == 0) throw EnvironmentError(tuner.error());

    std::string text = tuning_text(tuning, tuner.space(), table);
    const Trial* best = tuning.best();
    if (best != nullptr)
        text += "\nRun the best:\n  " + best_command(options, folders, best->result.params, declared) + "\n";
    if (conversation.interrupted() && cache)
        text += fmt::format(
            "\n"
            "{} has all measurements so far; continue with --resume.\n",
            *cache);
    OutputWriter writer(outputs);
    writer.show(text + isolation_note(options.judge, tuner.environment()));
    writer.write("--json", [&] {
        std::vector<KernelResult> results;
        for (const Trial* trial : tuning.ranked()) results.push_back(trial->result);
        std::vector<Environment> environments;
        for (std::size_t i = 0; i < conversation.places(); ++i) environments.push_back(tuner.environment(i));
        return results_to_json(conversation.placed(environments), results);
    });
    writer.write("--t4", [&] { return t4_document(tuning.ranked()); });
    if (const CacheFile* file = tuner.cache(); file != nullptr && file->waiting() > 0)
        writer.add_failure(
            fmt::format("{}; {} missing in it", file->trouble(), counted(file->waiting(), "configuration")));
    writer.finish(tuner.error());
    if (conversation.interrupted()) return kExitInterrupted;
    return best != nullptr ? kExitGood : kExitVerdict;
}

}  // namespace

Verb add_tune(CLI::App& kwb) {
    return add_verb<TuneOptions>(
        kwb, {"tune", "find the fastest of the parameter values that a kernel's file lists", kTuneFooter},
        tune_kernel);
}

}  // namespace kwb::cli
