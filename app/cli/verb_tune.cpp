// kwb tune.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "base/error.hpp"
#include "base/text.hpp"
#include "conversation.hpp"
#include "experiments.hpp"
#include "report/documents.hpp"
#include "report/numbers.hpp"
#include "report/text_layout.hpp"
#include "session/side_car.hpp"
#include "terminal.hpp"
#include "tune/space.hpp"
#include "tune/tuning.hpp"
#include "tune_text.hpp"

namespace kwb::cli {
namespace {

/// Unless the user gave a budget. Less than that of `kwb run`, because most configurations are far from the
/// best; the fastest are measured again.
constexpr double kConfigurationBudgetMs = 200;
constexpr double kConfigurationIntervalMs = 2000;

/// Of the random order, unless the user gave one.
constexpr std::uint64_t kUsualSeed = 1;

struct Course {
    Environment environment;
    std::string error;  ///< why it ended early; empty if it did not
    bool interrupted = false;
};

KernelChoices choices_of(const KernelChoices& all, const ParamChoice& params) {
    KernelChoices choices = all;
    choices.params.clear();
    for (const auto& [name, value] : params) choices.params.push_back({name, to_string(value)});
    return choices;
}

class Tuner {
public:
    Tuner(const Experiment& experiment, const Problem& problem, const Sizes& sizes, const DeviceInfo& device,
          const Space& space, const TuneBudget& budget)
        : experiment_(experiment),
          problem_(problem),
          sizes_(sizes),
          device_(device),
          space_(space),
          planned_(std::min(space.size(), budget.configurations.value_or(space.size()))) {}

    Course run(Tuning& tuning, Conversation& conversation) {
        Course course;
        const auto start = std::chrono::steady_clock::now();
        while (course.error.empty() && !conversation.interrupted()) {
            const std::chrono::duration<double, std::milli> elapsed =
                std::chrono::steady_clock::now() - start;
            const std::vector<std::size_t>& configurations = tuning.next_run(elapsed.count());
            if (configurations.empty()) break;
            const auto snapshot =
                conversation.run(request_for(configurations, tuning.is_final()), progress(tuning));
            if (snapshot->error.empty()) course.environment = snapshot->environment;
            tuning.take(snapshot->results, conversation.interrupted() ? Tuning::End::Stopped
                                           : snapshot->error.empty()  ? Tuning::End::Complete
                                                                      : Tuning::End::JudgeFailed);
            if (tuning.is_hopeless()) course.error = snapshot->error;
        }
        course.interrupted = conversation.interrupted();
        return course;
    }

private:
    /// @throws Refused  none of the first configurations can be planned
    RunRequest request_for(const std::vector<std::size_t>& configurations, bool is_final) {
        Experiment run = experiment_;
        run.contestants.assign(configurations.size(), experiment_.contestants.front());
        for (const std::size_t i : configurations)
            run.own_choices.push_back(choices_of(experiment_.choices, space_.at(i)));
        if (!experiment_.keeps_refused) keep_refused(run, problem_, sizes_, device_);
        experiment_.keeps_refused = true;  // from now on, a configuration that cannot be planned costs itself
        RunRequest request = make_request(run, problem_, sizes_, device_);
        if (!is_final && !run.rounds && !run.time_budget_ms) {
            request.time_budget_ms = kConfigurationBudgetMs;
            request.interval_budget_ms = kConfigurationIntervalMs;
        }
        return request;
    }

    std::string progress(const Tuning& tuning) const {
        std::string text = tuning.is_final() ? "the fastest once more"
                                             : fmt::format("{} of {} tried", tuning.tried(), planned_);
        if (const Trial* best = tuning.best())
            text += fmt::format(", best {} ({})", format_time_ms(*best->cost_ms),
                                params_text(best->result.params));
        return text;
    }

    Experiment experiment_;
    const Problem& problem_;
    const Sizes& sizes_;
    const DeviceInfo& device_;
    const Space& space_;
    std::size_t planned_;
};

/// The command that runs this configuration.
std::string run_command(const Options& options, const ParamChoice& params) {
    std::string command = "kwb run " + quote_for_shell(options.kernels.front());
    const auto add = [&](const char* option, const std::optional<std::string>& value) {
        if (value) command += fmt::format(" {} {}", option, quote_for_shell(*value));
    };
    for (const auto& folder : options.folders) add("--kernels", folder.string());
    add("--device", options.device);
    add("--size", options.size);
    add("--problem", options.own.problem);
    command += own_option_words(options.own);
    for (const auto& [name, value] : params) add("--param", name + "=" + to_string(value));
    return command + (options.experiment.choices.force_params ? " --force" : "");
}

/// To standard output, or to standard error if that carries data.
void tell(const Options& options, const std::string& text) {
    options.data_on_stdout() ? print_error(text) : print(text);
}

}  // namespace

int tune_kernel(const Options& options) {
    if (options.kernels.front() == kHostBlasName)
        throw BadInput(std::string(kHostBlasName) + " has no parameters to tune; name a kernel");
    Notes notes;
    const Experiment experiment = open_experiment(options, notes);
    const Problem& problem = common_problem(experiment.contestants, options.own.problem);
    print_notes(options, experiment, notes);
    const Sizes sizes = options.size ? parse_sizes(problem, *options.size) : problem.default_sizes();

    Conversation conversation(options);
    const DeviceList devices = conversation.list_devices(options.device);
    const DeviceInfo& device = choose_device(devices, options.device);
    const TableOptions table = table_options();
    const Space space(
        space_of(*experiment.contestants.front(), problem.at(sizes), device, experiment.choices));
    if (space.size() == 0)
        throw BadInput("nothing is left to tune: " + space_text(space, table) +
                       "allow other values with --param, or choose another size or device");
    tell(options,
         headline(problem, "size " + to_string(sizes), device, table) + space_text(space, table) + "\n");

    const auto strategy = make_strategy(options.strategy, space.size(), experiment.seed.value_or(kUsualSeed));
    Tuning tuning(*strategy, options.budget);
    const Course course =
        Tuner(experiment, problem, sizes, device, space, options.budget).run(tuning, conversation);
    if (tuning.tried() == 0 && course.interrupted) throw Interrupted{};
    if (tuning.tried() == 0) throw EnvironmentError(course.error);

    std::string text = tuning_text(tuning, space, table);
    const Trial* best = tuning.best();
    if (best != nullptr) text += "\nRun the best:\n  " + run_command(options, best->result.params) + "\n";
    if (options.json) {
        std::vector<KernelResult> results;
        for (const Trial* trial : tuning.ranked()) results.push_back(trial->result);
        write_output(*options.json, results_to_json(course.environment, results));
    }
    if (!options.data_on_stdout()) print(text + isolation_note(options, course.environment));
    if (!course.error.empty()) throw EnvironmentError(course.error);
    if (course.interrupted) return kExitInterrupted;
    return best != nullptr ? kExitGood : kExitVerdict;
}

}  // namespace kwb::cli
