#include "judge/build/source_hints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "base/text.hpp"
#include "source/kernels.hpp"
#include "source/local_memory.hpp"

namespace kwb {
namespace {

/// Collects "-DNAME=VALUE", "-D NAME=VALUE" and "-DNAME" (value 1) from build options; does not handle
/// quotes.
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

AddressSpace space_of(const SourceParameter& parameter) {
    switch (parameter.kind) {
        case SourceParameter::Kind::Buffer:
            return parameter.in_constant ? AddressSpace::Constant : AddressSpace::Global;
        case SourceParameter::Kind::Local:
            return AddressSpace::Local;
        case SourceParameter::Kind::Value:
            return AddressSpace::Private;
        case SourceParameter::Kind::Other:
            break;
    }
    return parameter.type.starts_with("image") ? AddressSpace::Image : AddressSpace::Other;
}

KernelParameter as_reported(const SourceParameter& parameter) {
    const bool pointer =
        parameter.kind == SourceParameter::Kind::Buffer || parameter.kind == SourceParameter::Kind::Local;
    return {parameter.name, parameter.type + (pointer ? "*" : ""), space_of(parameter), parameter.is_const};
}

}  // namespace

SourceText read_plan_source(const KernelPlan& plan) {
    SourceText source{plan.source_text, plan.includes, {}, plan.build_options};
    add_option_macros(plan.build_options, source.macros);
    for (const auto& define : plan.defines) source.macros.push_back(define);
    return source;
}

std::vector<Hint> find_plan_hints(const KernelPlan& plan, const Sizes& sizes, const std::stop_token& stop) {
    std::vector<std::uint64_t> extents;
    for (const auto& [name, value] : sizes) extents.push_back(static_cast<std::uint64_t>(value));
    return find_hints(read_plan_source(plan), extents, stop);
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

void add_local_memory(BuiltReply& built, const KernelPlan& plan) {
    const auto untold = [](const FunctionInfo& function) { return function.info.local_mem_bytes == 0; };
    if (std::ranges::none_of(built.functions, untold)) return;
    const auto declared = find_local_memory(read_plan_source(plan));
    for (FunctionInfo& function : built.functions)
        if (const auto found = declared.find(function.name); untold(function) && found != declared.end())
            function.info.local_mem_bytes = found->second;
}

void add_arguments(BuiltReply& built, const KernelPlan& plan) {
    const auto untold = [](const FunctionInfo& function) { return function.arguments.empty(); };
    if (std::ranges::none_of(built.functions, untold)) return;
    const auto kernels = find_kernel_functions(read_plan_source(plan));
    if (!kernels) return;
    for (FunctionInfo& function : built.functions) {
        const auto kernel = std::ranges::find(*kernels, function.name, &SourceKernel::name);
        if (!untold(function) || kernel == kernels->end()) continue;
        for (const SourceParameter& parameter : kernel->parameters)
            function.arguments.push_back(as_reported(parameter));
    }
}

}  // namespace kwb
