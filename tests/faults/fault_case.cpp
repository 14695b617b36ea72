// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "catalog/front_matter.hpp"
#include "catalog/kernel_file.hpp"
#include "experiment/check_names.hpp"
#include "experiment/opened_experiment.hpp"
#include "faults/fault_case.hpp"
#include "problems/problem.hpp"
#include "report/notes.hpp"

namespace kwb::test {

namespace fs = std::filesystem;

namespace {

template <class Number>
Number parse_number(const std::string& option, std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
        throw BadInput(option + " " + std::string(text) + ": no number");
    return value;
}

/// "300ms", "2s"
double parse_timeout_ms(const std::string& text) {
    const bool milliseconds = text.ends_with("ms");
    if (!text.ends_with('s')) throw BadInput("--timeout " + text + ": write it as 300ms or 2s");
    const std::string_view number = std::string_view(text).substr(0, text.size() - (milliseconds ? 2 : 1));
    return parse_number<double>("--timeout", number) * (milliseconds ? 1 : 1000);
}

void parse_local(KernelChoices& choices, const std::string& text) {
    if (text == "auto") {
        choices.local_auto = true;
        return;
    }
    choices.local.emplace();
    for (const std::string& piece : split(text, 'x'))
        choices.local->push_back(parse_number<std::uint64_t>("--local", piece));
}

void parse_param(KernelChoices& choices, const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) throw BadInput("--param " + text + ": write it as NAME=VALUE");
    choices.params.push_back({text.substr(0, equals), text.substr(equals + 1)});
}

std::vector<std::string> words_of(std::string_view line) {
    std::vector<std::string> words = split(line, ' ');
    std::erase(words, "");
    return words;
}

void parse_options(Recipe& recipe, const std::vector<std::string>& words) {
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string& word = words[i];
        const auto value = [&]() -> const std::string& {
            if (i + 1 == words.size()) throw BadInput(word + " needs a value");
            return words[++i];
        };
        if (word == "--size")
            recipe.size = value();
        else if (word == "--param")
            parse_param(recipe.choices, value());
        else if (word == "--local")
            parse_local(recipe.choices, value());
        else if (word == "--seed")
            recipe.seed = parse_number<std::uint64_t>(word, value());
        else if (word == "--rounds")
            recipe.rounds = parse_number<std::uint32_t>(word, value());
        else if (word == "--timeout")
            recipe.timeout_ms = parse_timeout_ms(value());
        else if (word == "--check")
            recipe.unreadable_pages = true;
        else if (word == "--foreign")
            recipe.foreign = true;
        else if (word == "--no-xray")
            recipe.xray = false;
        else
            throw BadInput("unknown word '" + word +
                           "'; there are --size, --param, --local, --seed, --rounds, --timeout, --check, "
                           "--foreign and --no-xray");
    }
}

/// The lines of the recipe without the leading slashes.
std::vector<std::string> recipe_lines(std::string_view kernel) {
    std::vector<std::string> lines;
    for (const std::string& line : split_lines(kernel)) {
        if (line.starts_with(lines.empty() ? "// kwb " : "//"))
            lines.emplace_back(trim(std::string_view(line).substr(2)));
        else if (!lines.empty())
            break;
    }
    if (lines.empty())
        throw BadInput(
            "has no recipe; add '// kwb check --size 17x19x23' and, in the lines after it, what is expected");
    return lines;
}

/// "needs x86_64"
std::optional<std::string> parse_processor(const std::string& line) {
    const std::vector<std::string> words = words_of(line);
    if (words.empty() || words[0] != "needs") return std::nullopt;
    if (words.size() != 2) throw BadInput("'" + line + "': write it as 'needs x86_64'");
    return words[1];
}

}  // namespace

