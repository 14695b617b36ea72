// SPDX-License-Identifier: Apache-2.0
#include "experiment/own_words.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <span>
#include <variant>

#include "base/error.hpp"
#include "base/text.hpp"
#include "experiment/plan.hpp"
#include "problems/problem.hpp"

namespace kwb {
namespace {

/// A value that repeats is kept as settings, NAME=VALUE.
using OwnValue = std::variant<std::string OwnOptions::*, std::optional<std::string> OwnOptions::*,
                              std::vector<std::string> OwnOptions::*, NamedList<std::string> OwnOptions::*>;

/// An option: its words, where its value is kept, and the field of the window that sets it. Printed in the
/// order of the table.
struct OwnOption {
    const char *name, *type, *help;
    OwnValue value;
    std::string OwnText::*field;  ///< null: none
    const char* example = "";     ///< of a setting
    /// Checks a value from a command line, which has just been put in its place; null: nothing to check.
    void (*check)(const std::string& text, const OwnOptions& own, KernelChoices& choices) = nullptr;

    bool repeats() const { return std::holds_alternative<NamedList<std::string> OwnOptions::*>(value); }

    void put(const std::string& text, OwnOptions& own) const {
        if (const auto* plain = std::get_if<std::string OwnOptions::*>(&value))
            own.*(*plain) = text;
        else if (const auto* optional = std::get_if<std::optional<std::string> OwnOptions::*>(&value))
            own.*(*optional) = text;
        else if (const auto* list = std::get_if<std::vector<std::string> OwnOptions::*>(&value))
            own.*(*list) = split_list(name, text);
        else
            (own.*std::get<NamedList<std::string> OwnOptions::*>(value))
                .push_back(split_setting(name, text, example));
    }

