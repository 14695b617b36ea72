// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <span>
#include <sstream>
#include <string_view>

#include "base/error.hpp"
#include "base/record.hpp"
#include "base/text.hpp"
#include "experiment/own_words.hpp"
#include "parse_errors.hpp"
#include "terminal.hpp"
#include "version_text.hpp"

namespace kwb::cli {
namespace {

constexpr const char* kAbout =
    "Kernel Workbench: find out why one OpenCL kernel is faster than another, and whether it is right.\n"
    "Every result is checked against an independent reference, and every time comes with its uncertainty.";

constexpr const char* kExamples =
    "Examples\n"
    "  kwb learn 1                                    the first lesson: an exercise with blanks\n"
    "  kwb run matmul/naive matmul/tiled              check both, and time them on the best device\n"
    "  kwb run matmul/tiled --size 1000 --param TILE=8\n"
    "  kwb run my_kernel.cl cpu:blas                  your own file against the CPU's BLAS library\n"
    "  kwb sweep matmul/naive matmul/tiled --sizes 64,128,256,512\n"
    "  kwb run matmul/naive matmul/tiled --report out.html    a page with charts, to keep\n"
    "  kwb tune matmul/tiled --size 1000              find the fastest parameter values\n"
    "  kwb run matmul/tiled --on \"ssh gpubox kwb-judge\"    on another machine's device\n"
    "  kwb check my_kernel.cl                         test it at the sizes where kernels fail\n"
    "  kwb check their_kernel.cl --foreign            an untrusted kernel, isolated\n"
    "  kwb xray matmul/naive matmul/tiled             what each line reads and writes, side by side\n"
    "  kwb new matmul my_kernel.cl                    start a kernel\n"
    "  kwb run mine.cl --problem matmul --local 16x16    a file without front matter\n"
    "  kwb adopt mine.cl --problem matmul --local 16x16  save these options in mine.cl.toml\n"
    "  kwb grade submissions/ --rubric rubric.toml    points and a page for each student\n"
    "\n"
    "Exit codes\n"
    "  0    every verdict is correct, or the one that the kernel's [expect] announces\n"
    "  1    another verdict, or a kernel that was skipped\n"
    "  2    invalid input, so that nothing ran; or an output that could not be written at the end\n"
    "  3    no usable device or environment\n"
    "  130  interrupted";

/// The heading of each verb in `kwb --help`; headings are in the order in which parse_options() adds verbs.
constexpr std::pair<const char*, const char*> kHeadings[] = {
    {"learn", "Learn"},
    {"kernels", "Learn"},
    {"show", "Learn"},
    {"docs", "Learn"},
    {"run", "Measure"},
    {"sweep", "Measure"},
    {"tune", "Measure"},
    {"check", "Look into a kernel"},
    {"xray", "Look into a kernel"},
    {"new", "Write your own"},
    {"adopt", "Write your own"},
    {"grade", "Teach"},
    {"gui", "Window and environment"},
    {"devices", "Window and environment"},
    {"doctor", "Window and environment"},
};

const std::string kVerbFooter =
    "--kernels DIR adds a folder of kernels, before the built-in ones; 'kwb --help' has examples.";

const std::string kTimingFooter =
    "In each round every kernel takes one turn, in random order, so that clock drift affects all alike.\n"
    "The time is the median over rounds, followed by a 95 % confidence interval of the median within\n"
    "this run.\n"
    "Exit code 0: every verdict is correct, or is what the kernel's own [expect] declares\n"
    "('kwb check --help').\n" +
    kVerbFooter;

const std::string kCheckFooter =
    "Exit code 0: every verdict is correct or, for a kernel that is shipped because it is wrong\n"
    "(kernels/published), is what its [expect] declares for that size. 1: some verdict is not. This\n"
    "includes such a kernel being right at a size at which it should be wrong.\n" +
    kVerbFooter;

const std::string kXrayFooter =
    "The kernel's own source runs on the CPU under observation; if all work-groups would take too long, a\n"
    "sample of whole work-groups runs. Two kernels are shown side by side.\n"
    "Exit code 1: something is undefined: a data race, a barrier that not all work-items reach, a read of\n"
    "uninitialised memory, an out-of-bounds access.\n" +
    kVerbFooter;

const std::string kGradeFooter =
    "Each submission is untrusted: what its file declares about problem, costs or expectations is ignored.\n"
    "Checks run in parallel. Then each submission is timed, one at a time, in turns with the reference.\n"
    "Exit code 0: everything was graded, whatever the points are.\n" +
    kVerbFooter;

const std::string kTuneFooter =
    "Tries every configuration of the listed values that meets the file's [require] and the device's\n"
    "limits, a few at a time, each time with the best so far. The fastest then run once more against each\n"
    "other, beyond the budget. Each is checked as by 'kwb run'. A crash, a hang or a wrong answer costs\n"
    "only that configuration. With --cache F, an interruption loses at most the run in progress; --resume\n"
    "continues.\n"
    "Exit code 0: there is a best configuration; 1: none is correct.\n" +
    kVerbFooter;

constexpr const char* kDocsFooter =
    "Needs no network. Without a display it starts $BROWSER in the terminal if that is set, and otherwise\n"
    "prints the page's path. Where the pages for the browser are not built ('./workbench docs' in a clone\n"
    "builds them), it prints the path of the text, as in: less \"$(kwb docs xray)\".\n"
    "Exit code 0: a page was opened, or its path printed; 2: no page is about that topic.";

const std::string kLearnFooter =
    "Your progress is kept in course.jsonl in the data folder ($XDG_DATA_HOME/kwb, or else\n"
    "~/.local/share/kwb). Watching ends when the exercise is solved, or with Ctrl-C.\n"
    "Exit code 0: solved, or shown; 1: not solved yet.\n" +
    kVerbFooter;

constexpr const char* kKernelHelp = "a name from 'kwb kernels', the path of a .cl file, or cpu:blas";

/// The options; values that are parsed last are kept as typed.
struct Raw {
    Options options;
    std::vector<std::string> params;
    std::string time_budget, timeout, observe, rounds, seed, lanes, strategy, budget, wait;
    bool no_xray = false;
    std::optional<std::string> sizes;
    OwnWords own;
};

std::uint64_t parse_whole(const std::string& option, const std::string& text, std::uint64_t least,
                          std::uint64_t most) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value < least || value > most)
        throw BadInput(option + " " + text + ": give a whole number from " + std::to_string(least) + " to " +
                       std::to_string(most));
    return value;
}

