// SPDX-License-Identifier: Apache-2.0
#include "judge/whatif/changed_kernel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "source/directives.hpp"

namespace kwb {
namespace {

/// An atomic function of OpenCL 1: what it stores, given `old` and its arguments.
struct AtomicFunction {
    std::string_view name;
    std::string_view parameters;  ///< after the pointer
    std::string_view stored;
};
constexpr std::array kAtomicFunctions = {
    AtomicFunction{"add", ", T v", "old + v"},
    AtomicFunction{"sub", ", T v", "old - v"},
    AtomicFunction{"xchg", ", T v", "v"},
    AtomicFunction{"inc", "", "old + 1"},
    AtomicFunction{"dec", "", "old - 1"},
    AtomicFunction{"cmpxchg", ", T c, T v", "old == c ? v : old"},
    AtomicFunction{"min", ", T v", "min(old, v)"},
    AtomicFunction{"max", ", T v", "max(old, v)"},
    AtomicFunction{"and", ", T v", "old & v"},
    AtomicFunction{"or", ", T v", "old | v"},
    AtomicFunction{"xor", ", T v", "old ^ v"},
};

/// atomic_add, or atom_add, which means the same.
bool is_atomic(std::string_view function) {
    return std::ranges::any_of(kAtomicFunctions, [&](const AtomicFunction& known) {
        return function == fmt::format("atomic_{}", known.name) ||
               function == fmt::format("atom_{}", known.name);
    });
}

template <class IsWanted>
bool calls(const source::Program& program, const IsWanted& is_wanted) {
    return std::ranges::any_of(program.functions, [&](const source::Function& function) {
        return std::ranges::any_of(function.calls,
                                   [&](const source::Call& call) { return is_wanted(call.name); });
    });
}

/// Functions that do the same in separate steps, and macros that call them instead. They return what the
/// atomic functions return, so that a result that is used as an index stays valid.
std::string ordinary_functions() {
    std::string text;
    for (const AtomicFunction& function : kAtomicFunctions) {
        for (const std::string_view type : {"int", "uint"})
            for (const std::string_view space : {"__global", "__local"}) {
                std::string parameters(function.parameters);
                for (std::size_t at = parameters.find('T'); at != std::string::npos;
                     at = parameters.find('T'))
                    parameters.replace(at, 1, type);
                text += fmt::format(
                    "static inline __attribute__((overloadable)) {0} kwb_{1}(volatile {2} {0}* p{3}) {{ "
                    "{0} old = *({2} {0}*)p; *({2} {0}*)p = {4}; return old; }}\n",
                    type, function.name, space, parameters, function.stored);
            }
        text += fmt::format("#define atomic_{0} kwb_{0}\n#define atom_{0} kwb_{0}\n", function.name);
    }
    return text;
}

/// Makes every kernel function of the user's main file return at its first statement.
/// @return  false if none was found
bool empty_kernels(std::string& text, const source::Program& program) {
    const std::string blanked = blank_comments(text);
    std::vector<std::size_t> lines = {0};
    for (std::size_t at = blanked.find('\n'); at != std::string::npos; at = blanked.find('\n', at + 1))
        lines.push_back(at + 1);
    std::vector<std::size_t> bodies;
    for (const source::Function& function : program.functions) {
        const source::Place& place = program.place(function.place);
        if (!function.kernel || !place.own || place.line == 0 || place.line > lines.size()) continue;
        const std::size_t brace = blanked.find('{', lines[place.line - 1] + place.column - 1);
        if (brace != std::string::npos) bodies.push_back(brace + 1);
    }
    std::ranges::sort(bodies, std::ranges::greater());
    for (const std::size_t body : bodies) text.insert(body, "return;");
    return !bodies.empty();
}

}  // namespace

std::optional<KernelPlan> change_kernel(const KernelPlan& plan, const source::Program& program, WhatIf what) {
    KernelPlan changed = plan;
    std::string& text = changed.source_text;
    switch (what) {
        case WhatIf::CacheHits:
            break;
        case WhatIf::NoBarriers:
            if (!calls(program, source::is_barrier)) return std::nullopt;
            text.insert(0, "#define barrier(...)\n#define work_group_barrier(...)\n#line 1\n");
            return changed;
        case WhatIf::NoAtomicity:
            if (!calls(program, is_atomic)) return std::nullopt;
            text.insert(0, ordinary_functions() + "#line 1\n");
            return changed;
        case WhatIf::EmptyKernel:
            return empty_kernels(text, program) ? std::optional(std::move(changed)) : std::nullopt;
    }
    throw ContractError("change_kernel: this experiment changes no text");
}

}  // namespace kwb
