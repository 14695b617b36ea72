// SPDX-License-Identifier: Apache-2.0
#include "source/directives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text.hpp"

namespace kwb {
namespace {

/// @return  offset after the quoted text that starts at `at`; quoted text ends at the end of the line at the
///          latest
std::size_t skip_quoted(std::string_view source, std::size_t at) {
    const char quote = source[at++];
    while (at < source.size() && source[at] != '\n') {
        if (source[at] == quote) return at + 1;
        at += source[at] == '\\' ? 2 : 1;
    }
    return std::min(at, source.size());
}

/// Offset of the next comment at or after `at`, or npos.
std::size_t next_comment(std::string_view source, std::size_t at) {
    while (at < source.size()) {
        const char c = source[at];
        if (c == '"' || c == '\'') {
            at = skip_quoted(source, at);
            continue;
        }
        const std::string_view two = source.substr(at, 2);
        if (two == "//" || two == "/*") return at;
        ++at;
    }
    return std::string_view::npos;
}

}  // namespace

std::string blank_comments(std::string_view source) {
    std::string out(source);
    std::size_t at = 0;
    while ((at = next_comment(source, at)) != std::string_view::npos) {
        const bool to_line_end = source[at + 1] == '/';
        std::size_t end = to_line_end ? source.find('\n', at) : source.find("*/", at + 2);
        if (end == std::string_view::npos)
            end = source.size();
        else if (!to_line_end)
            end += 2;
        for (; at < end; ++at)
            if (out[at] != '\n' && out[at] != '\r') out[at] = ' ';
    }
    return out;
}

std::optional<std::size_t> find_first_comment(std::string_view source) {
    const std::size_t at = next_comment(source, 0);
    if (at == std::string_view::npos) return std::nullopt;
    return at;
}

std::string_view leading_identifier(std::string_view text) {
    std::size_t length = 0;
    const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    // Checked first, because a caller that steps through a number of a million digits calls this at each
    // digit.
    if (!text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) != 0) return "";
    while (length < text.size() && is_part(text[length])) ++length;
    return text.substr(0, length);
}

std::vector<Directive> find_directives(std::string_view blanked) {
    std::vector<Directive> directives;
    bool continued = false;  // the previous line ended with a backslash
    for (std::size_t start = 0; start < blanked.size();) {
        const std::size_t end = std::min(blanked.find('\n', start), blanked.size());
        const std::string_view line = blanked.substr(start, end - start);
        const std::size_t hash = line.find_first_not_of(" \t\r\f\v");
        if (!continued && hash != std::string_view::npos && line[hash] == '#') {
            const std::string_view words = trim(line.substr(hash + 1));
            const std::string_view keyword = leading_identifier(words);
            directives.push_back({keyword, trim(words.substr(keyword.size())), start + hash});
        }
        continued = trim(line).ends_with('\\');
        start = end + 1;
    }
    return directives;
}

namespace {

// Limits for hostile sources with many kernels in many conditions.
constexpr std::size_t kLongestHead = 1024;  ///< bytes read of a kernel up to its name, and of a condition
constexpr std::size_t kMostNamed = 8;       ///< conditions of a kernel
constexpr std::size_t kMostFound = 256;     ///< kernels

std::vector<std::string> macros_in(std::string_view condition) {
    std::vector<std::string> macros;
    for (std::size_t at = 0; at < condition.size(); ++at) {
        const std::string_view name = leading_identifier(condition.substr(at));
        if (name.empty()) continue;
        at += name.size();
        const bool of_compiler = name.starts_with("__") || name.starts_with("cl_");
        if (name != "defined" && !of_compiler) macros.emplace_back(name);
    }
    return macros;
}

bool starts_kernel(std::string_view word) {
    return word == "__kernel" || word == "kernel";
}

/// The name before the first bracket that is not one of an attribute; empty if there is none.
std::string function_name(std::string_view text) {
    std::string_view last;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::string_view name = leading_identifier(text.substr(at));
        if (starts_kernel(name)) return "";  // the search reaches this one later
        if (!name.empty()) {
            last = name;
            at += name.size() - 1;
        } else if (text[at] == '(' && last != "__attribute__") {
            return std::string(last);
        } else if (text[at] == '(') {
            int depth = 0;
            for (; at < text.size(); ++at)
                if (text[at] == '(')
                    ++depth;
                else if (text[at] == ')' && --depth == 0)
                    break;
        } else if (text[at] == ';' || text[at] == '{' || text[at] == '#') {
            return "";
        }
    }
    return "";
}

