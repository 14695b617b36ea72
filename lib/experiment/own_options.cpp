// SPDX-License-Identifier: Apache-2.0
#include "experiment/own_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>

#include "base/error.hpp"
#include "base/text.hpp"
#include "catalog/expression.hpp"
#include "catalog/place.hpp"
#include "model/element.hpp"
#include "source/builtins.hpp"
#include "source/directives.hpp"

namespace kwb {
namespace {

/// "16x16" → "16,16"
std::string with_commas(std::string_view text) {
    std::string out(text);
    const auto is_extent = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (is_extent(out[i])) continue;
        const bool between = i > 0 && i + 1 < out.size() && is_extent(out[i - 1]) && is_extent(out[i + 1]);
        if ((out[i] != 'x' && out[i] != 'X') || !between) return std::string(text);
        out[i] = ',';
    }
    return out;
}

/// "W,H" for "W H", if all pieces between the blanks are expressions; else empty.
std::string separated_by_blanks(std::string_view text) {
    std::vector<std::string> pieces;
    for (const std::string& piece : split(text, ' '))
        if (!piece.empty()) pieces.push_back(piece);
    if (pieces.size() < 2) return "";
    try {
        for (const std::string& piece : pieces) Expression::parse(piece);
    } catch (const ExpressionError&) {
        return "";
    }
    return join(pieces, ",");
}

/// `#define TS 16`
struct SourceMacro {
    std::string place;  ///< "mine.cl:3"
    std::string value;  ///< empty: none, or several
};

std::optional<SourceMacro> find_macro(const KernelFile& file, const std::string& name) {
    std::optional<SourceMacro> macro;
    const auto search = [&](const std::string& path, const std::string& text) {
        const std::string blanked = blank_comments(text);
        for (const Directive& line : find_directives(blanked)) {
            if (line.keyword != "define" || leading_identifier(line.rest) != name) continue;
            const std::string_view rest = line.rest.substr(name.size());
            if (rest.starts_with('(')) continue;  // a function-like macro
            const std::string value(trim(rest));
            if (!macro)
                macro = SourceMacro{fmt::format("{}:{}", path, place_of(text, line.offset).line), value};
            else if (macro->value != value)
                macro->value.clear();  // conditions decide which value is used
        }
    };
    search(file.spec.file, file.spec.source_text);
    for (const auto& include : file.includes)
        search((std::filesystem::path(file.spec.file).parent_path() / include.name).string(), include.value);
    return macro;
}

/// "W,H" for "WxH", if all pieces are known names or numbers; else empty.
std::string separated(const std::string& name, const std::vector<std::string>& known) {
    const auto is_known = [&](const std::string& piece) {
        return std::find(known.begin(), known.end(), piece) != known.end() ||
               (!piece.empty() && piece.find_first_not_of("0123456789") == std::string::npos);
    };
    for (std::size_t at = name.find_first_of("xX"); at != std::string::npos;
         at = name.find_first_of("xX", at + 1)) {
        const std::string rest = name.substr(at + 1);
        if (!is_known(name.substr(0, at))) continue;
        if (is_known(rest)) return name.substr(0, at) + "," + rest;
        if (const std::string more = separated(rest, known); !more.empty())
            return name.substr(0, at) + "," + more;
    }
    return "";
}

void refuse_misunderstood(const Written& written, const KernelFile& file,
                          const std::vector<std::string>& known) {
    if (written.option.empty()) return;
    for (const std::string& name : Expression::parse(written.text).names()) {
        if (name.find('.') != std::string::npos || std::find(known.begin(), known.end(), name) != known.end())
            continue;
        if (const std::string list = separated(name, known); !list.empty())
            throw BadInput(fmt::format("{0} '{1}': separate expressions by commas: {0} {2}", written.option,
                                       written.text, list));
        if (const auto macro = find_macro(file, name))
            throw BadInput(fmt::format("{} '{}': {} is a #define of the source ({}); write its value{}",
                                       written.option, written.text, name, macro->place,
                                       macro->value.empty() ? "" : ", " + macro->value));
    }
}

constexpr std::size_t kMostNames = 4;
constexpr std::size_t kMostWords = 200;

struct MissingName {
    std::string name;
    bool is_type = false;
};

/// The identifier that follows `words` in the message; empty if the message does not contain `words`.
std::string quoted_behind(std::string_view message, std::string_view words) {
    const std::size_t at = message.find(words);
    if (at == std::string_view::npos) return "";
    const std::string_view rest = message.substr(at + words.size());
    return std::string(leading_identifier(rest));
}

/// True if a condition of the source (`#ifndef NAME`, `#if defined(NAME)`) tests this name.
bool is_asked_about(const KernelFile& file, std::string_view name) {
    const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    const auto search = [&](const std::string& text) {
        const std::string blanked = blank_comments(text);
        for (const Directive& line : find_directives(blanked)) {
            if (line.keyword != "ifndef" && line.keyword != "ifdef" && line.keyword != "if" &&
                line.keyword != "elif")
                continue;
            for (std::size_t at = line.rest.find(name); at != std::string_view::npos;
                 at = line.rest.find(name, at + 1)) {
                const std::size_t end = at + name.size();
                if ((at == 0 || !is_part(line.rest[at - 1])) &&
                    (end == line.rest.size() || !is_part(line.rest[end])))
                    return true;
            }
        }
        return false;
    };
    return search(file.spec.source_text) || std::any_of(file.includes.begin(), file.includes.end(),
                                                        [&](const auto& i) { return search(i.value); });
}

/// @param errors  of a compiler
std::vector<MissingName> find_missing(const std::vector<std::string_view>& errors, const KernelFile& file) {
    std::vector<MissingName> missing;
    const auto add = [&](std::string name, bool is_type) {
        const bool known = std::any_of(missing.begin(), missing.end(),
                                       [&](const MissingName& other) { return other.name == name; });
        if (!name.empty() && !known && missing.size() < kMostNames && find_home(name).empty())
            missing.push_back({std::move(name), is_type});
    };
    std::size_t words = 0;  // each is looked for in the whole source
    for (const std::string_view message : errors) {
        const std::string name = quoted_behind(message, "undeclared identifier '");
        const std::string type = quoted_behind(message, "unknown type name '");
        // Further unknown names may be a consequence.
        if (!find_unsupported(name).empty() || !find_unsupported(type).empty()) return {};
        add(name, false);
        add(type, true);
        // The text of an #error may contain names of macros that conditions of the source test.
        for (std::size_t at = 0; at < message.size() && words < kMostWords; ++at) {
            const std::string_view word = leading_identifier(message.substr(at));
            if (!word.empty()) ++words;
            if (word.size() > 1 && is_asked_about(file, word)) add(std::string(word), false);
            if (!word.empty()) at += word.size();
        }
    }
    return missing;
}

}  // namespace

