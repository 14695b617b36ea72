// SPDX-License-Identifier: Apache-2.0
// kwb: the command-line program.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <cctype>
#include <exception>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "conversation.hpp"
#include "terminal.hpp"
#include "verb.hpp"

namespace kwb::cli {

/// add_NAME(), which a file verb_*.cpp defines.
#define KWB_VERB(name)                  \
    [](CLI::App& kwb) {                 \
        Verb add_##name(CLI::App& kwb); \
        return add_##name(kwb);         \
    }

/// The verbs and their headings, in the order of `kwb --help`.
constexpr std::pair<const char*, Verb (*)(CLI::App&)> kVerbs[] = {
    {"Learn", KWB_VERB(learn)},
    {"Learn", KWB_VERB(kernels)},
    {"Learn", KWB_VERB(show)},
    {"Learn", KWB_VERB(docs)},
    {"Measure", KWB_VERB(run)},
    {"Measure", KWB_VERB(why)},
    {"Measure", KWB_VERB(sweep)},
    {"Measure", KWB_VERB(tune)},
    {"Look into a kernel", KWB_VERB(check)},
    {"Look into a kernel", KWB_VERB(xray)},
    {"Look into a kernel", KWB_VERB(debug)},
    {"Look into a program", KWB_VERB(profile)},
    {"Look into a program", KWB_VERB(capture)},
    {"Look into a kernel", KWB_VERB(ci)},
    {"Write your own", KWB_VERB(adopt)},
    {"Write your own", KWB_VERB(new)},
    {"Teach", KWB_VERB(grade)},
    {"Window and environment", KWB_VERB(gui)},
    {"Window and environment", KWB_VERB(devices)},
    {"Window and environment", KWB_VERB(doctor)},
};

namespace {

constexpr const char* kAbout =
    "Kernel Workbench: find out why one OpenCL kernel is faster than another, and whether it is right.\n"
    "Every result is checked against an independent reference, and every time comes with its uncertainty.";

constexpr const char* kExamples =
    "Examples\n"
    "  kwb learn 1                                    the first lesson: an exercise with blanks\n"
    "  kwb run matmul/naive matmul/tiled              check both, and time them on the best device\n"
    "  kwb why matmul/naive matmul/tiled --size 1024  why one of them is faster, measured\n"
    "  kwb run matmul/tiled --size 1000 --param TILE=8\n"
    "  kwb run my_kernel.cl cpu:blas                  your own file against the CPU's BLAS library\n"
    "  kwb sweep matmul/naive matmul/tiled --sizes 64,128,256,512\n"
    "  kwb run matmul/naive matmul/tiled --report out.html    a page with charts, to keep\n"
    "  kwb tune matmul/tiled --size 1000              find the fastest parameter values\n"
    "  kwb run matmul/tiled --on \"ssh gpubox kwb-judge\"    on another machine's device\n"
    "  kwb check my_kernel.cl                         test it at the sizes where kernels fail\n"
    "  kwb check their_kernel.cl --foreign            an untrusted kernel, isolated\n"
    "  kwb xray matmul/naive matmul/tiled             what each line reads and writes, side by side\n"
    "  kwb debug matmul/tiled --lane 5,3              step through a work-group with its values\n"
    "  kwb profile ./program                          where any OpenCL program spends its time\n"
    "  kwb capture -o launches ./program              its kernels as files, with their buffers\n"
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

[[noreturn]] void refuse_verb(const std::string& word, const CLI::App& app) {
    std::vector<std::string> verbs;
    for (const CLI::App* verb : app.get_subcommands({})) verbs.push_back(verb->get_name());
    throw BadInput(fmt::format("unknown verb '{}'.{} The verbs are {}; 'kwb --help' explains them", word,
                               did_you_mean(word, verbs), enumerate(verbs)));
}

/// "--json" of --json=F, "-D" of -DTILE=8; empty for any other word.
std::string option_name(std::string_view word) {
    if (word.starts_with("--") && word.size() > 2) return std::string(word.substr(0, word.find('=')));
    const bool is_short =
        word.size() > 1 && word[0] == '-' && std::isalpha(static_cast<unsigned char>(word[1])) != 0;
    return is_short ? std::string(word.substr(0, 2)) : "";
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from);
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// The parser's error as a sentence with a remedy, if it is about an option or a surplus word.
std::string explain(const CLI::ParseError& error, const CLI::App& app,
                    const std::vector<const CLI::Option*>& options) {
    const std::string message = error.what();
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
        return fmt::format("unexpected extra word '{}'", app.remaining(true).front());
    if (dynamic_cast<const CLI::ExcludesError*>(&error) != nullptr)
        return replaced(message, " excludes ", " and ") + " cannot be combined; leave one of them out";
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) == nullptr) return message;
    const auto named = std::ranges::find(options, message.substr(0, message.find(':')),
                                         [](const CLI::Option* option) { return option->get_name(); });
    if (named == options.end()) return message;
    const CLI::Option& option = **named;
    const std::size_t given = option.results().size();
    const int most = option.get_expected_max();
    if (given == 0)
        return fmt::format("{0} needs a value, as in {0} {1}: {2}", option.get_name(), option.get_type_name(),
                           option.get_description());
    return option.get_positional()
               ? fmt::format("{}: {} given, but at most {} {} allowed", option.get_name(), given, most,
                             most == 1 ? "is" : "are")
               : fmt::format("{} is given twice; leave one of them out", option.get_name());
}

