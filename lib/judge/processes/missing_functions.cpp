#include "judge/processes/missing_functions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "judge/build/build_log.hpp"
#include "judge/build/source_hints.hpp"
#include "source/kernels.hpp"

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

/// Counted from 1, in characters; 1 if the name is not in the line because a macro makes the call.
std::uint32_t column_of(std::string_view name, std::string_view line) {
    for (std::size_t at = line.find(name); at != std::string_view::npos; at = line.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        const bool whole =
            (at == 0 || !is_name_part(line[at - 1])) && (end == line.size() || !is_name_part(line[end]));
        if (whole) return static_cast<std::uint32_t>(at + 1);
    }
    return 1;
}

std::string sentence(std::string_view name) {
    return fmt::format(
        "nothing defines the function {0}: OpenCL C has no such function on this device, and no library is "
        "linked; define {0} in the source, or avoid it",
        name);
}

}  // namespace

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
    const Reading reading = read_source(read_plan_source(plan));
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