std::string OwnOptions::launch_option() const {
    if (entry) return "--entry";
    if (!args.empty()) return "--args";
    if (!global.empty()) return "--global";
    if (!local.empty() && !has_plain_local()) return "--local";
    if (!local_mem.empty()) return "--local-arg";
    return init.empty() ? "" : "--init";
}

bool OwnOptions::has_plain_local() const {
    if (local == std::vector<std::string>{"auto"}) return true;
    return std::all_of(local.begin(), local.end(), [](const std::string& extent) {
        return extent.find_first_not_of("0123456789") == std::string::npos;
    });
}

std::vector<std::string> split_list(const std::string& option, std::string_view typed) {
    const std::string text = option == "--args" ? std::string(typed) : with_commas(typed);
    std::vector<std::string> pieces(1);
    int depth = 0;
    char quote = 0;
    for (const char c : text) {
        if (quote != 0) {
            if (c == quote) quote = 0;
        } else if (c == '\'' || c == '"') {
            quote = c;
        } else if (c == '(' || c == '[') {
            ++depth;
        } else if (c == ')' || c == ']') {
            --depth;
        } else if (c == ',' && depth <= 0) {
            pieces.emplace_back();
            continue;
        }
        pieces.back() += c;
    }
    for (std::string& piece : pieces) {
        piece = std::string(trim(piece));
        if (piece.empty())
            throw BadInput(option + " '" + std::string(typed) +
                           "': a piece between the commas is empty; separate them by single commas, e.g. " +
                           (option == "--args" ? "C,A,B" : "M,N"));
    }
    return pieces;
}

