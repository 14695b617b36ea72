// SPDX-License-Identifier: Apache-2.0
// kwb ci: the kernels of a project, as a test runner runs tests.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "catalog/kernel_folders.hpp"
#include "ci/history.hpp"
#include "experiment/own_words.hpp"
#include "experiment/side_car.hpp"
#include "model/finding_words.hpp"
#include "outputs.hpp"
#include "report/numbers.hpp"
#include "report/problem_lines.hpp"
#include "report/text_layout.hpp"
#include "suite_run.hpp"
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

struct CiOptions : SuiteRunOptions {
    struct Shard {
        std::size_t index = 1, count = 1;
    };
    std::vector<std::string> cases, tags;
    std::optional<std::string> file, matching;
    Shard shard;
    bool fail_fast = false, quiet = false, lists = false, init = false;

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
    add_text(verb, "--record", record, "F",
             "also time every kernel that passes, and keep the times of the last 50 runs in F, for --report");
    add_parsed(
        verb, "--slower-than", slower_than, "10%",
        "with --against: a kernel fails if its time is longer by more than this, by the 95 % interval, "
        "and by the medians of two measurements (10%)",
        parse_share);
    verb.add_flag("--init", init, "write a kwb.toml for the kernels in this folder and below");
    add_parsed(verb, "--seed", seed, "S", "repeat the inputs of an earlier run, from the seed in its JSON",
               whole("--seed", 0, UINT64_MAX));
    outputs.add(verb, "--junit", "write JUnit XML");
    outputs.add(verb, "--sarif", "write SARIF 2.1.0: what is wrong at which line");
    outputs.add(verb, "--report", "write a page (HTML); with --record, it shows the times of the last runs");
    outputs.add_json(verb);
    judge.add(verb, kSharedWork);
}

std::string params_of(const OpenedExperiment& one) {
    if (!one.contestants.front()) return "";
    std::vector<std::string> texts;
    for (const auto& [name, value] :
         choices_for(one.own_choices.front(), one.contestants.front()->spec).params)
        texts.push_back(name + "=" + value);
    return join(texts, " ");
}

/// @throws BadInput  a size does not suit the problem
void require_sizes(const CiCase& about, const CiSuite& suite, const OpenedExperiment& experiment) {
    std::vector<std::string> sizes = about.sizes;
    if (about.time_at) sizes.push_back(*about.time_at);
    for (const std::string& size : sizes) try {
            parse_sizes(common_problem(experiment.contestants, about.problem), size);
        } catch (const BadInput& error) {
            throw BadInput(fmt::format("{}: case \"{}\": size \"{}\": {}", suite.file.string(), about.name,
                                       size, error.what()));
        }
}

std::vector<SuiteTest> open_tests(const CiSuite& suite, const CiOptions& options, const Folders& folders) {
    std::vector<std::string> names;
    for (const CiCase& about : suite.cases) names.push_back(about.name);
    for (const std::string& wanted : options.cases)
        if (std::ranges::find(names, wanted) == names.end())
            throw BadInput(fmt::format("{} has no case \"{}\".{} Its cases: {}", suite.file.string(), wanted,
                                       did_you_mean(wanted, names), enumerate(names)));
    const auto has_any = [](const std::vector<std::string>& wanted, const std::vector<std::string>& all) {
        return wanted.empty() || std::ranges::find_first_of(wanted, all) != wanted.end();
    };
    std::vector<SuiteTest> tests;
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
            if (outcome.reason.empty()) require_sizes(about, suite, all);
            for (std::size_t i = 0; i < all.contestants.size(); ++i)
                for (const std::string& device :
                     about.devices.empty() ? std::vector<std::string>{""} : about.devices) {
                    SuiteTest test{&about, outcome, kernel, {}};
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
                  [&](const SuiteTest&) { return index++ % options.shard.count + 1 != options.shard.index; });
    return tests;
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
    if (!fs::is_directory(folder, missing)) throw BadInput(folder.string() + ": there is no such folder");
    const CiCase all{.name = "all", .kernels = {"**/*.cl"}};
    std::vector<std::pair<std::string, std::string>> kernels;
    std::vector<std::string> files;
    try {
        files = kernels_of(all, CiSuite{folder / kSuiteFile, {}});
    } catch (const BadInput&) {
        throw BadInput(
            fmt::format("no kernel file (.cl) in {} or below; 'kwb new' writes one", folder.string()));
    }
    std::size_t tested = 0;
    for (const std::string& kernel : files) {
        const std::string path = fs::path(kernel).lexically_relative(folder).string();
        std::string problem;
        try {
            const KernelFile opened = open_kernel_file(kernel, path);
            problem = opened.own_problem ? opened.own_problem->name() : opened.spec.problem;
        } catch (const BadInput&) {  // listed as undeclared
        }
        tested += problem.empty() ? 0 : 1;
        kernels.push_back({path, problem});
    }
    if (tested == 0)
        throw BadInput(
            fmt::format("no kernel file in {} or below declares what it computes; 'kwb adopt FILE' "
                        "adds that",
                        folder.string()));
    write_file(file, suite_text(kernels));
    print(fmt::format("{0} is written for {1}; 'kwb ci{2}' runs it.\n", file.string(),
                      counted(tested, "kernel file"),
                      options.file ? " --file " + quote_for_shell(*options.file) : ""));
    if (tested < kernels.size())
        print(fmt::format("{} not tested yet; the file says why.\n",
                          kernels.size() - tested == 1
                              ? "1 more is"
                              : std::to_string(kernels.size() - tested) + " more are"));
    return kExitGood;
}

