// SPDX-License-Identifier: Apache-2.0
#include "judge/build/source_hints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "judge/build/build_log.hpp"
#include "judge/processes/device_bench.hpp"
#include "model/finding_words.hpp"
#include "model/xray_words.hpp"
#include "source/builtins.hpp"
#include "source/kernels.hpp"
#include "source/read.hpp"
#include "source/suspicions.hpp"

namespace kwb {
namespace {

constexpr std::size_t kMostMissing = 20;

bool is_name_part(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The function name in a linker's error message; empty if the line is not such a message.
std::string_view name_in(std::string_view line) {
    constexpr std::string_view kComplaints[] = {
        "Cannot find symbol ",          // PoCL: "… in kernel library"
        "Unresolved extern function ",  // ptxas: in quotes
        "undefined symbol: ",           // lld
        "undefined hidden symbol: ",
    };
    for (const std::string_view complaint : kComplaints) {
        const std::size_t at = line.find(complaint);
        if (at == std::string_view::npos) continue;
        std::string_view name = line.substr(at + complaint.size());
        if (name.starts_with('\'')) name.remove_prefix(1);
        const auto end = std::find_if_not(name.begin(), name.end(), is_name_part);
        return name.substr(0, static_cast<std::size_t>(end - name.begin()));
    }
    return {};
}

/// "_Z11dot_productPKfi" → "dot_product": mangled names of overloadable functions (Itanium C++ ABI, 5.1).
std::string_view without_types(std::string_view name) {
    if (!name.starts_with("_Z")) return name;
    std::size_t length = 0;
    const auto [rest, error] = std::from_chars(name.data() + 2, name.data() + name.size(), length);
    const auto start = static_cast<std::size_t>(rest - name.data());
    if (error != std::errc{} || length == 0 || length > name.size() - start) return name;
    return name.substr(start, length);
}

/// The position of `name` as a whole word; npos if there is none.
std::size_t find_word(std::string_view name, std::string_view text) {
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if ((at == 0 || !is_name_part(text[at - 1])) && (end == text.size() || !is_name_part(text[end])))
            return at;
    }
    return std::string_view::npos;
}

bool has_word(const KernelPlan& plan, std::string_view name) {
    const auto is_in = [&](std::string_view text) { return find_word(name, text) != std::string_view::npos; };
    return !name.empty() &&
           (is_in(plan.source_text) || std::ranges::any_of(plan.includes, is_in, &Named<std::string>::value));
}

/// Counted from 1, in characters; 1 if the name is not in the line because a macro makes the call.
std::uint32_t column_of(std::string_view name, std::string_view line) {
    const std::size_t at = find_word(name, line);
    return at == std::string_view::npos ? 1 : static_cast<std::uint32_t>(at + 1);
}

std::string sentence(std::string_view name) {
    if (const std::string_view home = find_home(name); !home.empty())
        return fmt::format("{} needs {}, which is not available as this source is built for this device",
                           name, home);
    return fmt::format(
        "the function {0} is not defined: OpenCL C has no such function on this device, and no library is "
        "linked. Define {0} in the source, or avoid it",
        name);
}

}  // namespace

std::vector<Finding> find_plan_suspicions(const source::Program& program, const KernelPlan& plan) {
    std::vector<std::string> launched;
    for (const LaunchPlan& launch : plan.launches) launched.push_back(launch.kernel);
    return source::find_suspicions(program, launched);
}

std::vector<Hint> hints_of(const std::vector<Finding>& suspicions, const std::vector<XrayPlace>& barriers,
                           const std::optional<XrayOutcome>& xray) {
    const auto is_observed = [&](const Finding& found, std::uint32_t line) {
        if (found.code == FindingCode::SuspectBarrier)
            return std::ranges::any_of(barriers, [&](const XrayPlace& barrier) {
                return barrier.file.empty() && barrier.line == line;
            });
        // Functions that call each other may be reported under the name of any of them.
        return xray && std::ranges::any_of(xray->undefined, [&](const Finding& one) {
                   return one.code == found.code &&
                          (found.code == FindingCode::Recursion || one.subject == found.subject);
               });
    };
    std::vector<Hint> hints;
    for (const Finding& found : suspicions) {
        const std::uint32_t line = place_from(found.place).line;
        if (!is_observed(found, line)) hints.push_back({line, sentence_of(found)});
    }
    return hints;
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
    return lines.size() == 1 ? ". See the hint at line " + lines.front()
                             : ". See the hints at lines " + enumerate(lines);
}

std::string refer_to_tiles(Verdict verdict, const KernelPlan& plan) {
    const bool explicable =
        verdict == Verdict::Wrong || verdict == Verdict::OutOfBounds || verdict == Verdict::KernelCrashed;
    const auto is_left = [](const LaunchPlan& launch) { return !launch.local; };
    if (!explicable || std::ranges::none_of(plan.launches, is_left)) return "";
    const Reading reading = read_source(source_text_of(plan));
    if (!reading.program) return "";
    const source::Program& program = *reading.program;
    const std::vector<SourceKernel> kernels = kernel_functions_of(program);
    for (const LaunchPlan& launch : plan.launches) {
        const auto kernel = std::ranges::find(kernels, launch.kernel, &SourceKernel::name);
        const source::Function* const function = program.find_function(launch.kernel);
        if (!is_left(launch) || kernel == kernels.end() || !kernel->uses_groups || function == nullptr)
            continue;
        for (const source::SymbolId id : function->variables) {
            const source::Symbol& tile = program.symbol(id);
            if (tile.space != source::Space::Local || !tile.array || tile.extents.empty()) continue;
            std::string name(tile.name);
            for (const std::int64_t extent : tile.extents) name += fmt::format("[{}]", extent);
            return fmt::format(
                ". The driver chose the work-group size, but the source declares {} in local memory. If {} "
                "relies on a certain size, choose it",
                name, launch.kernel);
        }
    }
    return "";
}

void add_untold(BuiltReply& built, const KernelPlan& plan) {
    const auto no_local_memory = [](const FunctionInfo& f) { return f.info.local_mem_bytes == 0; };
    const bool mentions_local = has_word(plan, "local") || has_word(plan, "__local") ||
                                build_options_of(plan).find("local") != std::string::npos;
    if (mentions_local && std::ranges::any_of(built.functions, no_local_memory)) {
        const auto declared = find_local_memory(source_text_of(plan));
        for (FunctionInfo& function : built.functions)
            if (const auto found = declared.find(function.name);
                no_local_memory(function) && found != declared.end())
                function.info.local_mem_bytes = found->second;
    }
    const auto has_foreign_names = [&](const FunctionInfo& f) {
        return f.arguments.empty() || std::ranges::any_of(f.arguments, [&](const KernelParameter& argument) {
                   return !has_word(plan, argument.name);
               });
    };
    if (std::ranges::none_of(built.functions, has_foreign_names)) return;
    const auto kernels = find_kernel_functions(source_text_of(plan));
    if (!kernels) return;
    for (FunctionInfo& function : built.functions) {
        const auto kernel = std::ranges::find(*kernels, function.name, &SourceKernel::name);
        if (kernel == kernels->end()) continue;
        if (function.arguments.empty()) function.arguments = kernel->parameters;
        if (function.arguments.size() != kernel->parameters.size()) continue;
        for (std::size_t i = 0; i < kernel->parameters.size(); ++i)
            function.arguments[i].name = kernel->parameters[i].name;
    }
}

std::vector<Diagnostic> find_missing_functions(std::string_view log, const KernelPlan& plan) {
    std::vector<std::string_view> names;
    const std::vector<std::string> lines = split_lines(log);
    for (const std::string& line : lines) {
        const std::string_view name = without_types(name_in(line));
        if (name.empty() || !parse_build_log(line).empty()) continue;  // e.g. the text of an #error
        if (names.size() < kMostMissing && std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(name);
    }
    if (names.empty()) return {};

    std::vector<Diagnostic> found;
    const Reading reading = read_source(source_text_of(plan));
    const std::vector<std::string> text = split_lines(plan.source_text);
    for (const std::string_view name : names) {
        const auto line = reading.program ? find_first_call(*reading.program, name) : std::nullopt;
        if (!line || *line == 0 || *line > text.size()) continue;
        found.push_back(
            {Severity::Error, plan.file, *line, column_of(name, text[*line - 1]), sentence(name)});
    }
    if (found.empty()) found.push_back({Severity::Error, plan.file, 0, 0, sentence(names.front())});
    std::stable_sort(found.begin(), found.end(), [](const Diagnostic& a, const Diagnostic& b) {
        return std::pair(a.line, a.column) < std::pair(b.line, b.column);
    });
    return found;
}

}  // namespace kwb