Recipe parse_recipe(std::string_view command) {
    const std::vector<std::string> words = words_of(command);
    if (words.empty()) throw BadInput("the recipe says nothing; write e.g. 'kwb check --size 17x19x23'");
    if (words.front() != "check" && words.front() != "run")
        throw BadInput("unknown verb '" + words.front() + "'; there are check and run");
    Recipe recipe;
    recipe.check_only = words.front() == "check";
    parse_options(recipe, words);
    recipe.choices.checking = recipe.check_only;
    if (recipe.size.empty()) throw BadInput("the recipe names no --size");
    // Otherwise the number of rounds depends on the time budget, and warnings about noise appear at random.
    if (!recipe.check_only && !recipe.rounds) throw BadInput("'run' needs --rounds");
    if (recipe.check_only && (recipe.rounds || recipe.unreadable_pages))
        throw BadInput("--rounds and --check belong to 'run'");
    return recipe;
}

std::vector<CaseSource> cases_in(const fs::path& folder) {
    std::vector<CaseSource> cases;
    for (const auto& entry : fs::directory_iterator(folder)) {
        if (!entry.is_regular_file()) continue;
        CaseFile file = read_case_file(entry.path());
        const std::string shared = extract_front_matter(entry.path().string(), file.shared).value_or("");
        for (CaseText& text : file.cases) {
            const fs::path kernel = folder / (text.name + ".cl");
            const bool is_complete = text.text.find("/*+++") != std::string::npos;
            cases.push_back({std::move(text), kernel, is_complete ? std::string() : shared});
        }
    }
    std::ranges::sort(cases, {}, &CaseSource::name);
    return cases;
}

FaultCase read_fault_case(const CaseSource& source) {
    FaultCase fault{source, {}, {}, {}};
    try {
        std::vector<std::string> lines = recipe_lines(fault.text);
        fault.recipe = parse_recipe(std::string_view(lines.front()).substr(std::string_view("kwb").size()));
        lines.erase(lines.begin());
        if (const auto processor = lines.empty() ? std::nullopt : parse_processor(lines.front())) {
            fault.processor = *processor;
            lines.erase(lines.begin());
        }
        require_expectations(lines);
        fault.expected = std::move(lines);
    } catch (const BadInput& error) {
        throw BadInput(fault.name + ": " + error.what());
    }
    return fault;
}

void require_known(std::string_view wanted, const std::vector<std::string>& names) {
    for (const std::string& pattern : split(wanted, ','))
        if (std::ranges::none_of(names, [&](const std::string& name) { return matches(pattern, name); }))
            throw BadInput("KWB_FAULT_CASE: no case is called '" + pattern + "'");
}

RunRequest make_request(const FaultCase& fault, const DeviceInfo& device) {
    const Recipe& recipe = fault.recipe;
    OpenedExperiment experiment;
    EditedTexts texts;
    if (!fault.text.empty()) texts.put(fault.file, fault.text);
    if (!fault.declarations.empty()) texts.put(fault.file.string() + ".toml", fault.declarations);
    const KernelFile file = open_kernel_file(fault.file, fault.name, texts);
    if (!file.spec.launches.empty()) check_names(file);
    experiment.contestants = {file};
    experiment.choices = recipe.choices;
    experiment.seed = recipe.seed;
    experiment.xray = recipe.xray;
    experiment.rounds = recipe.rounds;
    experiment.timeout_ms = recipe.timeout_ms;
    experiment.check_only = recipe.check_only;
    const Problem& problem = common_problem(experiment.contestants);
    RunRequest request = make_request(experiment, problem, parse_sizes(problem, recipe.size), device);
    request.unreadable_pages = recipe.unreadable_pages;
    request.contestants.front().kernel->trust = recipe.foreign ? Trust::Foreign : Trust::Own;
    return request;
}

