#include "faults/fault_case.hpp"

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "faults/findings.hpp"
#include "problems/problem.hpp"
#include "session/check_names.hpp"
#include "session/experiment.hpp"
#include "support/temp_folder.hpp"

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

void parse_local(PlanChoices& choices, const std::string& text) {
    if (text == "auto") {
        choices.local_auto = true;
        return;
    }
    choices.local.emplace();
    for (const std::string& piece : split(text, 'x'))
        choices.local->push_back(parse_number<std::uint64_t>("--local", piece));
}

void parse_param(PlanChoices& choices, const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) throw BadInput("--param " + text + ": write it as NAME=VALUE");
    choices.params.push_back({text.substr(0, equals), text.substr(equals + 1)});
}

std::vector<std::string> words_of(std::string_view line) {
    std::vector<std::string> words = split(line, ' ');
    std::erase(words, "");
    return words;
}

/// Lines that say something; what begins with '#' is a remark.
std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    for (const std::string& line : split_lines(text))
        if (const std::string_view words = trim(line); !words.empty() && !words.starts_with('#'))
            lines.emplace_back(words);
    return lines;
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
        else
            throw BadInput("unknown word '" + word +
                           "'; there are --size, --param, --local, --seed, --rounds, --timeout, --check and "
                           "--foreign");
    }
}

bool includes_a_neighbour(const std::string& source) {
    const fs::directory_iterator neighbours(KWB_FAULT_NEIGHBOURS);
    return std::any_of(begin(neighbours), end(neighbours), [&](const fs::directory_entry& neighbour) {
        return source.find("#include \"" + neighbour.path().filename().string() + '"') != std::string::npos;
    });
}

}  // namespace

Recipe parse_recipe(std::string_view text) {
    const std::vector<std::string> lines = lines_of(text);
    if (lines.empty()) throw BadInput("says nothing; write e.g. 'check --size 17x19x23'");
    const std::vector<std::string> words = words_of(lines.front());
    if (words.front() != "check" && words.front() != "run")
        throw BadInput("unknown verb '" + words.front() + "'; there are check and run");
    Recipe recipe;
    recipe.check_only = words.front() == "check";
    parse_options(recipe, words);
    recipe.choices.checking = recipe.check_only;
    if (recipe.size.empty()) throw BadInput("names no --size");
    // Else as many rounds as the clock allows, and a warning about noise now and then.
    if (!recipe.check_only && !recipe.rounds) throw BadInput("'run' needs --rounds");
    if (recipe.check_only && (recipe.rounds || recipe.unreadable_pages))
        throw BadInput("--rounds and --check belong to 'run'");
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const std::vector<std::string> more = words_of(lines[i]);
        if (more.size() != 2 || more[0] != "needs")
            throw BadInput("'" + lines[i] + "' is not understood; a further line says e.g. 'needs x86_64'");
        recipe.processor = more[1];
    }
    return recipe;
}

FaultCase read_fault_case(const fs::path& folder) {
    FaultCase fault;
    fault.name = folder.filename().string();
    fault.kernel = folder / "kernel.cl";
    try {
        read_file(fault.kernel);
        fault.recipe = parse_recipe(read_file(folder / "launch"));
        fault.expected = lines_of(read_file(folder / "expected"));
        require_expectations(fault.expected);
    } catch (const BadInput& error) {
        throw BadInput(fault.name + ": " + error.what());
    }
    return fault;
}

std::vector<fs::path> cases_of(const fs::path& cases, std::string_view group) {
    std::vector<fs::path> folders;
    for (const auto& entry : fs::directory_iterator(cases))
        if (entry.path().filename().string().starts_with(std::string(group) + "_"))
            folders.push_back(entry.path());
    std::sort(folders.begin(), folders.end());
    return folders;
}

KernelFile open_kernel(const FaultCase& fault) {
    if (!includes_a_neighbour(read_file(fault.kernel))) return open_kernel_file(fault.kernel, fault.name);
    const TempFolder folder;
    fs::copy(fault.kernel.parent_path(), folder.path());
    fs::copy(KWB_FAULT_NEIGHBOURS, folder.path());
    return open_kernel_file(folder.path() / fault.kernel.filename(), fault.name);
}

RunRequest make_request(const FaultCase& fault, const DeviceInfo& device) {
    const Recipe& recipe = fault.recipe;
    Experiment experiment;
    const KernelFile file = open_kernel(fault);
    if (!file.spec.launches.empty()) check_names(file);
    experiment.contestants = {file};
    experiment.choices = recipe.choices;
    experiment.seed = recipe.seed;
    experiment.rounds = recipe.rounds;
    experiment.timeout_ms = recipe.timeout_ms;
    experiment.check_only = recipe.check_only;
    const Problem& problem = common_problem(experiment.contestants);
    RunRequest request = make_request(experiment, problem, parse_sizes(problem, recipe.size), device);
    request.unreadable_pages = recipe.unreadable_pages;
    request.contestants.front().kernel->trust = recipe.foreign ? Trust::Foreign : Trust::Own;
    return request;
}

}  // namespace kwb::test
