#include "judge/processes/local_memory.hpp"

#include <algorithm>

#include "judge/source_hints.hpp"
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

}  // namespace kwb
