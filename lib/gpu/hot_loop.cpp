// SPDX-License-Identifier: Apache-2.0
#include "gpu/hot_loop.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kwb {
namespace {

/// Fewer samples do not show where the time goes.
constexpr std::size_t kFewestSamples = 20;

std::size_t count_of(const std::vector<std::uint64_t>& samples, std::uint64_t address) {
    return static_cast<std::size_t>(std::ranges::count(samples, address));
}

struct Arithmetic {
    std::uint32_t lanes = 0;       ///< 0: the instruction is no floating-point arithmetic
    std::uint32_t operations = 0;  ///< of each lane
};

/// "vfmadd231ps %ymm0,%ymm1,%ymm2": eight lanes, two operations.
Arithmetic arithmetic_of(std::string_view instruction) {
    constexpr std::array<std::string_view, 11> kNames = {"add", "sub",   "mul",   "div",    "sqrt",  "min",
                                                         "max", "fmadd", "fmsub", "fnmadd", "fnmsub"};
    std::string_view name = instruction.substr(0, instruction.find(' '));
    const std::string_view operands = instruction.substr(name.size());
    if (name.starts_with('v')) name.remove_prefix(1);
    if (name.size() < 5) return {};
    const std::string_view type = name.substr(name.size() - 2);
    if (type != "ps" && type != "pd" && type != "ss" && type != "sd") return {};
    const bool is_fused = name.starts_with('f');
    name.remove_suffix(2);
    while (is_fused && name.size() > 5 && name.back() >= '1' && name.back() <= '3')
        name.remove_suffix(1);  // 231
    if (std::ranges::find(kNames, name) == kNames.end()) return {};
    unsigned lanes = 1;
    if (type.starts_with('p')) {
        const unsigned bytes = operands.find("%zmm") != std::string_view::npos   ? 64
                               : operands.find("%ymm") != std::string_view::npos ? 32
                                                                                 : 16;
        lanes = bytes / (type == "ps" ? 4 : 8);
    }
    return {lanes, is_fused ? 2u : 1u};
}

/// From the label to the last jump back to it: indices into the lines of assembly.
struct Loop {
    std::size_t begin = 0, end = 0;
    bool contains(std::size_t line) const { return begin <= line && line <= end; }
};

std::vector<Loop> loops_of(const std::vector<AssemblyLine>& lines) {
    std::map<std::string_view, std::size_t> labels;
    std::map<std::size_t, std::size_t> ends;  // of the loops, by their beginnings
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string_view text = lines[i].text;
        if (lines[i].is_label) {
            labels[text.substr(0, text.size() - 1)] = i;
        } else if (text.starts_with('j')) {
            const auto label = labels.find(text.substr(text.rfind(' ') + 1));
            if (label != labels.end()) ends[label->second] = i;
        }
    }
    std::vector<Loop> loops;
    for (const auto& [begin, end] : ends) loops.push_back({begin, end});
    return loops;
}

}  // namespace

std::optional<HotLoop> find_hot_loop(const MachineCode& code, const std::vector<std::uint64_t>& samples) {
    const std::vector<AssemblyLine>& lines = code.assembly;
    std::vector<std::size_t> sampled;  // lines, one for each sample
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (!lines[i].is_label) sampled.insert(sampled.end(), count_of(samples, lines[i].address), i);
    if (sampled.size() < kFewestSamples) return std::nullopt;
    const std::vector<Loop> loops = loops_of(lines);
    const Loop* hot = nullptr;
    std::ptrdiff_t most = 0;
    for (const Loop& loop : loops) {
        const std::ptrdiff_t inside =
            std::ranges::count_if(sampled, [&](std::size_t line) { return loop.contains(line); });
        if (2 * inside < std::ssize(sampled)) continue;
        if (hot != nullptr && hot->end - hot->begin < loop.end - loop.begin) continue;
        hot = &loop;
        most = inside;
    }
    if (hot == nullptr) return std::nullopt;
    HotLoop found{.share = static_cast<double>(most) / static_cast<double>(sampled.size())};
    const bool is_innermost = std::ranges::none_of(
        loops, [&](const Loop& loop) { return &loop != hot && hot->contains(loop.begin); });
    double operations = 0, instructions = 0;
    for (std::size_t i = hot->begin; i <= hot->end; ++i) {
        if (lines[i].is_label) continue;
        const Arithmetic arithmetic = arithmetic_of(lines[i].text);
        found.lanes = std::max(found.lanes, arithmetic.lanes);
        operations += arithmetic.lanes * arithmetic.operations;
        ++instructions;
    }
    if (is_innermost && operations > 0) found.instructions_per_operation = instructions / operations;
    return found;
}

}  // namespace kwb