/// @throws BadInput  an output would replace what this command reads
void refuse_outputs_over_inputs(const CiOptions& options, const CiSuite& suite,
                                const std::vector<SuiteTest>& tests) {
    NamedList<std::string> outputs = options.outputs.files();
    if (options.record) {
        for (const auto& [option, file] : outputs)
            if (is_same_file(file, *options.record))
                throw BadInput(fmt::format("{} {} and --record are the same file; give each a separate file",
                                           option, file));
        outputs.push_back({"--record", *options.record});
    }
    for (const auto& [option, file] : outputs)
        if (is_same_file(file, suite.file))
            throw BadInput(
                fmt::format("{} {}: would replace the list of tests; give it another name", option, file));
    for (const SuiteTest& test : tests)
        for (const auto& kernel : test.experiment.contestants)
            if (kernel) refuse_outputs_over(options.outputs, *kernel);
}

/// Whether the folder of --against has any of the kernels: a wrong one has none, as has one before the first.
bool has_earlier(const CiOptions& options, const CiSuite& suite, const std::vector<SuiteTest>& tests) {
    return std::ranges::any_of(tests, [&](const SuiteTest& test) {
        std::error_code missing;
        const fs::path earlier = fs::path(test.kernel).lexically_relative(suite.folder());
        return !fs::path(test.kernel).is_absolute() ||
               fs::exists(fs::path(*options.against) / earlier, missing);
    });
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
    if (options.record) require_times_file(*options.record);
    std::vector<SuiteTest> tests = open_tests(suite, options, folders);
    if (options.lists) {
        std::string text;
        for (const SuiteTest& test : tests) text += printable_line(test.outcome.name()) + "\n";
        print(text);
        return kExitGood;
    }
    if (tests.empty()) throw BadInput("no test is left by these options; --list shows what they choose");
    refuse_outputs_over_inputs(options, suite, tests);
    if (options.against && !has_earlier(options, suite, tests))
        print_error(fmt::format(
            "kwb: warning: {} has none of these kernels, so that nothing is compared. It should be "
            "an earlier state of {}\n",
            *options.against, suite.folder().lexically_normal().string()));
    const TableOptions table = table_options();
    const bool annotates = std::getenv("GITHUB_ACTIONS") != nullptr;
    const Stopwatch watch;
    std::vector<CiOutcome> outcomes;
    std::size_t counts[std::size(kEnumNames<CiState>)] = {};
    SuiteRun run(suite, options, folders);
    bool is_interrupted = false;
    for (SuiteTest& test : tests) {
        try {
            run.run(test,
                    fmt::format("{} of {}: {}", outcomes.size() + 1, tests.size(), test.outcome.name()));
        } catch (const Interrupted&) {
            if (outcomes.empty()) throw;
            is_interrupted = true;
            break;
        }
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
        words.push_back(fmt::format("{} not run{}", tests.size() - outcomes.size(),
                                    is_interrupted ? ", because of the interruption" : ""));
    options.outputs.tell(fmt::format("{}, {:.1f} s\n", join(words, ", "), watch.ms() / 1000));
    OutputWriter writer(options.outputs);
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    std::vector<TestTimes> times;
    if (options.record)
        writer.attempt(
            [&] { times = record_times(*options.record, outcomes, now.time_since_epoch().count()); });
    writer.write("--report", [&] {
        return outcomes_page(outcomes, times,
                             fmt::format("{}, {:%Y-%m-%d %H:%M} UTC", suite.file.lexically_normal().string(),
                                         fmt::gmtime(now)));
    });
    writer.write("--junit", [&] { return outcomes_to_junit(outcomes); });
    writer.write("--sarif", [&] { return outcomes_to_sarif(outcomes); });
    writer.write("--json", [&] { return outcomes_to_json(outcomes); });
    if (is_interrupted) {
        if (const std::string failures = writer.failures(); !failures.empty())
            print_error("kwb: " + failures + '\n');
        return kExitInterrupted;
    }
    writer.finish(skipped == tests.size() ? "no test ran, because their devices are missing" : "");
    return failed > 0 ? kExitVerdict : unclear > 0 ? kExitCannotTell : kExitGood;
}

}  // namespace

Verb add_ci(CLI::App& kwb) {
    return add_verb<CiOptions>(
        kwb, {"ci", "test the kernels of a project, and whether they became slower", kCiFooter}, run_suite);
}

}  // namespace kwb::cli
