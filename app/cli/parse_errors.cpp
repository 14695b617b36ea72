// SPDX-License-Identifier: Apache-2.0
#include "parse_errors.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"

namespace kwb::cli {
namespace {

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

}  // namespace

std::string help_on(const CLI::App& app, std::span<char* const> words) {
    if (words.empty()) return app.help();
    const std::string word = words.front();
    if (words.size() > 1)
        throw BadInput(fmt::format("kwb help {} {}: give one verb at a time", word, words[1]));
    for (const CLI::App* verb : app.get_subcommands({}))
        if (verb->get_name() == word) return verb->help("kwb");
    refuse_verb(word, app);
}

void refuse(const CLI::ParseError& error, const CLI::App& app, std::span<char* const> words) {
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

}  // namespace kwb::cli
