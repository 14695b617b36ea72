#include "judge/processes/local_memory.hpp"

#include <algorithm>

#include "judge/source_hints.hpp"
#include "source/kernels.hpp"
#include "source/local_memory.hpp"

namespace kwb {

void add_local_memory(BuiltReply& built, const KernelPlan& plan) {
    const auto untold = [](const FunctionInfo& function) { return function.info.local_mem_bytes == 0; };
    if (std::ranges::none_of(built.functions, untold)) return;
    const auto declared = find_local_memory(read_plan_source(plan));
    for (FunctionInfo& function : built.functions)
        if (const auto found = declared.find(function.name); untold(function) && found != declared.end())
            function.info.local_mem_bytes = found->second;
}

namespace {

ArgumentInfo argument_of(const SourceParameter& parameter) {
    using Kind = SourceParameter::Kind;
    using Space = ArgumentInfo::Space;
    const bool image = parameter.type.starts_with("image");
    const bool pointer = parameter.kind == Kind::Buffer || parameter.kind == Kind::Local;
    const Space space = parameter.kind == Kind::Local   ? Space::Local
                        : parameter.kind == Kind::Value ? Space::Private
                        : parameter.kind == Kind::Buffer
                            ? parameter.in_constant ? Space::Constant : Space::Global
                        : image ? Space::Image
                                : Space::Other;
    return {parameter.name, parameter.type + (pointer ? "*" : ""), space, parameter.is_const};
}

}  // namespace

void add_arguments(BuiltReply& built, const KernelPlan& plan) {
    const auto untold = [](const FunctionInfo& function) { return function.arguments.empty(); };
    if (std::ranges::none_of(built.functions, untold)) return;
    const auto kernels = find_kernel_functions(read_plan_source(plan));
    for (FunctionInfo& function : built.functions) {
        if (!untold(function) || !kernels) continue;
        const auto kernel = std::ranges::find(*kernels, function.name, &SourceKernel::name);
        if (kernel == kernels->end()) continue;
        for (const SourceParameter& parameter : kernel->parameters)
            function.arguments.push_back(argument_of(parameter));
    }
}

}  // namespace kwb
