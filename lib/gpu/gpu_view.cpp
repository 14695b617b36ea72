// SPDX-License-Identifier: Apache-2.0
#include "gpu/gpu_view.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <string_view>

#include "gpu/occupancy.hpp"

namespace kwb {
namespace {

std::uint64_t product(const std::vector<std::uint64_t>& extents) {
    return std::accumulate(extents.begin(), extents.end(), std::uint64_t{1}, std::multiplies<>());
}

/// Local memory of a work-group: the amount that the compiler reports, or else the arrays that the kernel
/// accesses; and the arguments of the launch.
std::uint64_t local_bytes_of(const XrayReport& report, std::size_t launch, const MachineCode* code) {
    const bool is_known = code != nullptr && code->local_bytes.has_value();
    std::set<std::uint32_t> used;
    for (const XraySite& site : report.sites)
        if (site.launch == launch && report.buffers[site.buffer].space == AddressSpace::Local)
            used.insert(site.buffer);
    std::uint64_t bytes = is_known ? *code->local_bytes : 0;
    for (const std::uint32_t number : used) {
        const XrayBuffer& buffer = report.buffers[number];
        if (buffer.is_argument || !is_known) bytes += product(buffer.extents) * buffer.element_bytes;
    }
    return bytes;
}

/// Of the instructions that compute with floating-point numbers, those in double precision: "fma.rn.f64" in
/// PTX, "v_fma_f64" in AMD's assembly.
std::optional<double> double_share_of(const MachineCode& code) {
    std::uint64_t all = 0, doubles = 0;
    for (const AssemblyLine& line : code.assembly) {
        std::string_view name = line.text;
        if (line.is_label || line.place.line == 0) continue;  // built-in functions may differ on the GPU
        if (name.starts_with('@'))
            name.remove_prefix(std::min(name.find(' ') + 1, name.size()));  // predicate
        name = name.substr(0, name.find(' '));
        const auto has = [&](std::string_view part) { return name.find(part) != std::string_view::npos; };
        if (has("cvt") || has("mov") || has("ld.") || has("st.") || has("load") || has("store")) continue;
        const bool is_double = has("f64");
        doubles += is_double ? 1 : 0;
        all += is_double || has("f32") || has("f16") ? 1 : 0;
    }
    return all > 0 ? std::optional(static_cast<double>(doubles) / static_cast<double>(all)) : std::nullopt;
}

}  // namespace

GpuView view_on(const GpuProfile& gpu, const XrayReport& report, const TargetReport* compiled,
                const ProblemCost& cost) {
    GpuView view{.gpu = gpu.name};
    for (std::size_t i = 0; i < report.launches.size(); ++i) {
        const XrayLaunch& launch = report.launches[i];
        const MachineCode* const code = find_code(compiled, launch.kernel);
        KernelNeeds needs{.group_items = product(launch.local),
                          .local_bytes = local_bytes_of(report, i, code)};
        if (code != nullptr) needs.registers = code->registers;
        // A device whose registers never bind needs none to be known.
        if (gpu.registers == 0) needs.registers = 0;
        view.launches.push_back({launch.kernel, gpu.registers == 0 ? std::nullopt : needs.registers,
                                 needs.local_bytes, occupancy_of(gpu, needs), better_group(gpu, needs)});
        if (code == nullptr) continue;
        view.launches.back().scratch_bytes = code->scratch_bytes;
        view.launches.back().double_share = double_share_of(*code);
    }
    const bool is_counted =
        !report.launches.empty() && std::ranges::none_of(report.launches, [](const XrayLaunch& launch) {
            return launch.observed_groups == 0;
        });
    if (report.sub_group == gpu.sub_group && is_counted)
        view.at_least = lower_bound_of(gpu, report, compiled, cost);
    return view;
}

}  // namespace kwb
