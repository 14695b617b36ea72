// SPDX-License-Identifier: Apache-2.0
#include "gpu/lower_bound.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace kwb {
namespace {

/// A second bound above this share of the largest one is nearly as large: no bound is known better.
constexpr double kClearly = 0.9;
constexpr double kWidestBytes = 16;  ///< of an access of a work-item, on all GPUs here

double as_double(std::uint64_t value) {
    return static_cast<double>(value);
}

/// Bytes that an instruction moves for a work-item; 0: it accesses no memory.
double bytes_of(std::string_view instruction) {
    const std::string_view name = instruction.substr(0, instruction.find(' '));
    const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
    if (name.starts_with("ld.") || name.starts_with("st.") || name.starts_with("atom.") ||
        name.starts_with("red.")) {
        double width = has("64") ? 8 : has("16") ? 2 : has("8") ? 1 : 4;
        if (has(".v2")) width *= 2;
        if (has(".v4")) width *= 4;
        return has(".param") ? 0 : width;
    }
    if (name.starts_with("s_load") || name.starts_with("s_buffer_load")) return 64;  // of the whole sub-group
    for (const std::string_view prefix : {"global_", "flat_", "buffer_", "scratch_", "ds_"}) {
        if (!name.starts_with(prefix)) continue;
        if (has("x4") || has("b128")) return 16;
        if (has("x3") || has("b96")) return 12;
        if (has("x2") || has("b64")) return 8;
        return has("b8") || has("u8") || has("i8") || has("byte") ? 1 : has("16") || has("short") ? 2 : 4;
    }
    return 0;
}

bool is_in_line(const AssemblyLine& line, const XrayPlace& place) {
    return line.place.line == place.line && line.place.file == place.file;
}

/// Whether no other access of the launch could be merged with those of this site.
bool is_alone(const XraySite& site, const XrayReport& report) {
    return std::ranges::none_of(report.sites, [&](const XraySite& other) {
        return &other != &site && other.launch == site.launch && other.buffer == site.buffer &&
               other.kind == site.kind;
    });
}

/// The largest number of a work-item's accesses to neighbours that can merge into one of `widest` elements.
double in_runs(const XraySite& site, double widest) {
    const double runs = as_double(site.executions - std::min(site.adjacent, site.executions));
    return runs > 0 ? std::min(widest, as_double(site.executions) / runs) : widest;
}

/// How many accesses of the source one instruction stands for at most; 0: the compiler has removed the
/// access.
double merged(const XraySite& site, const XrayReport& report, const MachineCode* code) {
    const double width = std::max(as_double(site.width_bytes), 1.0);
    const double widest = std::max(kWidestBytes / width, 1.0);
    if (code == nullptr) return is_alone(site, report) ? in_runs(site, widest) : widest;
    double at_place = 0;
    double in_line = 0;
    for (const AssemblyLine& line : code->assembly) {
        if (!is_in_line(line, site.place)) continue;
        const double bytes = bytes_of(line.text);
        in_line = std::max(in_line, bytes);
        if (line.place.column == site.place.column) at_place = std::max(at_place, bytes);
    }
    const double bytes = at_place > 0 ? at_place : in_line;
    if (bytes == 0) return 0;
    const double seen = std::max(bytes / width, 1.0);
    if (report.buffers[site.buffer].space != AddressSpace::Local || site.executions == 0) return seen;
    // A vendor's own compiler knows where `__local` arrays lie, and may merge more.
    return std::max(seen, in_runs(site, widest));
}

/// The bytes that stores move in addition to those that they store, if each reaches the last-level cache in
/// whole sectors. Stores of a work-item to neighbours may be combined on the way.
double scattered_bytes_of(const XraySite& site) {
    const double width = std::max(as_double(site.width_bytes), 1.0);
    const double combined = in_runs(site, std::max(as_double(kSectorBytes) / width, 1.0));
    const double sectors = as_double(site.sectors * kSectorBytes) / combined;
    return std::max(sectors - as_double(site.requested_bytes), 0.0);
}

/// The share of a line's loads that the compiler kept; 1 if that is not known. Where it unrolls a loop, it
/// may load an element once that several iterations use. An iteration computes at least one multiply-add, or
/// one for each part of the widest vector that it loads, so their number gives the iterations in the code.
double kept_share(const XraySite& site, const XrayReport& report, const MachineCode* code) {
    constexpr double kFloatBytes = 4;
    if (code == nullptr || site.kind != AccessKind::Load) return 1;
    double fused = 0, added = 0, multiplied = 0, loaded_bytes = 0;
    for (const AssemblyLine& line : code->assembly) {
        if (line.is_label || !is_in_line(line, site.place)) continue;
        const std::string_view name = std::string_view(line.text).substr(0, line.text.find(' '));
        const auto is_any = [&](std::initializer_list<std::string_view> parts) {
            return std::ranges::any_of(parts, [&](auto part) { return name.find(part) != name.npos; });
        };
        if (const double bytes = bytes_of(name); bytes > 0 && !is_any({"st.", "store", "write", "atom"}))
            loaded_bytes += bytes * (name.find("read2") != name.npos ? 2 : 1);
        else if (is_any({"fma.rn.f", "mad.rn.f", "fma_f", "mac_f", "mad_f"}))
            ++fused;
        else if (is_any({"add.f", "add.rn.f", "add_f"}))
            ++added;
        else if (is_any({"mul.f", "mul.rn.f", "mul_f"}))
            ++multiplied;
    }
    double asked_bytes = 0, widest = kFloatBytes;  // of an iteration
    for (const XraySite& other : report.sites) {
        if (other.kind != AccessKind::Load || other.launch != site.launch ||
            other.place.line != site.place.line || other.place.file != site.place.file)
            continue;
        asked_bytes += as_double(other.width_bytes);
        widest = std::max(widest, as_double(other.width_bytes));
    }
    const double iterations = (fused + std::max(added, multiplied)) * kFloatBytes / widest;
    if (iterations == 0 || loaded_bytes == 0) return 1;
    return std::min(loaded_bytes / (iterations * asked_bytes), 1.0);
}

}  // namespace

