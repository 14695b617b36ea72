#include "catalog/param_guard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/text.hpp"
#include "catalog/place.hpp"
#include "source/directives.hpp"

namespace kwb {
namespace {

/// An open #if … #endif, and which macro its branches know to be defined or undefined.
struct Conditional {
    std::string undefined;  ///< not defined in the first branch
    std::string defined;    ///< defined in the first branch, so undefined in a plain #else
    bool in_first_branch = true;
    bool in_else = false;
    bool has_elif = false;
};

/// NAME of `!defined(NAME)` or `! defined NAME`; further conditions may follow after `&&`. Empty for anything
/// else.
std::string negated_defined(std::string_view condition) {
    if (condition.find("||") != std::string_view::npos) return "";
    if (!condition.starts_with('!')) return "";
    condition = trim(condition.substr(1));
    constexpr std::string_view kDefined = "defined";
    if (leading_identifier(condition) != kDefined) return "";
    condition = trim(condition.substr(kDefined.size()));
    if (condition.starts_with('(')) condition = trim(condition.substr(1));
    return std::string(leading_identifier(condition));
}

bool guards(const std::vector<Conditional>& open, std::string_view name) {
    return std::any_of(open.begin(), open.end(), [&](const Conditional& conditional) {
        return (conditional.in_first_branch && conditional.undefined == name) ||
               (conditional.in_else && !conditional.has_elif && conditional.defined == name);
    });
}

}  // namespace

void check_param_guards(const std::string& file, std::string_view source,
                        const std::vector<std::string>& names) {
    if (names.empty()) return;
    const std::string blanked = blank_comments(source);
    std::vector<Conditional> open;
    for (const Directive& line : find_directives(blanked)) {
        if (line.keyword == "ifndef") {
            open.push_back({.undefined = std::string(leading_identifier(line.rest)), .defined = ""});
        } else if (line.keyword == "ifdef") {
            open.push_back({.undefined = "", .defined = std::string(leading_identifier(line.rest))});
        } else if (line.keyword == "if") {
            open.push_back({.undefined = negated_defined(line.rest), .defined = ""});
        } else if (!open.empty() && (line.keyword == "elif" || line.keyword == "else")) {
            open.back().in_first_branch = false;
            open.back().in_else = line.keyword == "else";
            open.back().has_elif |= line.keyword == "elif";
        } else if (!open.empty() && line.keyword == "endif") {
            open.pop_back();
        } else if (line.keyword == "define" || line.keyword == "undef") {
            const std::string name(leading_identifier(line.rest));
            if (std::find(names.begin(), names.end(), name) == names.end() || guards(open, name)) continue;
            refuse_at(file, place_of(source, line.offset),
                      fmt::format("this #{} overrides the value chosen for {}; put it between "
                                  "`#ifndef {}` and `#endif`",
                                  line.keyword, name, name));
        }
    }
}

}  // namespace kwb