/// True if the condition has a `!`: then defining the macro does not help.
bool denies(std::string_view condition) {
    for (std::size_t at = 0; (at = condition.find('!', at)) != std::string_view::npos; ++at)
        if (!condition.substr(at).starts_with("!=")) return true;
    return false;
}

/// Offset of the end of the directive at `at`, with its continuation lines.
std::size_t directive_end(std::string_view blanked, std::size_t at) {
    for (;;) {
        const std::size_t end = std::min(blanked.find('\n', at), blanked.size());
        if (end == blanked.size() || !trim(blanked.substr(at, end - at)).ends_with('\\')) return end;
        at = end + 1;
    }
}

/// An open `#if` or its like, at its latest branch.
struct Condition {
    const Directive* directive;
    std::size_t line;
    bool is_guard = false;
    bool is_else = false;  ///< the branch is the #else of `directive`

    std::string_view text() const { return directive->rest.substr(0, kLongestHead); }
    std::string words() const {
        return fmt::format("{}#{} {} (line {})", is_else ? "the #else of " : "", directive->keyword, text(),
                           line);
    }
};

}  // namespace

std::vector<ConditionalKernel> find_conditional_kernels(std::string_view source) {
    const std::string blanked = blank_comments(source);
    const std::vector<Directive> directives = find_directives(blanked);
    std::vector<Condition> open;
    std::size_t hiding = 0;  // open conditions other than include guards
    std::vector<ConditionalKernel> found;
    std::size_t line = 1, counted = 0;
    const auto line_of = [&](std::size_t offset) {  // for ascending offsets
        line += static_cast<std::size_t>(
            std::ranges::count(std::string_view(blanked).substr(counted, offset - counted), '\n'));
        counted = offset;
        return line;
    };
    const auto add = [&](std::string name, std::size_t at) {
        ConditionalKernel kernel{std::move(name), line_of(at), {}, {}};
        for (const Condition& condition : open) {
            if (condition.is_guard) continue;
            if (kernel.conditions.size() == kMostNamed) {
                kernel.conditions.push_back(fmt::format("{} more", hiding - kMostNamed));
                break;
            }
            kernel.conditions.push_back(condition.words());
            const bool is_denied =
                condition.is_else || condition.directive->keyword == "ifndef" || denies(condition.text());
            if (is_denied) continue;
            for (std::string& macro : macros_in(condition.text())) kernel.macros.push_back(std::move(macro));
        }
        found.push_back(std::move(kernel));
    };
    const auto search = [&](std::size_t at, std::size_t end) {
        while (hiding > 0 && at < end && found.size() < kMostFound) {
            const std::string_view word = leading_identifier(std::string_view(blanked).substr(at, end - at));
            if (starts_kernel(word)) {
                std::string name =
                    function_name(std::string_view(blanked).substr(at + word.size(), kLongestHead));
                if (!name.empty()) add(std::move(name), at);
            }
            at += std::max<std::size_t>(word.size(), 1);
        }
    };
    std::size_t at = 0;
    for (std::size_t i = 0; i < directives.size(); ++i) {
        const Directive& directive = directives[i];
        search(at, directive.offset);
        at = directive_end(blanked, directive.offset);
        const std::string_view keyword = directive.keyword;
        if (keyword == "if" || keyword == "ifdef" || keyword == "ifndef") {
            const bool is_guard =
                keyword == "ifndef" && i + 1 < directives.size() && directives[i + 1].keyword == "define" &&
                leading_identifier(directives[i + 1].rest) == leading_identifier(directive.rest);
            open.push_back({&directive, line_of(directive.offset), is_guard});
            if (!is_guard) ++hiding;
        } else if (!open.empty() && (keyword == "elif" || keyword == "else")) {
            Condition& last = open.back();
            if (last.is_guard) ++hiding;
            if (keyword == "else")
                last = {last.directive, last.line, false, true};
            else
                last = {&directive, line_of(directive.offset)};
        } else if (!open.empty() && keyword == "endif") {
            if (!open.back().is_guard) --hiding;
            open.pop_back();
        }
    }
    search(at, blanked.size());
    return found;
}

std::string describe(const ConditionalKernel& hidden) {
    return fmt::format("{} (line {}) is inside {}, {}", hidden.name, hidden.line,
                       enumerate(hidden.conditions),
                       hidden.conditions.size() == 1 ? "which does not hold" : "which do not all hold");
}

}  // namespace kwb