LowerBound lower_bound_of(const GpuProfile& gpu, const XrayReport& report, const TargetReport* compiled,
                          const ProblemCost& cost) {
    const double clocks_per_ms = gpu.clock_mhz * 1000 * gpu.compute_units;
    double cache_clocks = 0;
    double local_clocks = 0;
    double accesses = 0;
    double scattered_bytes = 0;
    for (const XraySite& site : report.sites) {
        const MachineCode* const code = find_code(compiled, report.launches[site.launch].kernel);
        const double merge = merged(site, report, code);
        if (merge == 0) continue;
        const double kept = kept_share(site, report, code);
        const double instructions = as_double(site.sub_group_accesses) * kept / merge;
        const double start_clocks = instructions / gpu.accesses_per_clock;
        accesses += instructions;
        if (report.buffers[site.buffer].space == AddressSpace::Local) {
            const double bank_clocks = as_double(site.bank_cycles) * kept / merge;
            local_clocks += std::max(start_clocks, bank_clocks * 32 * 4 / gpu.local_bytes_per_clock);
        } else {
            const double bytes = as_double(site.sectors * kSectorBytes) * kept / merge;
            cache_clocks += std::max(start_clocks, bytes / gpu.cache_bytes_per_clock);
            if (site.kind == AccessKind::Store && is_alone(site, report))
                scattered_bytes += scattered_bytes_of(site);
        }
    }
    const double flops = cost.flops.value_or(0);
    const double compulsory = cost.bytes.value_or(0);
    const double passing = compulsory + (gpu.writes_through ? scattered_bytes : 0);
    LowerBound bound;
    bound.memory_ms = std::max(compulsory - as_double(gpu.cache_bytes), 0.0) / (gpu.bandwidth_gbs * 1e6);
    bound.last_level_ms = passing / gpu.last_level_bytes_per_clock / (gpu.clock_mhz * 1000);
    bound.cache_ms = cache_clocks / clocks_per_ms;
    bound.local_ms = local_clocks / clocks_per_ms;
    bound.issue_ms = (accesses + flops / 2 / gpu.sub_group) / gpu.instructions_per_clock / clocks_per_ms;
    bound.arithmetic_ms = flops / (gpu.peak_gflops * 1e6);
    std::array<std::pair<BoundKind, double>, 6> terms = {{{BoundKind::Memory, bound.memory_ms},
                                                          {BoundKind::LastLevel, bound.last_level_ms},
                                                          {BoundKind::Cache, bound.cache_ms},
                                                          {BoundKind::LocalMemory, bound.local_ms},
                                                          {BoundKind::Issue, bound.issue_ms},
                                                          {BoundKind::Arithmetic, bound.arithmetic_ms}}};
    std::ranges::stable_sort(terms, std::greater{}, &std::pair<BoundKind, double>::second);
    const auto& [largest, ms] = terms[0];
    if (terms[1].second < kClearly * ms) bound.by = largest;
    // Nothing takes less than a clock.
    bound.ms = ms > 0 ? std::max(ms, 1 / (gpu.clock_mhz * 1000)) : 0;
    return bound;
}

}  // namespace kwb
