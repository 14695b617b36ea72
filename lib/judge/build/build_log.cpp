// SPDX-License-Identifier: Apache-2.0
#include "judge/build/build_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "base/text.hpp"
#include "source/builtins.hpp"
#include "source/directives.hpp"

namespace kwb {
namespace {

constexpr std::size_t kMostDiagnostics = 200;

/// Removes "12:" from the front.
std::optional<std::uint32_t> take_number(std::string_view& text) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end == text.data() + text.size() || *end != ':') return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
    return number;
}

/// The number of messages of each severity in a log.
struct Counts {
    std::size_t errors = 0;
    std::size_t warnings = 0;
};

/// Removes the digits of a count from the end. The message itself may end in digits: "have 1" followed by "2
/// errors" reads "have 12 errors". The number of errors in the log decides; otherwise this assumes that no
/// message ends in a space.
bool take_count(std::string_view& text, std::size_t counted) {
    const std::size_t digits = text.size() - (text.find_last_not_of("0123456789") + 1);
    if (digits == 0) return false;
    const std::string expected = std::to_string(counted);
    const std::string_view before = text.substr(0, text.size() - digits);
    std::size_t taken = digits;
    if (counted > 1 && text.ends_with(expected))
        taken = expected.size();
    else if (digits > 1 && before.ends_with(' ') && !before.ends_with(" and "))
        taken = 1;
    text.remove_suffix(taken);
    return true;
}

bool take_end(std::string_view& text, std::string_view end) {
    if (!text.ends_with(end)) return false;
    text.remove_suffix(end.size());
    return true;
}

/// Removes "1 error" or "5 errors" from the end; the word distinguishes singular and plural.
bool take_summary(std::string_view& text, std::string_view one, std::size_t counted) {
    std::string_view rest = text;
    if (!take_end(rest, fmt::format("1 {}", one)) &&
        !(take_end(rest, fmt::format(" {}s", one)) && take_count(rest, counted)))
        return false;
    text = rest;
    return true;
}

/// PoCL appends clang's summary line to the last message: "expected expression2 warnings and 5 errors
/// generated."
std::string_view without_summary(std::string_view message, const Counts& counts) {
    std::string_view rest = message;
    if (!take_end(rest, " generated.")) return message;
    if (!take_summary(rest, "error", counts.errors))
        return take_summary(rest, "warning", counts.warnings) ? rest : message;
    std::string_view before = rest;
    return take_end(before, " and ") && take_summary(before, "warning", counts.warnings) ? before : rest;
}

std::optional<Diagnostic> parse_line(std::string_view line) {
    struct Word {
        std::string_view text;
        Severity severity;
    };
    constexpr Word kWords[] = {{"fatal error: ", Severity::Error},
                               {"error: ", Severity::Error},
                               {"warning: ", Severity::Warning},
                               {"note: ", Severity::Note}};
    if (line.starts_with("error: ")) line.remove_prefix(7);  // PoCL also writes it before the location
    for (std::size_t colon = line.find(':'); colon != std::string_view::npos;
         colon = line.find(':', colon + 1)) {
        std::string_view rest = line.substr(colon + 1);
        const auto line_number = take_number(rest);
        if (!line_number) continue;
        const auto column = take_number(rest);
        if (!column) continue;
        rest = trim(rest);
        for (const Word& word : kWords)
            if (rest.starts_with(word.text))
                return Diagnostic{word.severity, std::string(line.substr(0, colon)), *line_number, *column,
                                  std::string(rest.substr(word.text.size()))};
    }
    return std::nullopt;
}

/// The name that the compiler does not know; empty if the message is about something else.
std::string_view unknown_name(std::string_view message) {
    for (const std::string_view words :
         {"undeclared identifier '", "declaration of function '", "type name '"}) {
        const std::size_t at = message.find(words);
        if (at == std::string_view::npos) continue;
        const std::string_view name = message.substr(at + words.size());
        return name.substr(0, name.find('\''));
    }
    return {};
}

/// PoCL's headers rename the functions of OpenCL C: "call to '_cl_pow' is ambiguous".
std::string without_internal_names(std::string message) {
    constexpr std::string_view kPrefix = "'_cl_";
    for (std::size_t at = message.find(kPrefix); at != std::string::npos; at = message.find(kPrefix, at + 1))
        message.erase(at + 1, kPrefix.size() - 1);
    return message;
}

