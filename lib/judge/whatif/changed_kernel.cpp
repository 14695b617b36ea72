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
#include "base/text.hpp"
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

/// Also those of OpenCL 2, which have no ordinary function here.
bool is_atomic(std::string_view function) {
    return function.starts_with("atomic_") || function.starts_with("atom_");
}

/// atomic_add, or atom_add, which means the same.
bool has_ordinary(std::string_view function) {
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

/// Whether the text calls an atomic function that has no ordinary one, such as those of OpenCL 2: for a
/// compiler these are no calls.
bool has_other_atomics(const KernelPlan& plan) {
    std::vector<std::string> texts = {blank_comments(plan.source_text)};
    for (const auto& [name, text] : plan.includes) texts.push_back(blank_comments(text));
    const auto has_other = [](std::string_view text) {
        for (std::size_t at = text.find("ato"); at != std::string_view::npos; at = text.find("ato", at + 1)) {
            const std::string_view word = leading_identifier(text.substr(at));
            const bool is_begin = at == 0 || leading_identifier(text.substr(at - 1)).empty();
            const bool is_called = trim(text.substr(at + word.size())).starts_with('(');
            if (is_begin && is_called && is_atomic(word) && !has_ordinary(word)) return true;
        }
        return false;
    };
    return std::ranges::any_of(texts, has_other);
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

/// Makes every kernel function return at its first statement.
/// @return  why one of them cannot be found in the text; empty: all were
std::string empty_kernels(std::string& text, const source::Program& program) {
    const std::string blanked = blank_comments(text);
    std::vector<std::size_t> lines = {0};
    for (std::size_t at = blanked.find('\n'); at != std::string::npos; at = blanked.find('\n', at + 1))
        lines.push_back(at + 1);
    std::vector<std::size_t> bodies;
    for (const source::Function& function : program.functions) {
        if (!function.kernel) continue;
        const source::Place& place = program.place(function.place);
        if (!place.own || place.line == 0 || place.line > lines.size())
            return fmt::format("{} is in an included file", function.name);
        const std::size_t begin = lines[place.line - 1] + place.column - 1;
        const std::size_t brace = blanked.find('{', begin);
        // A macro may stand for the name or the whole head: then the next body may be another function's.
        const std::string_view head = std::string_view(blanked).substr(
            std::min(begin, blanked.size()), brace == std::string::npos ? 0 : brace - begin);
        const std::size_t name = head.find(function.name);
        if (name == std::string_view::npos || head.find_first_of(";}#") != std::string_view::npos ||
            !trim(head.substr(name + function.name.size())).starts_with('('))
            return fmt::format("the head of {} is made by a macro", function.name);
        bodies.push_back(brace + 1);
    }
    std::ranges::sort(bodies, std::ranges::greater());
    for (const std::size_t body : bodies) text.insert(body, "return;");
    return bodies.empty() ? "it has no kernel function" : "";
}

}  // namespace

ChangedKernel change_kernel(const KernelPlan& plan, const source::Program& program, WhatIf what) {
    KernelPlan changed = plan;
    std::string& text = changed.source_text;
    switch (what) {
        case WhatIf::CacheHits:
        case WhatIf::Together:
        case WhatIf::Sorted:
            break;
        case WhatIf::NoBarriers:
            if (!calls(program, source::is_barrier)) return {};
            text.insert(0, "#define barrier(...)\n#define work_group_barrier(...)\n#line 1\n");
            return {std::move(changed)};
        case WhatIf::NoAtomicity:
            if (has_other_atomics(plan)) return {.obstacle = "it calls atomic functions of OpenCL 2"};
            if (!calls(program, is_atomic)) return {};
            text.insert(0, ordinary_functions() + "#line 1\n");
            return {std::move(changed)};
        case WhatIf::EmptyKernel:
            if (std::string obstacle = empty_kernels(text, program); !obstacle.empty())
                return {.obstacle = std::move(obstacle)};
            return {std::move(changed)};
    }
    throw ContractError("change_kernel: this experiment changes no text");
}

}  // namespace kwb