Named<std::string> parse_param(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == text.size())
        throw BadInput("--param " + text + ": give NAME=VALUE, e.g. --param TILE=8");
    return {text.substr(0, equals), text.substr(equals + 1)};
}

std::vector<std::string> split_sizes(const std::string& text) {
    if (trim(text).empty()) throw BadInput("--sizes is empty; give some sizes, e.g. --sizes 64,128,256");
    return split(text, ',');
}

/// "500ms", "1s", "2.5s", "2min", "1h" → milliseconds; a bare number is seconds.
double parse_duration_ms(const std::string& option, const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string_view unit = std::string_view(text).substr(static_cast<std::size_t>(end - text.data()));
    const double scale = unit == "ms"                  ? 1
                         : unit == "s" || unit.empty() ? 1000
                         : unit == "min"               ? 60'000
                         : unit == "h"                 ? 3'600'000
                                                       : 0;
    if (error != std::errc{} || scale == 0 || !(value > 0) || !std::isfinite(value))
        throw BadInput(option + " " + text +
                       ": give a time above 0, e.g. 500ms, 2s, 1min or 1h; a bare number is seconds");
    return value * scale;
}

/// "200" configurations, or a time with its unit.
TuneBudget parse_budget(const std::string& text) {
    if (text.find_first_not_of("0123456789") == std::string::npos)
        return {parse_whole("--budget", text, 1, 1'000'000'000), {}};
    try {
        // A bare number such as 1.5 would be seconds.
        if (std::isalpha(static_cast<unsigned char>(text.back())) == 0) throw BadInput("no unit");
        return {{}, parse_duration_ms("--budget", text)};
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

/// @param type  what the help shows for the value
template <class T>
CLI::Option* add_unchecked(CLI::App& verb, const char* name, T& value, const char* type,
                           const std::string& help) {
    return verb.add_option(name, value, help)->type_name(type);
}

/// An option whose value must not be empty.
template <class T>
CLI::Option* add(CLI::App& verb, const char* name, T& value, const char* type, const std::string& help) {
    return add_unchecked(verb, name, value, type, help)
        ->check([](const std::string& given) { return given.empty() ? "give a value" : ""; }, "");
}

/// An option that takes one value each time it is given; a kernel name after it is not a second value.
template <class T>
CLI::Option* add_repeated(CLI::App& verb, const char* name, std::vector<T>& values, const char* type,
                          const std::string& help) {
    return add(verb, name, values, type, help + "; may be repeated")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
}

CLI::App& add_verb(CLI::App& app, Raw& raw, const char* name, int (*verb)(const Options&), const char* help) {
    CLI::App* sub = app.add_subcommand(name, help);
    sub->footer(kVerbFooter);  // otherwise the examples would be repeated
    sub->final_callback([&raw, verb] { raw.options.verb = verb; });
    return *sub;
}

void add_json(CLI::App& verb, Raw& raw) {
    add(verb, "--json", raw.options.json, "F", "also write JSON to this file; - is standard output");
}

// Several --on, by verb.
constexpr const char* kEachPlace = "; with several, the same runs at each";
constexpr const char* kSharedWork = "; several of one kind share the work";

/// For all verbs that start a judge.
/// @param several what several --on options do
void add_judge(CLI::App& verb, Raw& raw, const char* several = "") {
    add_repeated(verb, "--on", raw.options.on, "PLACE", "")
        ->description(std::string("use the devices of another place: a command that starts kwb-judge, e.g. "
                                  "\"ssh gpubox kwb-judge\", or a name from [places] in the settings") +
                      several);
    add(verb, "--wait", raw.wait, "10s",
        "with --on: longest time for the judge to start, e.g. in a cluster's queue (10s)");
    verb.add_flag(
        "--no-sandbox", raw.options.no_sandbox,
        "let kernels access files, the network and other processes; for drivers that fail in the sandbox");
}

/// Options of all verbs that plan launches of kernels.
void add_planning(CLI::App& verb, Raw& raw) {
    Options& options = raw.options;
    add_unchecked(verb, "--device", options.device, "D",
                  "the device: an id from 'kwb devices', its number in that list (from 0), cpu, gpu, or part "
                  "of its name; default: the best");
    add_own_options(verb, raw.own);
    add_repeated(verb, "--param", raw.params, "TILE=8", "set a compile-time parameter of the kernels");
    verb.add_flag("--force", options.experiment.choices.force_params,
                  "allow parameter values that the kernel's file does not list");
}

/// Options of all verbs that check kernels.
/// @param several what several --on options do
void add_judging(CLI::App& verb, Raw& raw, const char* several) {
    verb.add_flag("--no-xray", raw.no_xray, "skip the undefined-behaviour check (see 'kwb xray')");
    add_judge(verb, raw, several);
    add(verb, "--timeout", raw.timeout, "30s",
        "longest time for one build or one launch, in ms, s, min or h; a bare number is seconds (30s)");
    add_json(verb, raw);
}

void add_explain(CLI::App& verb, Raw& raw) {
    verb.add_flag(
        "--explain", raw.options.explain,
        "for a kernel whose file declares it wrong, also explain why; by default, that is for you to find");
}

/// Options of all verbs that run kernels to compare them.
/// @param several what several --on options do
void add_running(CLI::App& verb, Raw& raw, const char* several) {
    Options& options = raw.options;
    verb.add_option("KERNEL", options.kernels, kKernelHelp)->required();
    add_planning(verb, raw);
    add_judging(verb, raw, several);
    verb.add_flag("--foreign", options.experiment.foreign,
                  "judge untrusted kernels strictly: discard each compiler cache, ignore the files' "
                  "[expect], flops, moves and [problem], and compare times with what the device can do");
    add(verb, "--seed", raw.seed, "S",
        "repeat the inputs of an earlier run, from the seed that it reported; default: an unpredictable "
        "seed");
    add(verb, "--csv", options.csv, "F", "also write CSV to this file; - is standard output");
    add_explain(verb, raw);
}

void add_rounds(CLI::App& verb, Raw& raw, const char* time_budget_help) {
    add(verb, "--time-budget", raw.time_budget, "1s", time_budget_help);
    add(verb, "--rounds", raw.rounds, "N",
        "run exactly this many rounds, instead of until the intervals are narrow");
}

/// Options of all verbs that compare times.
void add_timing(CLI::App& verb, Raw& raw) {
    verb.footer(kTimingFooter);
    verb.get_option("--param")->description(
        "set a compile-time parameter of the kernels; TILE=8,16 adds one contestant per value; may be "
        "repeated");
    add(verb, "--report", raw.options.report, "F",
        "also write an HTML page with charts and sources to this file; - is standard output");
    add_rounds(verb, raw,
               "time for each kernel's rounds, in ms, s, min or h; a bare number is seconds; default: 1s, "
               "and up to 20s for the 6 rounds that an interval needs");
    add(verb, "--baseline", raw.options.experiment.baseline, "K",
        "the kernel that speed-ups are relative to: one of the kernels, or cpu:blas, which is added if not "
        "named; default: the first kernel");
}

void add_environment_verbs(CLI::App& app, Raw& raw) {
    CLI::App& devices = add_verb(app, raw, "devices", list_devices, "list OpenCL devices with their limits");
    add_json(devices, raw);
    add_judge(devices, raw);
    add_judge(add_verb(app, raw, "doctor", examine_machine,
                       "check the installation and the sandbox, and suggest remedies"),
              raw);
}

void add_looking_verbs(CLI::App& app, Raw& raw) {
    add_json(add_verb(app, raw, "kernels", list_kernels, "list the kernels that come with the workbench"),
             raw);
    CLI::App& show =
        add_verb(app, raw, "show", show_kernel, "show a kernel: its idea, parameters, launch and source");
    show.add_option("KERNEL", raw.options.kernels, kKernelHelp)->required()->expected(1);
    add_own_options(show, raw.own);
    add_explain(show, raw);
}

void add_tune(CLI::App& app, Raw& raw) {
    CLI::App& tune = add_verb(app, raw, "tune", tune_kernel,
                              "find the fastest of the parameter values that a kernel's file lists");
    tune.add_option(
            "KERNEL", raw.options.kernels,
            "a name from 'kwb kernels', or the path of a .cl file; with --t1, default: its KernelFile")
        ->expected(1);
    add_planning(tune, raw);
    tune.get_option("--param")
        ->type_name("TILE=8,16")
        ->description(
            "try only these values of a parameter; other parameters take all values that the file lists; may "
            "be repeated");
    add(tune, "--size", raw.options.size, "512", "problem size: 512, or M x N x K as 512x256x1024");
    add(tune, "--strategy", raw.strategy, "model",
        "exhaustive: in the order of the file; random: in random order; climb, anneal: near the fastest so "
        "far; model: those that a model of the times predicts to be fast. Default: exhaustive, or model if "
        "the --budget may not be enough for all");
    add(tune, "--budget", raw.budget, "60s",
        "end after this time (ms, s, min, h), or this many configurations");
    add(tune, "--seed", raw.seed, "S",
        "seed of the random order and of the inputs; default: always the same order, and unpredictable "
        "inputs");
    add_rounds(tune, raw,
               "time for each configuration's rounds; default: 200ms, and up to 2s for the 6 rounds that an "
               "interval needs; for the fastest, at the end, as in 'kwb run'");
    add_judging(tune, raw, kSharedWork);
    add(tune, "--cache", raw.options.cache, "F",
        "save every configuration to this file as soon as its run ends; Kernel Tuner can read the file, too");
    tune.add_flag("--resume", raw.options.resume,
                  "continue from the --cache file, which may come from Kernel Tuner")
        ->needs("--cache");
    add(tune, "--t4", raw.options.t4, "F",
        "also write Kernel Tuner's T4 document to this file; - is standard output");
    add(tune, "--t1", raw.options.t1, "F",
        "take parameters and conditions from this T1 file of Kernel Tuner; also kernel, launch, size, "
        "strategy and budget, unless the kernel's file or other options set them");
    CLI::Option* list = tune.add_flag("--list", raw.options.list,
                                      "only list the configurations that would be tried, one per line");
    for (const char* option : {"--json", "--cache", "--t4"}) list->excludes(option);
    tune.footer(kTuneFooter);
}

void add_running_verbs(CLI::App& app, Raw& raw) {
    CLI::App& run =
        add_verb(app, raw, "run", run_kernels, "check kernels, then time them against each other");
    add_running(run, raw, kEachPlace);
    add_timing(run, raw);
    add(run, "--size", raw.options.size, "512", "problem size: 512, or M x N x K as 512x256x1024");
    run.add_flag("--check", raw.options.experiment.unreadable_pages,
                 "before timing, also check for out-of-bounds accesses, as 'kwb check' does (CPU devices)");
    add(run, "--save-outputs", raw.options.save_outputs, "DIR",
        "also write each kernel's outputs to this folder, as .npy files for NumPy, and pictures as .png too");
    add(run, "--freeze", raw.options.freeze, "DIR",
        "for a problem without a reference: write the outputs to this folder, as what later runs are "
        "compared with")
        ->excludes("--save-outputs");

    CLI::App& sweep =
        add_verb(app, raw, "sweep", run_kernels, "time kernels against each other at several sizes");
    add_running(sweep, raw, kSharedWork);
    add_timing(sweep, raw);
    add_unchecked(sweep, "--sizes", raw.sizes, "64,128,256", "sizes, separated by commas")->required();

    CLI::App& check =
        add_verb(app, raw, "check", check_kernels,
                 "test kernels at the sizes where they fail: 1, primes, tile edges, long and thin");
    add_running(check, raw, kEachPlace);
    check.footer(kCheckFooter);
    add(check, "--size", raw.options.size, "512", "check only at this size");

    add_tune(app, raw);

    CLI::App& xray = add_verb(app, raw, "xray", xray_kernels,
                              "show what each line reads and writes, and find undefined behaviour");
    xray.add_option("KERNEL", raw.options.kernels, "a name from 'kwb kernels', or the path of a .cl file")
        ->required()
        ->expected(1, 2);
    add_planning(xray, raw);
    add_judge(xray, raw);
    add(xray, "--size", raw.options.size, "512", "problem size: 512, or M x N x K as 512x256x1024");
    add(xray, "--lanes", raw.lanes, "32",
        "work-items per sub-group: 8, 16, 32 or 64; default: that of the --target GPUs if they agree, "
        "otherwise 32");
    xray.add_option(
            "--target", raw.options.targets,
            "also compile for this GPU, which you need not have: its compiler's name (gfx906, sm_80), part "
            "of its name (a100), or all; shows registers, occupancy and the shortest possible time; device: "
            "the machine code of the device itself, if it is a CPU under PoCL; may be repeated")
        ->type_name("GPU")
        ->delimiter(',')
        ->expected(1)
        ->take_all();
    add(xray, "--timeout", raw.observe, "5s",
        "longest time to observe a kernel, not counting compilation; increase it on a slow machine (5s)");
    xray.add_flag("--assembly", raw.options.assembly, "with --target: also print the machine code");
    add_json(xray, raw);
    add(xray, "--report", raw.options.report, "F",
        "also write an HTML page with the tables to this file; - is standard output");
    xray.footer(kXrayFooter);
}

void add_learn(CLI::App& app, Raw& raw) {
    CLI::App& verb = add_verb(app, raw, "learn", learn,
                              "take a lesson; without a name: list the lessons and your progress");
    verb.add_option("LESSON", raw.options.learn,
                    "its number or name: copies the exercise into this folder, if you have not begun it, and "
                    "re-checks it on every save; or word TERM: the meaning of a term; or word: all terms");
    CLI::Option* story = verb.add_flag("--story", raw.options.story, "only print the lesson text");
    CLI::Option* hint =
        verb.add_flag("--hint", raw.options.hint, "only print the next hint; there are three");
    CLI::Option* solution = verb.add_flag("--show-solution", raw.options.solution,
                                          "only print a solution, even if you have not solved it");
    CLI::Option* once = verb.add_flag("--once", raw.options.once, "check the exercise once, then exit");
    story->excludes(hint)->excludes(solution)->excludes(once);
    hint->excludes(solution)->excludes(once);
    solution->excludes(once);
    verb.add_option("--predict", raw.options.predict, "answer a question of the lesson; may be repeated")
        ->type_name("NAME=ANSWER")
        ->allow_extra_args(false)
        ->excludes(story)
        ->excludes(hint)
        ->excludes(solution)
        ->excludes(once);
    add(verb, "--language", raw.options.language, "L",
        "language of the lesson texts: en or zh (lessons 1 to 6); default: that of the locale");
    add_unchecked(verb, "--device", raw.options.device, "D", "the device, as in 'kwb run'");
    add(verb, "--lessons", raw.options.lessons, "DIR", "the folder of another course");
    CLI::Option* verify = add(verb, "--verify", raw.options.verify, "DIR",
                              "for authors: test a lesson, or all lessons of a course: the solution solves "
                              "the exercise, the unchanged exercise does not, each mistake is recognised, "
                              "each prediction's answer is right, and links and words resolve");
    for (const char* option :
         {"LESSON", "--story", "--hint", "--show-solution", "--once", "--predict", "--language", "--lessons"})
        verify->excludes(option);
    verb.footer(kLearnFooter);
}

void add_grade(CLI::App& app, Raw& raw) {
    CLI::App& verb =
        add_verb(app, raw, "grade", grade_submissions, "grade the submissions of a class by a rubric");
    verb.add_option("DIR", raw.options.submissions,
                    "a folder with one folder, kernel file or archive per student, or the archive from a "
                    "learning platform")
        ->required();
    add(verb, "--rubric", raw.options.rubric, "R.toml", "the criteria and their points")->required();
    add(verb, "--roster", raw.options.roster, "F.csv",
        "the class, so that missing submissions are listed, too; a Moodle grading worksheet or a Canvas "
        "gradebook is filled in by --csv");
    add_unchecked(verb, "--device", raw.options.device, "D", "the device, as in 'kwb run'");
    add(verb, "--csv", raw.options.csv, "F", "write points and faults, one row per student");
    add(verb, "--junit", raw.options.junit, "F", "write JUnit XML");
    add(verb, "--classroom", raw.options.classroom, "F", "write the JSON of the GitHub Classroom autograder");
    add(verb, "--report", raw.options.pages, "DIR",
        "write one page per student, and index.html for the teacher");
    verb.add_flag("--resume", raw.options.resume,
                  "continue where the same command ended: results for unchanged files are reused");
    add_judge(verb, raw, kSharedWork);
    verb.footer(kGradeFooter);
}

/// Verbs that write a file but run nothing.
void add_writing_verbs(CLI::App& app, Raw& raw) {
    CLI::App& adopt = add_verb(app, raw, "adopt", adopt_kernel,
                               "save the options for a kernel next to it, in FILE.cl.toml");
    adopt.add_option("FILE", raw.options.kernels, "a .cl file without a front matter")
        ->required()
        ->expected(1);
    add_own_options(adopt, raw.own);
    adopt.add_flag("--force", raw.options.overwrite, "replace an existing FILE.cl.toml");

    CLI::App& fresh = add_verb(app, raw, "new", write_new_kernel,
                               "write a kernel with blanks to fill in; with --from: declare a problem");
    fresh.add_option("PROBLEM", raw.own.problem, "the problem to solve, e.g. matmul");
    fresh.add_option("FILE", raw.options.new_file, "the file to write, e.g. my_kernel.cl");
    CLI::Option* solved =
        fresh.add_flag("--solved", raw.options.solved, "without blanks: a kernel that is already right");
    CLI::Option* from = add(fresh, "--from", raw.options.from, "THEIRS.cl",
                            "instead, draft the declaration of the problem that this file solves, next to "
                            "it, from the kernel's arguments");
    from->excludes(solved);
    add(fresh, "--entry", raw.own.entry, "NAME", "with --from: its kernel function, if it has several");
    add_repeated(fresh, "-D", raw.own.defines, "NAME=VALUE",
                 "with --from: a macro that the kernel's host program defined");
}

void add_docs(CLI::App& app, Raw& raw) {
    CLI::App& docs = add_verb(app, raw, "docs", open_documentation, "open the documentation in the browser");
    docs.add_option(
        "TOPIC", raw.options.topic,
        "a page's name, or words of a title or heading: xray, front-matter, verdicts; default: the "
        "first page");
    docs.footer(kDocsFooter);
}

void add_gui(CLI::App& app, Raw& raw) {
    CLI::App& gui = add_verb(app, raw, "gui", open_window, "open the window");
    gui.add_option("FILE", raw.options.kernels, "kernel files (.cl) or experiments (.kwb) to open");
    const auto pass_on = [&](const std::string& name, const char* help) {
        return gui.add_option_function<std::string>(
            name,
            [&raw, name](const std::string& value) {
                raw.options.window.insert(raw.options.window.end(), {name, value});
            },
            help);
    };
    pass_on("--theme", "dark or light (as the last time)")->check(CLI::IsMember({"dark", "light"}));
    pass_on("--scale", "size of everything, 0.75 to 2.5 (as the last time)")->check(CLI::Range(0.75, 2.5));
    pass_on("--judge", "the judge's program and arguments")->group("");  // for tests
}

void finish(Raw& raw) {
    Options& options = raw.options;
    Experiment& experiment = options.experiment;
    options.own = read_own_words(raw.own);
    if (raw.own.local && options.own.has_plain_local())
        choose_local(experiment.choices, join(options.own.local, "x"));
    for (const std::string& param : raw.params) experiment.choices.params.push_back(parse_param(param));
    if (!raw.time_budget.empty())
        experiment.time_budget_ms = parse_duration_ms("--time-budget", raw.time_budget);
    if (!raw.timeout.empty()) experiment.timeout_ms = parse_duration_ms("--timeout", raw.timeout);
    if (!raw.observe.empty()) options.observe_ms = parse_duration_ms("--timeout", raw.observe);
    if (!raw.wait.empty()) options.wait_ms = parse_duration_ms("--wait", raw.wait);
    if (raw.sizes) options.sizes = split_sizes(*raw.sizes);
    if (options.device && trim(*options.device).empty())
        throw BadInput(
            "--device is empty; 'kwb devices' lists the devices, and without the option the best one is "
            "used");
    if (!raw.rounds.empty())
        experiment.rounds = static_cast<std::uint32_t>(parse_whole("--rounds", raw.rounds, 1, 1'000'000));
    if (!raw.strategy.empty()) options.strategy = parse_strategy(raw.strategy);
    if (!raw.budget.empty()) options.budget = parse_budget(raw.budget);
    if (!raw.seed.empty()) experiment.seed = parse_whole("--seed", raw.seed, 0, UINT64_MAX);
    experiment.xray = !raw.no_xray;
    if (!raw.lanes.empty()) {
        if (raw.lanes != "8" && raw.lanes != "16" && raw.lanes != "32" && raw.lanes != "64")
            throw BadInput("--lanes " + raw.lanes + ": give 8, 16, 32 or 64");
        options.lanes = static_cast<std::uint32_t>(std::stoul(raw.lanes));
    }
    if (options.verb == tune_kernel && options.kernels.empty() && !options.t1)
        throw BadInput(
            "kwb tune needs a kernel: a name from 'kwb kernels', the path of a .cl file, or --t1 with a T1 "
            "file of Kernel Tuner");
    const bool takes_several = options.verb == run_kernels || options.verb == check_kernels ||
                               options.verb == tune_kernel || options.verb == grade_submissions;
    if (!raw.wait.empty() && options.on.empty())
        throw BadInput("--wait " + raw.wait + ": works only with --on; add --on PLACE, or leave --wait out");
    if (options.on.size() > 1 && !takes_several)
        throw BadInput(
            "--on: this verb takes one place; only kwb run, sweep, check, tune and grade take several");
    if (options.cache == "-") throw BadInput("--cache -: give a file, so that --resume can read it");
    experiment.keep_outputs = options.save_outputs || options.freeze;
    std::vector<std::string> on_stdout;
    for (const auto& [option, file] : options.outputs())
        if (file == "-") on_stdout.push_back(option + " -");
    if (on_stdout.size() > 1)
        throw BadInput(enumerate(on_stdout) + " cannot " + (on_stdout.size() == 2 ? "both" : "all") +
                       " go to standard output; write all but one of them to a file");
}

}  // namespace

NamedList<std::string> Options::outputs() const {
    NamedList<std::string> given;
    if (json) given.push_back({"--json", *json});
    if (csv) given.push_back({"--csv", *csv});
    if (report) given.push_back({"--report", *report});
    if (t4) given.push_back({"--t4", *t4});
    if (cache) given.push_back({"--cache", *cache});
    if (junit) given.push_back({"--junit", *junit});
    if (classroom) given.push_back({"--classroom", *classroom});
    return given;
}

bool Options::data_on_stdout() const {
    return std::ranges::any_of(outputs(), [](const auto& output) { return output.value == "-"; });
}

std::optional<Options> parse_options(int argc, char** argv) {
    Raw raw;
    CLI::App app(kAbout, "kwb");
    app.footer(kExamples);
    app.require_subcommand(1);
    app.set_version_flag("--version", version_text);
    add_repeated(app, "--kernels", raw.options.folders, "DIR",
                 "a folder with kernels, before the built-in ones");
    app.fallthrough();
    add_learn(app, raw);
    add_looking_verbs(app, raw);
    add_docs(app, raw);
    add_running_verbs(app, raw);
    add_writing_verbs(app, raw);
    add_grade(app, raw);
    add_gui(app, raw);
    add_environment_verbs(app, raw);
    for (const auto& [verb, heading] : kHeadings) app.get_subcommand(verb)->group(heading);

    const std::span<char* const> words(argv + 1, argv + argc);
    const bool asks_help = !words.empty() && std::string_view(words.front()) == "help";
    if (words.empty() || asks_help) {
        print(help_on(app, words.subspan(asks_help ? 1 : 0)));
        return std::nullopt;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& wanted) {  // --help, --version
        std::ostringstream text;
        app.exit(wanted, text, text);
        print(text.str());
        return std::nullopt;
    } catch (const CLI::ParseError& error) {
        refuse(error, app, words);
    }
    finish(raw);
    return raw.options;
}

}  // namespace kwb::cli
