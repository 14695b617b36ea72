// kwb tune.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "conversation.hpp"
#include "experiments.hpp"
#include "report/documents.hpp"
#include "report/numbers.hpp"
#include "report/text_layout.hpp"
#include "session/side_car.hpp"
#include "terminal.hpp"
#include "tune/cache_file.hpp"
#include "tune/kernel_tuner_files.hpp"
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

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

/// As Python prints it.
std::string utc_now() {
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    return fmt::format("{:%Y-%m-%d %H:%M:%S}+00:00", fmt::gmtime(now));
}

/// "40 s", "12 min", "3.5 h"
std::string rough_duration(double ms) {
    if (ms < 90e3) return fmt::format("{:.0f} s", ms / 1e3);
    return ms < 90 * 60e3 ? fmt::format("{:.0f} min", ms / 60e3) : fmt::format("{:.1f} h", ms / 3600e3);
}

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
          time_ms_(budget.time_ms),
          planned_(std::min(space.size(), budget.configurations.value_or(space.size()))) {}

    /// @param cache  gets what each run found; null: there is none
    Course run(Tuning& tuning, Conversation& conversation, CacheFile* cache) {
        Course course;
        recalled_ = tuning.tried();
        start_ = Clock::now();
        while (course.error.empty() && !conversation.interrupted()) {
            const std::vector<std::size_t>& configurations = tuning.next_run(ms_since(start_));
            if (configurations.empty()) break;
            const auto begun = Clock::now();
            const auto snapshot =
                conversation.run(request_for(configurations, tuning.is_final()), progress(tuning));
            if (snapshot->error.empty()) course.environment = snapshot->environment;
            std::vector<KernelResult> results = snapshot->results;
            for (std::size_t i = 0; i < results.size(); ++i)  // what cannot be planned has none
                results[i].params = space_.at(configurations[i]);
            const std::vector<const Trial*> taken =
                tuning.take(std::move(results),
                            conversation.interrupted() ? Tuning::End::Stopped
                            : snapshot->error.empty()  ? Tuning::End::Complete
                                                       : Tuning::End::JudgeFailed,
                            {utc_now(), ms_since(begun)});
            if (cache != nullptr) keep(*cache, taken, conversation.interrupted());
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

    static void keep(CacheFile& cache, std::vector<const Trial*> trials, bool is_stopped) {
        // A run that was stopped has few rounds of what it measured: --resume measures that again.
        if (is_stopped)
            std::erase_if(trials,
                          [](const Trial* trial) { return trial->cost_ms && !trial->result.ci95_ms; });
        const bool was_fine = cache.trouble().empty();
        cache.keep(trials);
        if (was_fine && !cache.trouble().empty())
            print_error("kwb: " + cache.trouble() + "; the tuning goes on, and tries again after each run\n");
    }

    std::string progress(const Tuning& tuning) const {
        std::string text = tuning.is_final() ? "the fastest once more"
                                             : fmt::format("{} of {} tried", tuning.tried(), planned_);
        const std::size_t done = tuning.tried() - recalled_;
        if (!tuning.is_final() && done > 0 && tuning.tried() < planned_) {
            const double elapsed_ms = ms_since(start_);
            double left_ms = elapsed_ms / double(done) * double(planned_ - tuning.tried());
            if (time_ms_) left_ms = std::clamp(*time_ms_ - elapsed_ms, 0.0, left_ms);
            text += fmt::format(", about {} left", rough_duration(left_ms));
        }
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
    std::optional<double> time_ms_;  ///< of the budget
    std::size_t planned_;
    std::size_t recalled_ = 0;
    Clock::time_point start_;
};

/// Of all files that decide what runs.
std::string source_hash(const KernelFile& kernel) {
    std::string text;
    for (const auto& file : files_of(kernel)) {
        std::error_code missing;  // a side-car, usually
        if (std::filesystem::exists(file, missing)) text += sha256_hex(read_file(file, kMostContentBytes));
    }
    return sha256_hex(text);
}

TunedCase tuned_case(const Options& options, const KernelFile& kernel, const Problem& problem,
                     const Sizes& sizes, const DeviceInfo& device, const ParamSpace& params) {
    const std::string words = own_option_words(options.own) + (options.experiment.xray ? "" : " --no-xray");
    TunedCase about;
    about.device_name = device.name;
    about.kernel_name = kernel.spec.launches.empty() ? kernel.spec.name : kernel.spec.launches.front().kernel;
    for (const auto& [name, size] : sizes) about.problem_size.push_back(size);
    about.params = params;
    about.identity = {{"problem", problem.name()},
                      {"source", source_hash(kernel)},
                      {"options", std::string(trim(words))},
                      {"driver", device.driver_version}};
    return about;
}

KernelResult blank_result(const KernelFile& kernel, const Problem& problem, const Sizes& sizes,
                          const DeviceInfo& device) {
    KernelResult blank;
    blank.kernel = kernel.spec.name;
    blank.file = kernel.spec.file;
    blank.source_sha256 = sha256_hex(kernel.spec.source_text);
    blank.problem = problem.name();
    blank.size = sizes;
    blank.device = device.id;
    return blank;
}

/// What --resume found.
std::string recalled_text(const std::string& file, const RecalledTrials& recalled) {
    std::string text =
        fmt::format("Resumed: {} from {}", counted(recalled.trials.size(), "configuration"), file);
    if (recalled.others > 0) text += fmt::format("; {} of other values, which stay there", recalled.others);
    if (recalled.damaged > 0) text += fmt::format("; {} dropped", counted(recalled.damaged, "damaged line"));
    return text + ".\n\n";
}

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
    const KernelFile& kernel = *experiment.contestants.front();
    const Space space(space_of(kernel, problem.at(sizes), device, experiment.choices));
    if (space.size() == 0)
        throw BadInput("nothing is left to tune: " + space_text(space, table) +
                       "allow other values with --param, or choose another size or device");
    std::optional<CacheFile> cache;
    if (options.cache) {
        const TunedCase about = tuned_case(options, kernel, problem, sizes, device, space.params());
        if (options.resume)
            cache.emplace(*options.cache, about, space, blank_result(kernel, problem, sizes, device));
        else
            cache.emplace(*options.cache, about);
    }
    tell(options,
         headline(problem, "size " + to_string(sizes), device, table) + space_text(space, table) + "\n");

    const auto strategy = make_strategy(options.strategy, space.size(), experiment.seed.value_or(kUsualSeed));
    Tuning tuning(*strategy, options.budget);
    if (options.resume) {
        tell(options, recalled_text(*options.cache, cache->recalled()));
        for (const Trial& trial : cache->recalled().trials) tuning.recall(trial);
    }
    const Course course = Tuner(experiment, problem, sizes, device, space, options.budget)
                              .run(tuning, conversation, cache ? &*cache : nullptr);
    if (tuning.tried() == 0 && course.interrupted) throw Interrupted{};
    if (tuning.tried() == 0) throw EnvironmentError(course.error);

    std::string text = tuning_text(tuning, space, table);
    const Trial* best = tuning.best();
    if (best != nullptr) text += "\nRun the best:\n  " + run_command(options, best->result.params) + "\n";
    if (course.interrupted && cache)
        text += fmt::format("\n{} holds what was measured; continue with --resume.\n", *options.cache);
    if (options.json) {
        std::vector<KernelResult> results;
        for (const Trial* trial : tuning.ranked()) results.push_back(trial->result);
        write_output(*options.json, results_to_json(course.environment, results));
    }
    if (options.t4) write_output(*options.t4, t4_document(tuning.ranked()));
    if (!options.data_on_stdout()) print(text + isolation_note(options, course.environment));
    if (!course.error.empty()) throw EnvironmentError(course.error);
    if (cache && cache->waiting() > 0)
        throw BadInput(fmt::format("{}; {} missing there", cache->trouble(),
                                   counted(cache->waiting(), "configuration")));
    if (course.interrupted) return kExitInterrupted;
    return best != nullptr ? kExitGood : kExitVerdict;
}

}  // namespace kwb::cli
