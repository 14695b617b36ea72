// SPDX-License-Identifier: Apache-2.0
// kwb ci: the kernels of a project, as a test runner runs tests.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "catalog/kernel_folders.hpp"
#include "ci/outcome.hpp"
#include "ci/suite.hpp"
#include "conversation.hpp"
#include "experiment/default_sizes.hpp"
#include "experiment/own_words.hpp"
#include "experiments.hpp"
#include "model/finding_words.hpp"
#include "outputs.hpp"
#include "report/numbers.hpp"
#include "report/problem_lines.hpp"
#include "report/text_layout.hpp"
#include "task/jobs.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace kwb::cli {
namespace fs = std::filesystem;
namespace {

constexpr const char* kCiFooter =
    "Reads kwb.toml in this folder or above, checks every kernel that it lists, as 'kwb check' does, and\n"
    "prints a line for each. With --against, what passed is also timed in turns with its earlier text, so "
    "that\n"
    "a baseline needs neither the same machine nor a quiet one; a kernel that did not change is not timed.\n"
    "Exit code 0: all tests passed. 1: one failed. 4: none failed, but for one the times are too noisy to\n"
    "tell.\n";

constexpr double kDefaultSlowerShare = 0.1;
/// Each for both kernels; the next one only if the times before were too noisy, or the kernel seemed slower.
constexpr double kCompareMs[] = {1000, 4000, 16'000};

struct CiOptions {
    struct Shard {
        std::size_t index = 1, count = 1;
    };
    std::vector<std::string> cases, tags;
    std::optional<std::string> file, matching, against;
    std::optional<double> slower_than;
    Shard shard;
    bool fail_fast = false, quiet = false, lists = false, init = false;
    std::optional<std::uint64_t> seed;
    JudgeOptions judge;
    OutputOptions outputs;

    void add(CLI::App& verb);
};

/// "2/4"
CiOptions::Shard parse_shard(const std::string& text) {
    const std::vector<std::string> parts = split(text, '/');
    const auto number = [](const std::string& part) { return whole("--shard", 1, 10'000)(part); };
    if (parts.size() != 2)
        throw BadInput(fmt::format("--shard '{}' must be a part of all: 2/4 for the second quarter", text));
    const CiOptions::Shard shard{number(parts[0]), number(parts[1])};
    if (shard.index > shard.count)
        throw BadInput(fmt::format("--shard {}: there are only {} parts", text, shard.count));
    return shard;
}

/// "10%", as a share.
double parse_share(const std::string& text) {
    const std::string number(trim(text.ends_with('%') ? text.substr(0, text.size() - 1) : text));
    char* end = nullptr;
    const double percent = std::strtod(number.c_str(), &end);
    if (number.empty() || *end != '\0' || !(percent >= 1 && percent <= 1000))
        throw BadInput(fmt::format("--slower-than '{}' must be from 1% to 1000%", text));
    return percent / 100;
}

void CiOptions::add(CLI::App& verb) {
    verb.add_option("CASE", cases, "names of cases in kwb.toml; default: all");
    add_text(verb, "--file", file, "F.toml", "read this file instead of kwb.toml");
    add_repeated(verb, "--tag", tags, "T", "only cases with this tag");
    add_text(verb, "-k", matching, "TEXT",
             "only tests whose name contains this text; --list shows the names");
    add_parsed(verb, "--shard", shard, "2/4", "only this part of the tests, to spread them over machines",
               parse_shard);
    verb.add_flag("--list", lists, "print the names of the tests, and run none");
    verb.add_flag("--fail-fast", fail_fast, "end at the first failure");
    verb.add_flag("--quiet", quiet, "print only tests that did not pass");
    add_text(verb, "--against", against, "DIR",
             "compare times with the kernels of an earlier state of this folder, e.g. of 'git worktree add "
             "DIR main'");
    add_parsed(
        verb, "--slower-than", slower_than, "10%",
        "with --against: a kernel fails if its time is longer by more than this, by the 95 % interval, "
        "in two measurements (10%)",
        parse_share);
    verb.add_flag("--init", init, "write a kwb.toml for the kernels in this folder and below");
    add_parsed(verb, "--seed", seed, "S", "repeat the inputs of an earlier run, from the seed in its JSON",
               whole("--seed", 0, UINT64_MAX));
    outputs.add(verb, "--junit", "write JUnit XML");
    outputs.add(verb, "--sarif", "write SARIF 2.1.0: what is wrong at which line");
    outputs.add_json(verb);
    judge.add(verb, kSharedWork);
}

struct Test {
    const CiCase* about;
    CiOutcome outcome;
    std::string kernel;           ///< a name, or an absolute path
    OpenedExperiment experiment;  ///< one kernel; none if the file cannot be used: see outcome.reason
};

/// The kernel of a case as its options describe it, a contestant for each choice of parameters.
/// @throws BadInput  the file cannot be used, or not like this
OpenedExperiment open_kernel(const CiCase& about, const CiSuite& suite, const std::string& kernel,
                             const CiOptions& options, const Folders& folders) {
    ExperimentOptions chosen;
    chosen.kernels = {kernel};
    chosen.experiment.check_only = true;
    chosen.experiment.timeout_ms = about.timeout_ms;
    chosen.experiment.seed = options.seed;
    std::vector<std::optional<KernelFile>> files = open_kernels({kernel}, folders);
    const auto read = [&](const char* option, const std::optional<std::string>& text) {
        if (text) read_own_option(option, *text, chosen.own);
    };
    if (about.problem)
        chosen.own.problem =
            names_problem_file(*about.problem) ? (suite.folder() / *about.problem).string() : *about.problem;
    chosen.own.build_options = about.build_options;
    read("--entry", about.entry);
    read("--args", about.args);
    read("--global", about.global);
    read("--local", about.local);
    for (const auto& [name, values] : about.params)
        chosen.experiment.choices.params.push_back({name, join(values, ",")});
    Notes notes;
    OpenedExperiment experiment = complete_experiment(chosen, std::move(files), options.outputs, notes);
    about.has_all_params ? expand_all_params(experiment) : expand_param_lists(experiment);
    return experiment;
}

std::string params_of(const OpenedExperiment& one) {
    if (!one.contestants.front()) return "";
    std::vector<std::string> texts;
    for (const auto& [name, value] :
         choices_for(one.own_choices.front(), one.contestants.front()->spec).params)
        texts.push_back(name + "=" + value);
    return join(texts, " ");
}

std::vector<Test> open_tests(const CiSuite& suite, const CiOptions& options, const Folders& folders) {
    std::vector<std::string> names;
    for (const CiCase& about : suite.cases) names.push_back(about.name);
    for (const std::string& wanted : options.cases)
        if (std::ranges::find(names, wanted) == names.end())
            throw BadInput(fmt::format("{} has no case \"{}\".{} Its cases: {}", suite.file.string(), wanted,
                                       did_you_mean(wanted, names), enumerate(names)));
    const auto has_any = [](const std::vector<std::string>& wanted, const std::vector<std::string>& all) {
        return wanted.empty() || std::ranges::find_first_of(wanted, all) != wanted.end();
    };
    std::vector<Test> tests;
    for (const CiCase& about : suite.cases) {
        if (!has_any(options.cases, {about.name}) || !has_any(options.tags, about.tags)) continue;
        for (const std::string& kernel : kernels_of(about, suite)) {
            CiOutcome outcome{about.name, kernel, "", ""};
            std::string file = kernel;
            if (fs::path(kernel).is_absolute()) {
                outcome.kernel = fs::path(kernel).lexically_relative(suite.folder()).string();
                const std::string below = fs::proximate(kernel).string();
                if (!below.starts_with("..")) file = below;
            }
            OpenedExperiment all;
            try {
                all = open_kernel(about, suite, file, options, folders);
            } catch (const BadInput& error) {
                outcome.reason = error.what();
                all.contestants = {std::nullopt};
                all.own_choices = {{}};
            }
            for (std::size_t i = 0; i < all.contestants.size(); ++i)
                for (const std::string& device :
                     about.devices.empty() ? std::vector<std::string>{""} : about.devices) {
                    Test test{&about, outcome, kernel, {}};
                    test.outcome.device = device;
                    if (outcome.reason.empty()) {
                        test.experiment = alone(all, i);
                        test.outcome.params = params_of(test.experiment);
                    }
                    if (!options.matching || test.outcome.name().find(*options.matching) != std::string::npos)
                        tests.push_back(std::move(test));
                }
        }
    }
    std::size_t index = 0;
    std::erase_if(tests,
                  [&](const Test&) { return index++ % options.shard.count + 1 != options.shard.index; });
    return tests;
}

/// Runs one test after another.
class TestRun {
public:
    TestRun(const CiSuite& suite, const CiOptions& options, const Folders& folders)
        : suite_(suite), options_(options), folders_(folders), conversation_(options.judge, judges_here()) {}

    /// @param headline  for progress
    void run(Test& test, const std::string& headline);

private:
    const std::vector<DeviceInfo>* find_devices(CiOutcome& outcome);
    std::vector<Job> checks_of(const Test& test, const Problem& problem, const DeviceInfo& device) const;
    void judge_checks(Test& test);
    std::optional<RunRequest> request_with_earlier(Test& test, const Problem& problem) const;
    void compare(Test& test, RunRequest request, const std::string& headline);
    Collected perform(std::vector<Job> jobs, const std::string& headline);

    const CiSuite& suite_;
    const CiOptions& options_;
    const Folders& folders_;
    Conversation conversation_;
    std::map<std::string, std::vector<DeviceInfo>> devices_;  ///< by what a case calls them
    const std::vector<DeviceInfo>* places_ = nullptr;         ///< of the test in progress
};

const std::vector<DeviceInfo>* TestRun::find_devices(CiOutcome& outcome) {
    const auto known = devices_.find(outcome.device);
    if (known != devices_.end()) return &known->second;
    const auto wanted = outcome.device.empty() ? std::nullopt : std::optional(outcome.device);
    if (wanted && !has_device(conversation_.list_devices(wanted), *wanted)) {
        outcome.reason =
            fmt::format("there is no device \"{}\" here; 'kwb devices' lists those there are", *wanted);
        return nullptr;
    }
    return &(devices_[outcome.device] = conversation_.choose_devices(wanted, true));
}

Collected TestRun::perform(std::vector<Job> jobs, const std::string& headline) {
    std::vector<Jobs::Place> places;
    for (std::size_t i = 0; i < places_->size(); ++i)
        places.push_back({conversation_.place(i).name, (*places_)[i]});
    Jobs task(std::move(jobs), std::move(places), headline);
    conversation_.perform(task);
    if (conversation_.interrupted()) throw Interrupted{};
    Collected all = task.collect(false);
    all.require_results();
    return all;
}

std::vector<Job> TestRun::checks_of(const Test& test, const Problem& problem,
                                    const DeviceInfo& device) const {
    std::vector<Job> jobs;
    if (test.about->sizes.empty())
        for (RunRequest& request : make_awkward_requests(test.experiment, problem, device).requests)
            jobs.push_back({std::move(request)});
    for (const std::string& size : test.about->sizes)
        jobs.push_back({make_request(test.experiment, problem, parse_sizes(problem, size), device)});
    return jobs;
}

void TestRun::judge_checks(Test& test) {
    CiOutcome& outcome = test.outcome;
    const std::optional<Verdict> wanted = test.about->expect;
    std::vector<const KernelResult*> faults;
    bool is_seen = false;
    for (KernelResult& result : outcome.results) {
        if (wanted && result.verdict == *wanted) {
            is_seen = true;
            result.expected = Expectation{{*wanted}, ""};  // so it is no fault of this kernel
        }
        if (!result.as_expected()) faults.push_back(&result);
    }
    if (!faults.empty())
        outcome.reason = fmt::format("{} at {} of {}", to_string(faults.front()->verdict), faults.size(),
                                     counted(outcome.results.size(), "size"));
    else if (wanted && !is_seen)
        outcome.reason = fmt::format("should be {} at some size, but is not", to_string(*wanted));
    outcome.state = outcome.reason.empty() ? CiState::Passed : CiState::Failed;
}

bool is_same_text(const KernelFile& one, const KernelFile& other) {
    const auto same = [](const auto& a, const auto& b) { return a.name == b.name && a.value == b.value; };
    return one.spec.source_text == other.spec.source_text &&
           std::ranges::equal(one.includes, other.includes, same) &&
           read_file(one.declared_in) == read_file(other.declared_in);
}

/// The kernel and its earlier text, to be timed in turns.
/// @return  nullopt: there is nothing to time, as outcome.reason says
std::optional<RunRequest> TestRun::request_with_earlier(Test& test, const Problem& problem) const {
    const fs::path folder = *options_.against;
    const fs::path earlier = folder / fs::path(test.kernel).lexically_relative(suite_.folder());
    std::error_code missing;
    if (!fs::path(test.kernel).is_absolute() || !fs::exists(earlier, missing)) {
        test.outcome.reason = "not compared: it is new";
        return std::nullopt;
    }
    CiCase about = *test.about;
    about.params.clear();  // those of this test follow
    about.has_all_params = false;
    OpenedExperiment both = test.experiment;
    const OpenedExperiment before =
        open_kernel(about, CiSuite{folder / kSuiteFile, {}}, earlier.string(), options_, folders_);
    if (is_same_text(*both.contestants.front(), *before.contestants.front())) {
        test.outcome.reason = "not compared: unchanged";
        return std::nullopt;
    }
    both.contestants.push_back(before.contestants.front());
    both.own_choices.push_back(both.own_choices.front());
    both.check_only = false;
    both.xray = false;  // the check has observed it
    const DeviceInfo& device = places_->front();
    RunRequest request = make_request(
        both, problem,
        about.time_at ? parse_sizes(problem, *about.time_at) : default_sizes_on(problem, &device), device);
    request.baseline = 1;
    request.interval_budget_ms = kDefaultIntervalBudgetMs;
    return request;
}

void TestRun::compare(Test& test, RunRequest request, const std::string& headline) {
    CiOutcome& outcome = test.outcome;
    const double limit = 1 + options_.slower_than.value_or(kDefaultSlowerShare);
    unsigned slower = 0;
    for (const double budget_ms : kCompareMs) {
        request.time_budget_ms = budget_ms;
        const std::vector<KernelResult> results = perform({{request, 0}}, headline).results();
        for (const std::size_t i : {0u, 1u})
            if (!is_good(results[i].verdict)) {
                outcome.state = i == 0 ? CiState::Failed : CiState::Passed;
                outcome.reason = fmt::format("{}{} at size {}, where it is timed",
                                             i == 0 ? "" : "not compared: its earlier text is ",
                                             to_string(results[i].verdict), to_string(results[i].size));
                if (i == 0) outcome.results.push_back(results[i]);
                return;
            }
        if (!results[0].speedup || !results[0].speedup->interval) continue;
        const Speedup& speedup = *results[0].speedup;
        const Interval longer{1 / speedup.interval->high, 1 / speedup.interval->low};
        outcome.time_ratio = Speedup{speedup.to, 1 / speedup.value, longer};
        if (longer.high <= limit) return;
        slower += longer.low > limit ? 1 : 0;
        if (slower < 2) continue;
        outcome.state = CiState::Failed;
        outcome.reason = "slower than before";
        return;
    }
    outcome.state = CiState::CannotTell;
    outcome.reason = "the times are too noisy to decide whether it became slower";
}

void TestRun::run(Test& test, const std::string& headline) {
    CiOutcome& outcome = test.outcome;
    if (test.experiment.contestants.empty()) {
        outcome.state = CiState::Failed;
        return;
    }
    places_ = find_devices(outcome);
    if (places_ == nullptr) return;
    const Stopwatch watch;
    try {
        const Problem& problem = common_problem(test.experiment.contestants, test.about->problem);
        outcome.results = perform(checks_of(test, problem, places_->front()), headline).results();
        judge_checks(test);
        if (outcome.state == CiState::Passed && options_.against)
            if (auto request = request_with_earlier(test, problem))
                compare(test, std::move(*request), headline);
    } catch (const BadInput& error) {
        const bool is_checked = outcome.state == CiState::Passed;  // the earlier text is at fault
        if (!is_checked) outcome.state = CiState::Failed;
        outcome.reason = fmt::format("{}{}", is_checked ? "not compared: " : "", error.what());
    }
    outcome.seconds = watch.ms() / 1000;
}

/// "ok    gemm/src/gemm.cl TILE=16   19 sizes, 1.03 (0.99 – 1.06) times as long as before   1.2 s"
std::string outcome_line(const CiOutcome& outcome, const TableOptions& options) {
    static constexpr std::pair<const char*, Tone> kWords[] = {
        {"ok  ", Tone::Good}, {"FAIL", Tone::Bad}, {"????", Tone::Warning}, {"skip", Tone::Plain}};
    const auto& [word, tone] = kWords[static_cast<std::size_t>(outcome.state)];
    std::vector<std::string> facts;
    if (outcome.state == CiState::Passed) facts.push_back(counted(outcome.results.size(), "size"));
    if (!outcome.reason.empty()) facts.push_back(outcome.reason);
    if (outcome.time_ratio) {
        const RatioTexts texts = ratio_texts(*outcome.time_ratio);
        facts.push_back(fmt::format("{} ({}) times as long as before", texts.value, texts.interval));
    }
    return fmt::format("{}  {}: {}, {:.1f} s\n", paint(word, tone, options), printable_line(outcome.name()),
                       printable_line(plain_signs(join(facts, ", "), options)), outcome.seconds);
}

std::string problem_text(const CiOutcome& outcome) {
    if (outcome.state != CiState::Failed) return "";
    std::string text;
    for (const std::string& line : split(problem_lines(outcome.results), '\n'))
        if (!line.empty()) text += line + "\n";
    return text;
}

/// @throws BadInput  kwb.toml exists
int write_suite(const CiOptions& options) {
    const fs::path file = options.file.value_or(kSuiteFile);
    std::error_code missing;
    if (fs::exists(file, missing))
        throw BadInput(file.string() +
                       " exists already; --init does not replace it. Edit it, or name another "
                       "one with --file");
    const fs::path folder = fs::absolute(file).parent_path();
    const CiCase all{.name = "all", .kernels = {"**/*.cl"}};
    std::vector<std::pair<std::string, std::string>> kernels;
    for (const std::string& kernel : kernels_of(all, CiSuite{folder / kSuiteFile, {}})) {
        const std::string path = fs::path(kernel).lexically_relative(folder).string();
        std::string problem;
        try {
            const KernelFile opened = open_kernel_file(kernel, path);
            problem = opened.own_problem ? opened.own_problem->name() : opened.spec.problem;
        } catch (const BadInput&) {  // listed as undeclared
        }
        kernels.push_back({path, problem});
    }
    write_file(file, suite_text(kernels));
    print(fmt::format("{} is written for {}; 'kwb ci' runs it.\n", file.string(),
                      counted(kernels.size(), "kernel file")));
    return kExitGood;
}

int run_suite(const CiOptions& options, const Folders& folders) {
    if (options.init) return write_suite(options);
    if (options.slower_than && !options.against)
        throw BadInput("--slower-than needs --against, which names the folder to compare with");
    std::error_code missing;
    if (options.against && !fs::is_directory(*options.against, missing))
        throw BadInput(fmt::format(
            "--against {}: there is no such folder; 'git worktree add {} main' makes one of the branch main",
            *options.against, *options.against));
    const CiSuite suite = read_suite(options.file ? fs::path(*options.file) : find_suite("."));
    options.outputs.refuse_equal();
    options.outputs.require_writable();
    std::vector<Test> tests = open_tests(suite, options, folders);
    if (options.lists) {
        std::string text;
        for (const Test& test : tests) text += printable_line(test.outcome.name()) + "\n";
        print(text);
        return kExitGood;
    }
    if (tests.empty()) throw BadInput("no test is left by these options; --list shows what they choose");
    const TableOptions table = table_options();
    const bool annotates = std::getenv("GITHUB_ACTIONS") != nullptr;
    const Stopwatch watch;
    std::vector<CiOutcome> outcomes;
    std::size_t counts[std::size(kEnumNames<CiState>)] = {};
    TestRun run(suite, options, folders);
    for (Test& test : tests) {
        run.run(test, fmt::format("{} of {}: {}", outcomes.size() + 1, tests.size(), test.outcome.name()));
        const CiOutcome& outcome = outcomes.emplace_back(std::move(test.outcome));
        ++counts[static_cast<std::size_t>(outcome.state)];
        if (outcome.state != CiState::Passed || !options.quiet)
            options.outputs.tell(outcome_line(outcome, table) + problem_text(outcome));
        if (annotates) options.outputs.tell(outcome_annotations(outcome));
        if (outcome.state == CiState::Failed && options.fail_fast) break;
    }
    const auto [passed, failed, unclear, skipped] = counts;
    std::vector<std::string> words = {fmt::format("{} of {} passed", passed, tests.size())};
    if (failed > 0) words.push_back(fmt::format("{} failed", failed));
    if (unclear > 0) words.push_back(fmt::format("{} too noisy to decide", unclear));
    if (skipped > 0) words.push_back(fmt::format("{} skipped", skipped));
    if (outcomes.size() < tests.size())
        words.push_back(fmt::format("{} not run", tests.size() - outcomes.size()));
    options.outputs.tell(fmt::format("{}, {:.1f} s\n", join(words, ", "), watch.ms() / 1000));
    OutputWriter writer(options.outputs);
    writer.write("--junit", [&] { return outcomes_to_junit(outcomes); });
    writer.write("--sarif", [&] { return outcomes_to_sarif(outcomes); });
    writer.write("--json", [&] { return outcomes_to_json(outcomes); });
    writer.finish(skipped == tests.size() ? "no test ran, because their devices are missing" : "");
    return failed > 0 ? kExitVerdict : unclear > 0 ? kExitCannotTell : kExitGood;
}

}  // namespace

Verb add_ci(CLI::App& kwb) {
    return add_verb<CiOptions>(
        kwb, {"ci", "test the kernels of a project, and whether they became slower", kCiFooter}, run_suite);
}

}  // namespace kwb::cli
