// SPDX-License-Identifier: Apache-2.0
// kwb tune.
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "conversation.hpp"
#include "experiment/side_car.hpp"
#include "experiments.hpp"
#include "outputs.hpp"
#include "report/documents.hpp"
#include "report/labels.hpp"
#include "report/numbers.hpp"
#include "report/text_layout.hpp"
#include "t1_options.hpp"
#include "task/tuner.hpp"
#include "terminal.hpp"
#include "tune/kernel_tuner_files.hpp"
#include "tune/space.hpp"
#include "tune_text.hpp"

namespace kwb::cli {
namespace {

std::string progress_text(const Tuner& tuner) {
    const TunerProgress progress = tuner.progress_now();
    std::string text = progress.is_final ? "the fastest once more"
                                         : fmt::format("{} of {} tried", progress.tried, progress.planned);
    if (progress.left_ms) text += fmt::format(", about {} left", rough_duration(*progress.left_ms));
    if (const Trial* best = tuner.tuning().best())
        text +=
            fmt::format(", best {} ({})", format_time_ms(*best->cost_ms), params_text(best->result.params));
    return text;
}

void run(Tuner& tuner, Conversation& conversation) {
    bool has_trouble = false;
    const auto ended = [&](std::size_t place, const Snapshot& snapshot) {
        tuner.take(place, snapshot);
        const bool had_trouble =
            std::exchange(has_trouble, tuner.cache() != nullptr && !tuner.cache()->trouble().empty());
        if (has_trouble && !had_trouble)
            print_error("kwb: " + tuner.cache()->trouble() +
                        "; tuning continues, and retries after each run\n");
        if (!tuner.error_at(place).empty() && tuner.error().empty())
            print_error(fmt::format("kwb: {}; tuning continues at the other places\n",
                                    conversation.at_place(place, tuner.error_at(place))));
    };
    conversation.run_everywhere([&](std::size_t place) { return tuner.next(place); }, ended,
                                [&] { return progress_text(tuner); });
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
std::string run_command(const Options& options, const ParamChoice& params, const ParamSpace& declared) {
    std::string command = "kwb run " + quote_for_shell(options.kernels.front());
    const auto add = [&](const char* option, const std::optional<std::string>& value) {
        if (value) command += fmt::format(" {} {}", option, quote_for_shell(*value));
    };
    for (const auto& folder : options.folders) add("--kernels", folder.string());
    if (!options.on.empty()) add("--on", options.on.front());
    add("--device", options.device);
    add("--size", options.size);
    add("--problem", options.own.problem);
    command += own_option_words(options.own);
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

/// To standard output, or to standard error if that carries data.
void tell(const Options& options, const std::string& text) {
    options.data_on_stdout() ? print_error(text) : print(text);
}

}  // namespace

int tune_kernel(const Options& typed) {
    Options options = typed;
    Notes notes;
    std::optional<T1File> t1;
    if (options.t1) t1 = open_t1(options, notes);
    if (options.kernels.front() == kHostBlasName)
        throw BadInput(std::string(kHostBlasName) + " has no parameters to tune; name a kernel");
    std::vector<std::optional<KernelFile>> kernels = open_kernels(options);
    const ParamSpace declared = kernels.front()->spec.params;
    if (t1 && !kernels.front()->refusal) apply_t1(*t1, *kernels.front(), options, notes);
    const Experiment experiment = complete_experiment(options, std::move(kernels), notes);
    const Problem& problem = common_problem(experiment.contestants, options.own.problem);
    print_notes(options, experiment, notes);
    const Sizes sizes = options.size ? parse_sizes(problem, *options.size) : problem.default_sizes();

    Conversation conversation(options);
    const std::vector<DeviceInfo> devices = conversation.choose_devices(options.device, true);
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
                {options.strategy, options.budget, options.cache, options.resume,
                 own_option_words(options.own), cached_size(t1, problem, sizes)});
    tell(options, found);
    if (options.resume) tell(options, recalled_text(*options.cache, tuner.cache()->recalled()));
    run(tuner, conversation);
    const Tuning& tuning = tuner.tuning();
    if (tuning.tried() == 0 && conversation.interrupted()) throw Interrupted{};
    if (tuning.tried() == 0) throw EnvironmentError(tuner.error());

    std::string text = tuning_text(tuning, tuner.space(), table);
    const Trial* best = tuning.best();
    if (best != nullptr)
        text += "\nRun the best:\n  " + run_command(options, best->result.params, declared) + "\n";
    if (conversation.interrupted() && options.cache)
        text += fmt::format(
            "\n"
            "{} has all measurements so far; continue with --resume.\n",
            *options.cache);
    Attempts attempts;
    attempts.add_failure(tuner.error());
    if (!options.data_on_stdout())
        attempts.make([&] { print(text + isolation_note(options, tuner.environment())); });
    if (options.json)
        attempts.make([&] {
            std::vector<KernelResult> results;
            for (const Trial* trial : tuning.ranked()) results.push_back(trial->result);
            std::vector<Environment> environments;
            for (std::size_t i = 0; i < conversation.places(); ++i)
                environments.push_back(tuner.environment(i));
            write_output(*options.json, results_to_json(conversation.placed(environments), results));
        });
    if (options.t4) attempts.make([&] { write_output(*options.t4, t4_document(tuning.ranked())); });
    if (const CacheFile* cache = tuner.cache(); cache != nullptr && cache->waiting() > 0)
        attempts.add_failure(fmt::format("{}; {} missing in it", cache->trouble(),
                                         counted(cache->waiting(), "configuration")));
    const std::string failed = attempts.failures();
    if (!tuner.error().empty()) throw EnvironmentError(failed);
    if (!failed.empty()) throw BadInput(failed);
    if (conversation.interrupted()) return kExitInterrupted;
    return best != nullptr ? kExitGood : kExitVerdict;
}

}  // namespace kwb::cli