    /// The values as put() takes them.
    std::vector<std::string> texts(const OwnOptions& own) const {
        if (const auto* plain = std::get_if<std::string OwnOptions::*>(&value)) return {own.*(*plain)};
        if (const auto* optional = std::get_if<std::optional<std::string> OwnOptions::*>(&value))
            return {(own.*(*optional)).value_or("")};
        if (const auto* list = std::get_if<std::vector<std::string> OwnOptions::*>(&value))
            return {join(own.*(*list), *list == &OwnOptions::local && own.has_plain_local() ? "x" : ",")};
        std::vector<std::string> settings;
        for (const auto& setting : own.*std::get<NamedList<std::string> OwnOptions::*>(value))
            settings.push_back(setting.name + "=" + setting.value);
        return settings;
    }
};

bool is_expression(const std::string& text) {
    try {
        option_expression("--local", text);
        return true;
    } catch (const BadInput&) {
        return false;
    }
}

void check_local(const std::string& text, const OwnOptions& own, KernelChoices& choices) {
    const bool is_negative = std::ranges::any_of(own.local, [](const std::string& size) {
        return size.starts_with('-') && size.find_first_not_of("0123456789", 1) == std::string::npos;
    });
    if (own.has_plain_local())
        choose_local(choices, join(own.local, "x"));
    else if (is_negative || !std::ranges::all_of(own.local, is_expression))
        choose_local(choices, text);  // throws, for any kernel
}

void check_global(const std::string&, const OwnOptions& own, KernelChoices&) {
    for (const std::string& extent : own.global) option_expression("--global", extent);
}

void check_local_arg(const std::string&, const OwnOptions& own, KernelChoices&) {
    option_expression("--local-arg " + own.local_mem.back().name, own.local_mem.back().value);
}

const OwnOption kOwnOptions[] = {
    {"--problem", "P", "the problem that the file solves, if it does not name one", &OwnOptions::problem,
     nullptr},
    {"--entry", "NAME", "its kernel function, if it has several", &OwnOptions::entry, &OwnText::entry},
    {"--args", "C,A,B",
     "values for its arguments: argument=value, or only values in the order of the source, for all "
     "arguments, all buffers, all numbers, or those that no name identifies (__local ones never "
     "count)",
     &OwnOptions::args, &OwnText::args},
    {"--global", "\"round_up(N,16),M\"",
     "its number of work-items in each dimension, as expressions of the problem's sizes; default: "
     "one per element of the output",
     &OwnOptions::global, &OwnText::global, "", check_global},
    {"--local", "16x16",
     "work-group size, e.g. 16x16 or 256; auto lets the driver choose; for a file without front "
     "matter also expressions: TILE,TILE",
     &OwnOptions::local, &OwnText::local, "", check_local},
    {"-D", "NAME=VALUE", "a macro: an expression of the sizes, e.g. M=M, or the name of a type",
     &OwnOptions::defines, &OwnText::defines, "TILE=16"},
    {"--local-arg", "NAME=ELEMENTS", "the size of a __local pointer, e.g. tile=TILE*TILE",
     &OwnOptions::local_mem, &OwnText::local_mem, "tile=TILE*TILE", check_local_arg},
    {"--init", "NAME=0", "the content of a buffer before every run: a number, or input", &OwnOptions::init,
     &OwnText::init, "C=0"},
    {"--build-options", "-cl-opt-disable", "options for the driver's compiler, after those of the file",
     &OwnOptions::build_options, &OwnText::build_options},
};

void read(const OwnOption& option, const std::string& text, OwnOptions& own, KernelChoices& choices) {
    option.put(text, own);
    if (option.check != nullptr) option.check(text, own, choices);
}

// A line.

struct Word {
    std::string text;
    std::size_t column = 1;
};

[[noreturn]] void refuse_at(const Word& word, const std::string& why) {
    throw BadInput(fmt::format("column {}, at '{}': {}", word.column, word.text, why));
}

/// Split as a POSIX shell does, without its variables.
std::vector<Word> shell_words(std::string_view line) {
    std::vector<Word> words;
    bool within = false;
    char quote = 0;
    std::size_t opened = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (quote == 0 && (c == ' ' || c == '\t' || c == '\n')) {
            within = false;
            continue;
        }
        if (!within) words.push_back({"", i + 1});
        within = true;
        const char next = i + 1 < line.size() ? line[i + 1] : '\0';
        if (quote != 0 && c == quote) {
            quote = 0;
        } else if (quote == 0 && (c == '\'' || c == '"')) {
            quote = c;
            opened = i;
        } else if (c == '\\' && (quote == 0 || (quote == '"' && (next == '"' || next == '\\')))) {
            if (next != '\0' && next != '\n') words.back().text += next;
            ++i;
        } else {
            words.back().text += c;
        }
    }
    if (quote != 0) refuse_at({std::string(line.substr(opened)), opened + 1}, "this quote is not closed");
    return words;
}

struct ParsedLine {
    OwnLine read;
    std::vector<std::string> files;
};

/// @param now  the settings so far
/// @throws BadInput  without a place
ParsedLine parse(std::span<const Word> line, const OwnText& now) {
    ParsedLine parsed{{{}, now}, {}};
    OwnOptions own;
    KernelChoices choices;
    CLI::App app;
    app.set_help_flag();
    add_own_options(app, own, choices);
    app.add_option("FILE", parsed.files);
    std::vector<std::string> reversed;  // the parser takes words from the back
    for (const Word& word : line) reversed.insert(reversed.begin(), word.text);
    try {
        app.parse(std::move(reversed));
    } catch (const CLI::ExtrasError&) {
        std::vector<std::string> known;
        for (const CLI::Option* option : app.get_options())
            if (!option->get_positional()) known.push_back(option->get_name());
        const std::string unknown = app.remaining().front();
        throw BadInput("only options that describe a kernel can be used here: " + enumerate(known) + "." +
                       did_you_mean(unknown.substr(0, unknown.find('=')), known));
    } catch (const CLI::ArgumentMismatch& error) {
        throw BadInput(fmt::format("an option takes one value ({})", error.what()));
    } catch (const CLI::ParseError& error) {
        throw BadInput(error.what());
    }
    parsed.read.problem = own.problem;
    if (own.problem && !names_problem_file(*own.problem))
        parsed.read.problem = get_problem(*own.problem).name();
    for (const OwnOption& option : kOwnOptions)
        if (const auto& typed = app.get_option(option.name)->results();
            !typed.empty() && option.field != nullptr)
            parsed.read.text.*option.field = join(typed, "; ");
    return parsed;
}

/// The place of a fault is the word that completes it.
ParsedLine parse_with_place(std::span<const Word> line, const OwnText& now) {
    const auto fault_of = [&](std::size_t count) -> std::string {
        try {
            (void)parse(line.first(count), now);
            return "";
        } catch (const BadInput& error) {
            return error.what();
        }
    };
    const std::string fault = fault_of(line.size());
    if (fault.empty()) return parse(line, now);
    std::size_t count = 1;
    while (fault_of(count) != fault) ++count;
    refuse_at(line[count - 1], fault);
}

/// True for "kwb check …", which `line` then no longer contains.
bool take_verb(std::span<const Word>& line) {
    static const std::vector<std::string> kVerbs = {"run", "check", "sweep", "show", "adopt", "xray"};
    if (!line.empty() && line.front().text == "$") line = line.subspan(1);
    if (line.empty() || line.front().text != "kwb") return false;
    if (line.size() == 1)
        refuse_at(line.front(),
                  "a command and the kernel's options must follow, e.g. kwb run mine.cl --local 64");
    if (std::ranges::find(kVerbs, line[1].text) == kVerbs.end())
        refuse_at(line[1], "the command must be one of " + enumerate(kVerbs, "or"));
    line = line.subspan(2);
    return true;
}

std::string file_name(const std::string& path) {
    return std::filesystem::path(path).filename().string();
}

}  // namespace

