// SPDX-License-Identifier: Apache-2.0
// How a verb of the command line declares its options and the function that runs it.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "options.hpp"

namespace kwb::cli {

struct Verb {
    CLI::App* app;
    /// Run it with the options that were parsed.
    /// @return  the exit code
    /// @throws BadInput, EnvironmentError, Interrupted
    std::function<int(const Folders&)> run;
};

/// Of `kwb VERB --help`.
struct VerbHelp {
    const char* name;
    const char* about;
    const char* footer = "";  ///< above the line about --kernels
};

/// @param Options  a struct with `void add(CLI::App&)`, which declares the options of the verb
/// @param run      int(const Options&, const Folders&)
template <class Options, class Run>
Verb add_verb(CLI::App& kwb, const VerbHelp& help, const Run& run) {
    CLI::App* verb = kwb.add_subcommand(help.name, help.about);
    verb->footer(
        std::string(help.footer) +
        "--kernels DIR adds a folder of kernels, before the built-in ones; 'kwb --help' has examples.");
    const auto options = std::make_shared<Options>();
    options->add(*verb);
    return {verb, [options, run](const Folders& folders) { return run(*options, folders); }};
}

/// @param words  of the command line, without the program
/// @throws BadInput always, with what is wrong and what to do
[[noreturn]] void refuse_words(const CLI::ParseError& error, const CLI::App& app,
                               std::span<char* const> words);

// Options with a value. `type` is what the help shows for it.

inline std::string refuse_empty(const std::string& text) {
    return text.empty() ? "give a value" : "";
}

/// An option whose value must not be empty.
template <class T>
CLI::Option* add_text(CLI::App& verb, const char* name, T& value, const char* type, const std::string& help) {
    return verb.add_option(name, value, help)->type_name(type)->check(refuse_empty, "");
}

/// An option whose text is read when it is parsed.
/// @param read  text → value; throws BadInput
template <class T, class Read>
CLI::Option* add_parsed(CLI::App& verb, const char* name, T& value, const char* type, const std::string& help,
                        const Read& read) {
    return verb
        .add_option_function<std::string>(
            name, [&value, read](const std::string& text) { value = read(text); }, help)
        ->type_name(type)
        ->check(refuse_empty, "");
}

/// An option that takes one value each time it is given; a kernel name after it is not a second value.
/// @param read  text → value; throws BadInput
template <class T, class Read = std::identity>
CLI::Option* add_repeated(CLI::App& verb, const char* name, std::vector<T>& values, const char* type,
                          const std::string& help, const Read& read = {}) {
    const auto take = [&values, read](const std::vector<std::string>& texts) {
        for (const std::string& text : texts) values.push_back(read(text));
    };
    return verb.add_option_function<std::vector<std::string>>(name, take, help + "; may be repeated")
        ->type_name(type)
        ->check(refuse_empty, "")
        ->expected(1)
        ->take_all()
        ->allow_extra_args(false);
}

/// Read a whole number.
std::function<std::uint64_t(const std::string&)> whole(const char* option, std::uint64_t least,
                                                       std::uint64_t most);

/// Read "500ms", "1s", "2.5s", "2min" or "1h", in milliseconds; a bare number is seconds.
std::function<double(const std::string&)> duration_ms(const char* option);

}  // namespace kwb::cli