Named<std::string> split_setting(const std::string& option, const std::string& text,
                                 const std::string& example) {
    const std::size_t equals = text.find('=');
    std::string name(trim(std::string_view(text).substr(0, equals)));
    std::string value =
        equals == std::string::npos ? "" : std::string(trim(std::string_view(text).substr(equals + 1)));
    if (option == "-D" && equals == std::string::npos) value = "1";
    if (name.empty() || value.empty() || leading_identifier(name) != name)
        throw BadInput(option + " " + text + ": give NAME=VALUE, e.g. " + option + " " + example);
    return {std::move(name), std::move(value)};
}

Written option_expression(const std::string& option, const std::string& text) {
    try {
        Expression::parse(text);
    } catch (const ExpressionError& error) {
        if (option == "--global" || option == "--local")
            if (const std::string list = separated_by_blanks(text); !list.empty())
                throw BadInput(
                    fmt::format("{0} '{1}': separate expressions by commas: {0} {2}", option, text, list));
        throw BadInput(option + " '" + text + "': " + error.what());
    }
    return {text, 0, 0, option};
}

Written macro_expression(const Named<std::string>& define) {
    if (parse_element_type(define.value)) return {'"' + define.value + '"', 0, 0, "-D " + define.name};
    return option_expression("-D " + define.name, define.value);
}

void refuse_misunderstood_names(const KernelFile& file, const std::vector<std::string>& known) {
    std::vector<std::string> all = known;
    for (const auto& define : file.spec.defines) all.push_back(define.name);
    for (const auto& param : file.spec.params) all.push_back(param.name);
    const auto check = [&](const Written& written) { refuse_misunderstood(written, file, all); };
    for (const auto& define : file.spec.defines) check(define.value);
    for (const LaunchSpec& launch : file.spec.launches) {
        for (const Written& extent : launch.global) check(extent);
        for (const Written& extent : launch.local.value_or(std::vector<Written>{})) check(extent);
        for (const auto& argument : launch.args) check(argument.value);
        for (const auto& size : launch.local_mem) check(size.value);
    }
}

std::vector<std::string> missing_macros(const source::Program& program, const KernelFile& file) {
    std::vector<std::string_view> errors;
    for (const source::Fault& fault : program.faults) errors.push_back(fault.message);
    std::vector<std::string> names;
    for (MissingName& missing : find_missing(errors, file)) names.push_back(std::move(missing.name));
    return names;
}

std::string advise_options(const KernelResult& result, const KernelFile& file) {
    const bool is_bare = file.places.empty();
    if (is_bare && result.finding && result.finding->code == FindingCode::DependsOnUnset)
        return fmt::format("here, use --init {}=0", result.finding->subject);
    if (result.verdict != Verdict::CompileError || (!is_bare && file.declared_in == file.spec.file))
        return "";
    std::vector<std::string_view> errors;
    for (const Diagnostic& diagnostic : result.diagnostics)
        if (diagnostic.severity == Severity::Error) errors.push_back(diagnostic.message);
    std::vector<std::string> names, options, keys;
    for (const MissingName& missing : find_missing(errors, file)) {
        names.push_back(missing.name);
        options.push_back(fmt::format("-D {}={}", missing.name, missing.is_type ? "float" : "…"));
        keys.push_back(fmt::format("{} = {}", missing.name, missing.is_type ? "\"'float'\"" : "…"));
    }
    if (names.empty()) return "";
    return fmt::format("if its host program defined {}, {}", enumerate(names),
                       is_bare ? "use " + join(options, " ")
                               : fmt::format("add {} to [defines] of {}", enumerate(keys), file.declared_in));
}

}  // namespace kwb
