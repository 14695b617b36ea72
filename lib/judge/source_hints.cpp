#include "judge/source_hints.hpp"

#include <fmt/format.h>

#include <sstream>

#include "base/text.hpp"

namespace kwb {
namespace {

/// "-DNAME=VALUE", "-D NAME=VALUE" and "-DNAME" (which is 1) of build options; quotes are not understood.
void add_option_macros(const std::string& options, NamedList<std::string>& macros) {
    std::istringstream words(options);
    for (std::string word; words >> word;) {
        if (!word.starts_with("-D")) continue;
        if (word == "-D" && !(words >> word)) return;
        if (word.starts_with("-D")) word.erase(0, 2);
        const std::size_t equals = word.find('=');
        macros.push_back(
            {word.substr(0, equals), equals == std::string::npos ? "1" : word.substr(equals + 1)});
    }
}

}  // namespace

SourceText read_plan_source(const KernelPlan& plan) {
    SourceText source{plan.source_text, plan.includes, {}, plan.build_options};
    add_option_macros(plan.build_options, source.macros);
    for (const auto& define : plan.defines) source.macros.push_back(define);
    return source;
}

std::vector<Hint> find_plan_hints(const KernelPlan& plan, const Sizes& sizes) {
    std::vector<std::uint64_t> extents;
    for (const auto& [name, value] : sizes) extents.push_back(static_cast<std::uint64_t>(value));
    return find_hints(read_plan_source(plan), extents);
}

std::string refer_to_hints(Verdict verdict, const std::vector<Hint>& hints) {
    const bool explicable = verdict == Verdict::KernelCrashed || verdict == Verdict::CompilerCrashed ||
                            verdict == Verdict::Timeout || verdict == Verdict::Wrong;
    if (!explicable || hints.empty()) return "";
    std::vector<std::string> lines;
    for (const Hint& hint : hints) {
        std::string line = std::to_string(hint.line);
        if (lines.empty() || lines.back() != line) lines.push_back(std::move(line));
    }
    return lines.size() == 1 ? "; see the hint at line " + lines.front()
                             : "; see the hints at lines " + enumerate(lines);
}

}  // namespace kwb