/// `kwb help`, `kwb help run`
/// @param words  what follows `help`
/// @throws BadInput if there is no such verb, or more than one word
std::string help_on(const CLI::App& app, std::span<char* const> words) {
    if (words.empty()) return app.help();
    const std::string word = words.front();
    if (words.size() > 1)
        throw BadInput(fmt::format("kwb help {} {}: give one verb at a time", word, words[1]));
    for (const CLI::App* verb : app.get_subcommands({}))
        if (verb->get_name() == word) return verb->help("kwb");
    refuse_verb(word, app);
}

}  // namespace

void refuse_words(const CLI::ParseError& error, const CLI::App& app, std::span<char* const> words) {
    const CLI::App* const verb = app.get_subcommands().empty() ? nullptr : app.get_subcommands().front();
    std::vector<const CLI::Option*> options = app.get_options();  // which may follow the verb
    if (verb != nullptr)
        for (const CLI::Option* option : verb->get_options()) options.push_back(option);
    std::vector<std::string> known;
    for (const CLI::Option* option : options)
        if (const std::string name = option->get_name();
            !option->get_positional() && std::ranges::find(known, name) == known.end())
            known.push_back(name);
    const std::string help = verb != nullptr ? "'kwb " + verb->get_name() + " --help'" : "'kwb --help'";
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string word = words[i], name = option_name(word);
        if (word == "--") break;
        const bool is_known = std::ranges::find(known, name) != known.end() || name == "-h";
        if (!name.empty() && !is_known)
            throw BadInput(
                fmt::format("unknown option {}.{} {} lists them", name, did_you_mean(name, known), help));
        if (!name.empty() && word == "--kernels") ++i;  // its folder
        if (name.empty() && verb == nullptr) refuse_verb(word, app);
    }
    if (verb == nullptr) throw BadInput(fmt::format("no verb given; {} lists the verbs", help));
    throw BadInput(fmt::format("{}. See {}", explain(error, app, options), help));
}

namespace {

/// @return  the exit code
int run_command(int argc, char** argv) {
    CLI::App app(kAbout, "kwb");
    app.footer(kExamples);
    app.require_subcommand(1);
    app.set_version_flag("--version", version_text);
    Folders folders;
    add_repeated(app, "--kernels", folders, "DIR", "a folder with kernels, before the built-in ones");
    app.fallthrough();
    std::vector<Verb> verbs;
    for (const auto& [heading, add] : kVerbs) verbs.emplace_back(add(app)).app->group(heading);

    const std::span<char* const> words(argv + 1, argv + argc);
    const bool asks_help = !words.empty() && std::string_view(words.front()) == "help";
    if (words.empty() || asks_help) {
        print(help_on(app, words.subspan(asks_help ? 1 : 0)));
        return kExitGood;
    }
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& wanted) {  // --help, --version
        std::ostringstream text;
        app.exit(wanted, text, text);
        print(text.str());
        return kExitGood;
    } catch (const CLI::ParseError& error) {
        refuse_words(error, app, words);
    }
    return std::ranges::find_if(verbs, [](const Verb& verb) { return verb.app->parsed(); })->run(folders);
}

}  // namespace
}  // namespace kwb::cli

using namespace kwb;

int main(int argc, char** argv) {
    ::signal(SIGPIPE, SIG_IGN);  // if a judge dies, or with `| head`, write reports an error instead
    const auto complain = [](const std::exception& error) {
        cli::print_error(std::string("kwb: ") + error.what() + "\n");
    };
    try {
        return cli::run_command(argc, argv);
    } catch (const cli::Interrupted&) {
        cli::print_error("kwb: interrupted before any result was ready\n");
        return cli::kExitInterrupted;
    } catch (const BadInput& error) {
        complain(error);
        return cli::kExitBadInput;
    } catch (const std::exception& error) {
        complain(error);
        return cli::kExitEnvironment;
    }
}
