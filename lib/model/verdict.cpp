#include "model/verdict.hpp"

#include <array>
#include <utility>

namespace kwb {
namespace {

constexpr std::array<std::pair<Verdict, std::string_view>, 11> kNames = {{
    {Verdict::Correct, "correct"},
    {Verdict::Wrong, "wrong"},
    {Verdict::OutOfBounds, "out_of_bounds"},
    {Verdict::CompileError, "compile_error"},
    {Verdict::CompilerCrashed, "compiler_crashed"},
    {Verdict::LaunchError, "launch_error"},
    {Verdict::KernelCrashed, "kernel_crashed"},
    {Verdict::Timeout, "timeout"},
    {Verdict::Constraint, "constraint"},
    {Verdict::Unsupported, "unsupported"},
    {Verdict::Skipped, "skipped"},
}};

}  // namespace

std::string to_string(Verdict verdict) {
    return std::string(kNames[static_cast<std::size_t>(verdict)].second);
}

std::optional<Verdict> parse_verdict(std::string_view name) {
    for (const auto& [verdict, text] : kNames)
        if (text == name) return verdict;
    return std::nullopt;
}

std::vector<std::string> verdict_names() {
    std::vector<std::string> names;
    for (const auto& [verdict, text] : kNames) names.emplace_back(text);
    return names;
}

}  // namespace kwb