namespace {

constexpr std::array<const char*, 8> kWords = {"refusal", "verdict", "reason", "diagnostic",
                                               "hint",    "warning", "output", "exit"};

std::string to_string(Severity severity) {
    switch (severity) {
        case Severity::Note:
            return "note";
        case Severity::Warning:
            return "warning";
        case Severity::Error:
            return "error";
    }
    throw ContractError("to_string: unknown severity");
}

bool is_number(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

/// The longest piece between the stars of a line's text, without its first word.
std::size_t longest_piece(std::string_view line) {
    std::size_t longest = 0;
    for (const std::string& piece : split(line.substr(line.find(' ') + 1), '*'))
        longest = std::max(longest, trim(piece).size());
    return longest;
}

}  // namespace

std::vector<std::string> findings_of(const KernelResult& result) {
    std::vector<std::string> findings = {"verdict " + kwb::to_string(result.verdict)};
    if (!result.reason.empty()) findings.push_back("reason " + result.reason);
    for (const Diagnostic& said : result.diagnostics)
        findings.push_back("diagnostic " + std::to_string(said.line) + " " + to_string(said.severity) + " " +
                           said.message);
    for (const Hint& hint : result.hints)
        findings.push_back("hint " + std::to_string(hint.line) + " " + hint.sentence);
    for (const std::string& warning : warning_sentences(result, Face::Terminal))
        findings.push_back("warning " + warning);
    if (!result.output.empty()) findings.push_back("output " + result.output);
    findings.push_back(result.as_expected() ? "exit 0" : "exit 1");
    return findings;
}

std::vector<std::string> findings_of_refusal(const std::string& message) {
    return {"refusal " + message, "exit 2"};
}

void require_expectations(const std::vector<std::string>& expected) {
    const auto refuse = [](const std::string& line, const std::string& what) {
        throw BadInput("'" + line + "': " + what);
    };
    if (expected.empty())
        throw BadInput(
            "says nothing of what must come of it; add lines such as '// verdict wrong' after the recipe");
    for (const std::string& line : expected) {
        const std::vector<std::string> words = split(line, ' ');
        if (std::find(kWords.begin(), kWords.end(), words.front()) == kWords.end())
            refuse(line,
                   "begins with none of refusal, verdict, reason, diagnostic, hint, warning, output, "
                   "exit");
        if (words.size() < 2) refuse(line, "says nothing about it");
        if (words.front() == "verdict" && (words.size() != 2 || !parse_enum<Verdict>(words[1])))
            refuse(line, "there is no such verdict");
        if ((words.front() == "hint" || words.front() == "diagnostic") && !is_number(words[1]))
            refuse(line, "a line's number comes first");
        if (words.front() == "exit" && !is_number(words[1])) refuse(line, "no exit code");
        constexpr std::size_t kKeyWord = 4;
        if (words.front() != "exit" && longest_piece(line) < kKeyWord)
            refuse(line, "nearly anything would match; give key words");
    }
}

std::vector<std::string> compare(const std::vector<std::string>& expected,
                                 const std::vector<std::string>& findings) {
    // Longest common subsequence: most[e][f] is its length for the expected lines from e on and the findings
    // from f on.
    std::vector<std::vector<std::size_t>> most(expected.size() + 1,
                                               std::vector<std::size_t>(findings.size() + 1, 0));
    for (std::size_t e = expected.size(); e-- > 0;)
        for (std::size_t f = findings.size(); f-- > 0;)
            most[e][f] = matches(expected[e], findings[f]) ? 1 + most[e + 1][f + 1]
                                                           : std::max(most[e + 1][f], most[e][f + 1]);
    std::vector<std::string> differences;
    std::size_t e = 0;
    std::size_t f = 0;
    while (e < expected.size() || f < findings.size()) {
        if (e < expected.size() && f < findings.size() && matches(expected[e], findings[f])) {
            ++e;
            ++f;
        } else if (f == findings.size() || (e < expected.size() && most[e + 1][f] >= most[e][f + 1])) {
            differences.push_back("missing: " + expected[e++]);
        } else {
            differences.push_back("surplus: " + findings[f++]);
        }
    }
    return differences;
}

}  // namespace kwb::test