/// The remedy for a message that does not state one; empty: not known.
std::string advise(std::string_view message) {
    const std::string_view name = unknown_name(message);
    if (const std::string_view part = find_unsupported(name); !part.empty())
        return fmt::format("{} belongs to {}", name, part);
    if (message.find("can only be used for pipe") != std::string_view::npos)
        return fmt::format("a pipe belongs to {}", find_unsupported("pipe"));
    if (const std::string_view home = find_home(name); !home.empty())
        return fmt::format("{} needs {}, which is not available as this source is built for this device",
                           name, home);
    constexpr std::string_view kCall = "call to '";
    if (message.starts_with(kCall) && message.ends_with("' is ambiguous")) {
        const std::string_view called = message.substr(kCall.size());
        return fmt::format(
            "{} is defined for one type at a time, but its arguments here have several. Cast them to one "
            "type",
            called.substr(0, called.find('\'')));
    }
    std::string_view type = message;  // "'__private size_t' (aka …) cannot be used …"
    if (message.ends_with("cannot be used as the type of a kernel parameter") && type.starts_with('\'')) {
        type = type.substr(1, type.find('\'', 1) - 1);
        return advise_argument_type(type.substr(type.rfind(' ') + 1));
    }
    return "";
}

/// "for (…);"
bool is_empty_loop(std::string_view code) {
    if (!code.starts_with("for") || !code.ends_with(");")) return false;
    int depth = 0;
    for (std::size_t i = code.find('('); i < code.size(); ++i) {
        depth += code[i] == '(' ? 1 : code[i] == ')' ? -1 : 0;
        if (depth == 0) return i + 2 == code.size();
    }
    return false;
}

/// The nearest line up to `line` that is a loop over `name` without a body: "for (int i = 0; i < N; ++i);".
/// @return  from 1; nullopt: there is none
std::optional<std::size_t> find_empty_loop(std::string_view text, std::string_view name, std::uint32_t line) {
    const std::vector<std::string> lines = split_lines(blank_comments(text));
    for (std::size_t i = std::min<std::size_t>(line, lines.size()); i-- > 0;) {
        const std::string_view code = trim(lines[i]);
        const std::string_view first = code.substr(0, code.find('='));
        if (is_empty_loop(code) && trim(first).ends_with(" " + std::string(name))) return i + 1;
    }
    return std::nullopt;
}

/// The text of the file that a message refers to: the kernel's own file, or one that it includes.
std::string_view text_of(const std::string& file, const KernelPlan& plan) {
    if (file == plan.file) return plan.source_text;
    for (const auto& [name, text] : plan.includes)
        if (file == name || std::filesystem::path(file).filename() == name) return text;
    return {};
}

}  // namespace

std::vector<Diagnostic> parse_build_log(std::string_view log) {
    std::vector<Diagnostic> diagnostics;
    Counts counts;
    for (const std::string& line : split_lines(log)) {
        auto diagnostic = parse_line(line);
        if (!diagnostic) continue;
        counts.errors += diagnostic->severity == Severity::Error;
        counts.warnings += diagnostic->severity == Severity::Warning;
        diagnostic->message.resize(without_summary(diagnostic->message, counts).size());
        diagnostic->message = without_internal_names(std::move(diagnostic->message));
        // Some drivers print the same message in two formats.
        const bool known = std::ranges::any_of(diagnostics, [&](const Diagnostic& other) {
            return other.line == diagnostic->line && other.column == diagnostic->column &&
                   other.message == diagnostic->message;
        });
        if (!known && diagnostics.size() < kMostDiagnostics) diagnostics.push_back(std::move(*diagnostic));
    }
    return diagnostics;
}

std::string describe_build_errors(const std::vector<Diagnostic>& diagnostics, const KernelPlan& plan) {
    const auto first = std::ranges::find(diagnostics, Severity::Error, &Diagnostic::severity);
    if (first == diagnostics.end()) return "the source does not compile; the compiler's messages follow";
    const auto errors = std::ranges::count(diagnostics, Severity::Error, &Diagnostic::severity);
    std::string sentence = first->line == 0 ? fmt::format("{}: {}", first->file, first->message)
                                            : fmt::format("{}:{}:{}: {}", first->file, first->line,
                                                          first->column, first->message);
    const std::string caret = caret_line(text_of(first->file, plan), first->line, first->column);
    if (!caret.empty()) sentence += "\n" + caret;
    const std::string_view name = unknown_name(first->message);
    if (const auto loop =
            name.empty() ? std::nullopt : find_empty_loop(text_of(first->file, plan), name, first->line))
        sentence += fmt::format("\nA ; ends the loop in line {}, so that {} is unknown after it: remove it",
                                *loop, name);
    else if (const std::string advice = advise(first->message); !advice.empty())
        sentence += "\n" + advice;
    if (errors > 1) sentence += fmt::format("\nand {} more {}", errors - 1, errors == 2 ? "error" : "errors");
    return sentence;
}

}  // namespace kwb
