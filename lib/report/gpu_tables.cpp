// SPDX-License-Identifier: Apache-2.0
// Machine code, occupancy and the shortest possible time, as tables.
#include <cmath>

#include "model/xray_words.hpp"
#include "report/xray_report.hpp"
#include "report/xray_summary.hpp"
#include "report/xray_table_maker.hpp"

namespace kwb {
namespace {

template <class Number>
std::string whole(const std::optional<Number>& figure) {
    return figure ? whole_text(*figure) : kNone;
}

std::string memory_text(std::optional<std::uint64_t> bytes) {
    return !bytes ? kNone : *bytes == 0 ? "0" : format_bytes(*bytes);
}

/// One for each target, with all kernels.
std::vector<XrayTable> machine_code_tables(std::span<const ObservedKernel> kernels) {
    std::vector<XrayTable> tables;
    std::vector<std::string> targets;
    for (const ObservedKernel& kernel : kernels)
        for (const TargetReport& report : kernel.targets)
            if (!report.kernels.empty() && std::ranges::find(targets, report.target) == targets.end())
                targets.push_back(report.target);
    for (const std::string& target : targets) {
        std::optional<TableMaker> table;
        for (const ObservedKernel& kernel : kernels)
            for (const TargetReport& report : kernel.targets) {
                if (report.target != target) continue;
                const bool is_ptx = target.starts_with("sm_");
                if (!table)
                    table.emplace(
                        "Compiled for " + target + " by " + report.compiler,
                        std::vector<XrayTable::Column>{
                            {.header = "kernel"},
                            {.header = "registers", .is_number = true, .term = "register"},
                            {.header = "scalar",
                             .is_number = true,
                             .meaning = "Registers that all lanes of a sub-group share."},
                            {.header = "local memory", .is_number = true, .term = "local memory"},
                            {.header = "scratch",
                             .is_number = true,
                             .meaning = "Private memory that lies in global memory."},
                            {.header = "spilled",
                             .is_number = true,
                             .meaning = "Variables that do not fit in registers."},
                            {.header = is_ptx ? "PTX instructions" : "instructions", .is_number = true}});
                for (const MachineCode& code : report.kernels)
                    table->add({name_of(kernel, code.kernel, report.kernels.size()), whole(code.registers),
                                whole(code.scalar_registers), memory_text(code.local_bytes),
                                memory_text(code.scratch_bytes), memory_text(code.spilled_bytes),
                                whole_text(code.instructions)});
            }
        tables.push_back(table->take_figures());
    }
    return tables;
}

std::string binding_text(const Occupancy& occupancy) {
    std::vector<std::string> names;
    for (const OccupancyLimit limit : occupancy.binding) names.push_back(to_string(limit));
    return join(names, ", ");
}

std::string occupancy_percent(const Occupancy& occupancy) {
    const double tenths = std::round(occupancy.percent * 10) / 10;
    return fmt::format("{}{:g} %", occupancy.knows_registers ? "" : "≤ ", tenths);
}

/// Occupancy of every launch on every GPU.
XrayTable occupancy_table(std::span<const ObservedKernel> kernels) {
    TableMaker table("Occupancy: resident work-groups per compute unit",
                     {{.header = "GPU"},
                      {.header = "kernel"},
                      {.header = "occupancy", .is_number = true, .term = "occupancy"},
                      {.header = "limited by"},
                      {.header = "better", .meaning = "Work-groups of this size have a higher occupancy."},
                      {.header = "work-items", .is_number = true, .meaning = "Of one work-group."},
                      {.header = "groups", .is_number = true, .term = "work-group"}},
                     2);
    for (const ObservedKernel& kernel : kernels)
        for (const GpuView& view : kernel.gpus)
            for (const GpuView::Launch& launch : view.launches) {
                const Occupancy& occupancy = launch.occupancy;
                table.add({view.gpu, name_of(kernel, launch.kernel, view.launches.size()),
                           occupancy_percent(occupancy), binding_text(occupancy),
                           launch.better
                               ? fmt::format("{}: {}", counted(launch.better->group_items, "work-item"),
                                             occupancy_percent(*launch.better))
                               : kNone,
                           whole_text(occupancy.group_items),
                           occupancy.groups == 0 ? "none fits" : whole_text(occupancy.groups)});
            }
    return table.take_figures();
}

/// A part of a bound; 0: nothing of the kind is needed.
std::string part_text(double ms) {
    return ms == 0 ? kNone : format_time_ms(ms);
}

XrayTable least_time_table(std::span<const ObservedKernel> kernels) {
    TableMaker table("Shortest possible time, without latency, synchronisation, cache misses and start-up",
                     {{.header = "GPU"},
                      {.header = "kernel"},
                      {.header = "at least", .is_number = true},
                      {.header = "bound by", .term = "roofline"},
                      {.header = "GFLOP/s at most", .is_number = true, .term = "GFLOP/s"},
                      {.header = "memory", .is_number = true, .term = "bandwidth"},
                      {.header = "last-level cache", .is_number = true},
                      {.header = "cache", .is_number = true},
                      {.header = "local memory", .is_number = true, .term = "bank"},
                      {.header = "issue", .is_number = true, .meaning = "Starting all instructions."},
                      {.header = "arithmetic", .is_number = true}},
                     2);
    for (const ObservedKernel& kernel : kernels)
        for (const GpuView& view : kernel.gpus) {
            if (!view.at_least) {
                if (is_unobserved(kernel.report))
                    table.add({view.gpu, kernel.label, kNone, "not counted: X-ray ended no work-group", kNone,
                               kNone, kNone, kNone, kNone, kNone, kNone});
                continue;
            }
            const LowerBound& bound = *view.at_least;
            table.add({view.gpu, kernel.label, format_time_ms(bound.ms),
                       bound.by ? to_string(*bound.by) : kNone,
                       kernel.flops && bound.ms > 0 ? figure_text(*kernel.flops / bound.ms / 1e6) : kNone,
                       part_text(bound.memory_ms), part_text(bound.last_level_ms), part_text(bound.cache_ms),
                       part_text(bound.local_ms), part_text(bound.issue_ms), part_text(bound.arithmetic_ms)});
        }
    return table.take_figures();
}

}  // namespace

std::vector<XrayTable> gpu_tables(std::span<const ObservedKernel> kernels) {
    std::vector<XrayTable> tables = machine_code_tables(kernels);
    for (XrayTable& table : std::vector{occupancy_table(kernels), least_time_table(kernels)})
        if (!table.columns.front().cells.empty()) tables.push_back(std::move(table));
    return tables;
}

XrayTable assembly_table(const TargetReport& report, const MachineCode& code) {
    // Of NVIDIA's GPUs the text is PTX, from which ptxas makes the machine code.
    const bool is_ptx = report.target.starts_with("sm_");
    TableMaker table(
        fmt::format("{} of {} for {}", is_ptx ? "PTX" : "Machine code", code.kernel, report.target),
        {{.header = "line"}, {.header = "instruction"}});
    for (const AssemblyLine& line : code.assembly)
        table.add({line.place.line == 0 ? "" : place_text(line.place), line.text}, &line.place);
    return table.take();
}

}  // namespace kwb