void add_own_options(CLI::App& verb, OwnOptions& own, KernelChoices& choices) {
    for (const OwnOption& option : kOwnOptions) {
        const auto read_all = [&own, &choices, &option](const std::vector<std::string>& typed) {
            for (const std::string& text : typed) read(option, text, own, choices);
        };
        CLI::Option* added =
            verb.add_option_function<std::vector<std::string>>(
                    option.name, read_all,
                    std::string(option.help) + (option.repeats() ? "; may be repeated" : ""))
                ->type_name(option.type)
                ->expected(1)
                ->allow_extra_args(false);  // a kernel's name that follows is not a second value
        if (option.repeats()) added->take_all();
        if (option.field != &OwnText::local && option.field != &OwnText::build_options)
            added->group("A file without front matter ('kwb adopt' saves these)");
    }
}

void read_own_option(const std::string& name, const std::string& text, OwnOptions& own) {
    KernelChoices of_all;
    read(*std::ranges::find(kOwnOptions, name, &OwnOption::name), text, own, of_all);
}

OwnOptions read_own_text(const OwnText& text) {
    OwnOptions own;
    for (const OwnOption& option : kOwnOptions) {
        if (option.field == nullptr) continue;
        const std::string& words = text.*option.field;
        for (const std::string& piece : option.repeats() ? split(words, ';') : std::vector{words})
            if (!trim(piece).empty()) option.put(std::string(trim(piece)), own);
    }
    return own;
}

std::string own_option_words(const OwnOptions& options) {
    std::string words;
    for (const OwnOption& option : kOwnOptions) {
        if (option.field == nullptr) continue;
        for (const std::string& text : option.texts(options))
            if (!text.empty()) words += std::string(" ") + option.name + " " + quote_for_shell(text);
    }
    return words;
}

OwnLine read_own_line(std::string_view line, const std::string& file, const OwnText& now) {
    const std::vector<Word> split = shell_words(line);
    std::span<const Word> rest = split;
    const bool is_whole = take_verb(rest);
    const auto [read, files] = parse_with_place(rest, is_whole ? OwnText{} : now);
    if (!files.empty() && std::ranges::find(files, file_name(file), file_name) == files.end())
        refuse_at(*std::ranges::find(rest, files.front(), &Word::text),
                  "the line does not name " + file_name(file) + ", which these options are for");
    return read;
}

}  // namespace kwb
