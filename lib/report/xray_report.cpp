// SPDX-License-Identifier: Apache-2.0
#include "report/xray_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "base/text.hpp"
#include "model/finding_words.hpp"
#include "model/xray_words.hpp"
#include "report/numbers.hpp"
#include "report/xray_summary.hpp"

namespace kwb {
namespace {

constexpr const char* kNone = "-";

std::string digits(std::optional<double> figure) {
    return figure ? format_digits(*figure) : kNone;
}

std::string percent(std::optional<double> figure) {
    return figure ? fmt::format("{:.0f} %", *figure) : kNone;
}

std::string ratio_text(double above, double below) {
    return below > 0 ? format_digits(above / below) : kNone;
}

double as_double(std::uint64_t value) {
    return static_cast<double>(value);
}

/// A table whose columns are filled row by row.
class TableMaker {
public:
    /// @param keys  leading columns that name a row
    TableMaker(std::string title, std::vector<std::pair<std::string, bool>> columns, std::size_t keys = 1) {
        table_.title = std::move(title);
        table_.keys = keys;
        for (auto& [header, is_number] : columns)
            table_.columns.push_back({std::move(header), is_number, {}});
    }
    void add(const std::vector<std::string>& row, const XrayPlace* place = nullptr) {
        if (place != nullptr) table_.places.push_back(*place);
        for (std::size_t i = 0; i < row.size(); ++i) table_.columns[i].cells.push_back(row[i]);
    }
    XrayTable take() { return std::move(table_); }

private:
    XrayTable table_;
};

XrayTable access_table(const ObservedKernel& kernel) {
    TableMaker table("Accesses of " + kernel.label,
                     {{"line", false},
                      {"access", false},
                      {"executions", true},
                      {"pattern", false},
                      {"sectors", true},
                      {"lines", true},
                      {"used", true},
                      {"banks", true},
                      {"lanes", true}},
                     2);
    for (const XrayAccess& access : accesses_of(kernel.report)) {
        const XraySite& site = access.sum;
        const AccessFigures figures = figures_of(access, kernel.report.sub_group);
        table.add({place_text(site.place), to_string(site.kind) + " " + access.buffer->name,
                   std::to_string(site.executions), pattern_text(site), digits(figures.sectors),
                   digits(figures.lines), percent(figures.used_percent), digits(figures.bank_factor),
                   percent(figures.active_percent)},
                  &site.place);
    }
    return table.take();
}

XrayTable divergence_table(const ObservedKernel& kernel) {
    TableMaker table("Lines of " + kernel.label + " in which lanes of a sub-group diverge",
                     {{"line", false}, {"executions", true}, {"active lanes", true}});
    for (const XrayLine& line : kernel.report.lines)
        if (line.executions < line.lanes)
            table.add({place_text(line.place), std::to_string(line.executions),
                       percent(100 * as_double(line.executions) / as_double(line.lanes))},
                      &line.place);
    return table.take();
}

std::string bytes_text(double bytes) {
    return bytes < 0x1p63 ? format_bytes(static_cast<unsigned long long>(std::max(bytes, 0.0))) : kNone;
}

std::vector<std::pair<std::string, bool>> columns_of(std::span<const ObservedKernel> kernels) {
    std::vector<std::pair<std::string, bool>> columns = {{"", false}};
    for (const ObservedKernel& kernel : kernels) columns.emplace_back(kernel.label, true);
    return columns;
}

bool is_sampled(std::span<const ObservedKernel> kernels) {
    return std::ranges::any_of(kernels, [](const ObservedKernel& kernel) {
        const XrayTotals totals = totals_of(kernel.report);
        return totals.observed_groups < totals.groups;
    });
}

bool is_partial(const XrayReport& report) {
    return std::ranges::any_of(report.buffers,
                               [](const XrayBuffer& buffer) { return buffer.basis == CountBasis::Partial; });
}

XrayTable totals_table(std::span<const ObservedKernel> kernels) {
    TableMaker table("Totals", columns_of(kernels));
    std::vector<XrayTotals> totals;
    for (const ObservedKernel& kernel : kernels) totals.push_back(totals_of(kernel.report));
    const auto add = [&](const char* name, const std::function<std::string(std::size_t)>& text) {
        std::vector<std::string> row = {name};
        for (std::size_t i = 0; i < kernels.size(); ++i) row.push_back(text(i));
        table.add(row);
    };
    // If launches are missing, their sum is not the kernel's.
    const auto add_counted = [&](const char* name, const std::function<std::string(std::size_t)>& text) {
        add(name,
            [&](std::size_t i) { return is_partial(kernels[i].report) ? std::string(kNone) : text(i); });
    };
    add("work-groups observed",
        [&](std::size_t i) { return fmt::format("{} of {}", totals[i].observed_groups, totals[i].groups); });
    add_counted("global traffic, requested",
                [&](std::size_t i) { return bytes_text(totals[i].requested_bytes); });
    add_counted("global traffic, by sectors",
                [&](std::size_t i) { return bytes_text(totals[i].sector_bytes); });
    add("global traffic, compulsory", [&](std::size_t i) {
        return kernels[i].compulsory_bytes ? bytes_text(*kernels[i].compulsory_bytes) : kNone;
    });
    const auto intensity = [&](std::size_t i, double bytes) {
        return kernels[i].flops && *kernels[i].flops > 0 ? ratio_text(*kernels[i].flops, bytes)
                                                         : std::string(kNone);
    };
    add_counted("flops per byte, requested",
                [&](std::size_t i) { return intensity(i, totals[i].requested_bytes); });
    add_counted("flops per byte, by sectors",
                [&](std::size_t i) { return intensity(i, totals[i].sector_bytes); });
    if (std::ranges::any_of(kernels, &ObservedKernel::is_multiply_adds))
        add_counted("global loads per multiply-add (2 flops)", [&](std::size_t i) {
            return kernels[i].flops && kernels[i].is_multiply_adds
                       ? ratio_text(2 * totals[i].loads, *kernels[i].flops)
                       : std::string(kNone);
        });
    add_counted("barriers", [&](std::size_t i) { return fmt::format("{:.0f}", totals[i].barriers); });
    return table.take();
}

/// The mean count of those elements of a buffer that are used: "~23.5" where it is estimated.
std::string mean_text(const XrayBuffer& buffer, std::uint64_t count, std::uint64_t elements) {
    if (buffer.basis == CountBasis::Partial || elements == 0) return kNone;
    return (buffer.basis == CountBasis::Estimated ? "~" : "") +
           ratio_text(as_double(count), as_double(elements));
}

/// Buffers of all kernels by name, in the order in which they appear.
XrayTable buffer_table(std::span<const ObservedKernel> kernels) {
    std::vector<std::pair<std::string, bool>> columns = {{"buffer", false}, {"memory", false}};
    std::vector<const XrayBuffer*> buffers;
    for (const ObservedKernel& kernel : kernels) {
        const std::string suffix = kernels.size() > 1 ? ", " + kernel.label : " per element";
        columns.emplace_back("loads" + suffix, true);
        columns.emplace_back("stores" + suffix, true);
        for (const XrayBuffer& buffer : kernel.report.buffers)
            if (buffer.loads + buffer.stores > 0 &&
                std::ranges::find(buffers, buffer.name, &XrayBuffer::name) == buffers.end())
                buffers.push_back(&buffer);
    }
    const bool has_local =
        std::ranges::any_of(buffers, [](const XrayBuffer* buffer) { return !is_global(buffer->space); });
    TableMaker table(std::string("Mean loads and stores per used element") +
                         (is_sampled(kernels) ? ", scaled to the whole launch" : "") +
                         (has_local ? "; __local: per work-group" : ""),
                     std::move(columns), 2);
    for (const XrayBuffer* const buffer : buffers) {
        std::vector<std::string> row = {buffer->name, to_string(buffer->space)};
        for (const ObservedKernel& kernel : kernels) {
            const auto own = std::ranges::find(kernel.report.buffers, buffer->name, &XrayBuffer::name);
            const bool has = own != kernel.report.buffers.end();
            row.push_back(has ? mean_text(*own, own->loads, own->elements_loaded) : kNone);
            row.push_back(has ? mean_text(*own, own->stores, own->elements_stored) : kNone);
        }
        table.add(row);
    }
    return table.take();
}

template <class Number>
std::string whole(const std::optional<Number>& figure) {
    return figure ? std::to_string(*figure) : kNone;
}

std::string memory_text(std::optional<std::uint64_t> bytes) {
    return !bytes ? kNone : *bytes == 0 ? "0" : format_bytes(*bytes);
}

/// "matmul/tiled TILE=16", and the function if the file has several.
std::string name_of(const ObservedKernel& kernel, const std::string& function, std::size_t functions) {
    return functions > 1 ? kernel.label + ", " + function : kernel.label;
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
                    table.emplace("Compiled for " + target + " by " + report.compiler,
                                  std::vector<std::pair<std::string, bool>>{
                                      {"kernel", false},
                                      {"registers", true},
                                      {"scalar", true},
                                      {"local memory", true},
                                      {"scratch", true},
                                      {"spilled", true},
                                      {is_ptx ? "PTX instructions" : "instructions", true}});
                for (const MachineCode& code : report.kernels)
                    table->add({name_of(kernel, code.kernel, report.kernels.size()), whole(code.registers),
                                whole(code.scalar_registers), memory_text(code.local_bytes),
                                memory_text(code.scratch_bytes), memory_text(code.spilled_bytes),
                                std::to_string(code.instructions)});
            }
        tables.push_back(table->take());
        // Columns that a target lacks, for example registers on CPUs.
        std::erase_if(tables.back().columns, [](const XrayTable::Column& column) {
            return std::ranges::all_of(column.cells, [](const std::string& cell) { return cell == kNone; });
        });
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
                     {{"GPU", false},
                      {"kernel", false},
                      {"work-items", true},
                      {"groups", true},
                      {"occupancy", true},
                      {"limited by", false},
                      {"better", false}},
                     2);
    for (const ObservedKernel& kernel : kernels)
        for (const GpuView& view : kernel.gpus)
            for (const GpuView::Launch& launch : view.launches) {
                const Occupancy& occupancy = launch.occupancy;
                table.add({view.gpu, name_of(kernel, launch.kernel, view.launches.size()),
                           std::to_string(occupancy.group_items),
                           occupancy.groups == 0 ? "none fits" : std::to_string(occupancy.groups),
                           occupancy_percent(occupancy), binding_text(occupancy),
                           launch.better
                               ? fmt::format("{}: {}", counted(launch.better->group_items, "work-item"),
                                             occupancy_percent(*launch.better))
                               : kNone});
            }
    return table.take();
}

/// A part of a bound; 0: nothing of the kind is needed.
std::string part_text(double ms) {
    return ms == 0 ? kNone : format_time_ms(ms);
}

XrayTable least_time_table(std::span<const ObservedKernel> kernels) {
    TableMaker table("Shortest possible time, without latency, synchronisation, cache misses and start-up",
                     {{"GPU", false},
                      {"kernel", false},
                      {"at least", true},
                      {"GFLOP/s at most", true},
                      {"bound by", false},
                      {"memory", true},
                      {"last-level cache", true},
                      {"cache", true},
                      {"local memory", true},
                      {"issue", true},
                      {"arithmetic", true}},
                     2);
    for (const ObservedKernel& kernel : kernels)
        for (const GpuView& view : kernel.gpus) {
            if (!view.at_least) continue;
            const LowerBound& bound = *view.at_least;
            table.add({view.gpu, kernel.label, format_time_ms(bound.ms),
                       kernel.flops && bound.ms > 0 ? format_digits(*kernel.flops / bound.ms / 1e6) : kNone,
                       bound.by ? to_string(*bound.by) : kNone, part_text(bound.memory_ms),
                       part_text(bound.last_level_ms), part_text(bound.cache_ms), part_text(bound.local_ms),
                       part_text(bound.issue_ms), part_text(bound.arithmetic_ms)});
        }
    return table.take();
}

std::string place_prefix(const XrayPlace& place) {
    return place.line == 0 ? "" : place_text(place) + ": ";
}

std::string totals_terms(std::span<const ObservedKernel> kernels) {
    return std::string(
               "Requested: bytes that all work-items ask for. By sectors: bytes of the 32-byte sectors "
               "that each access of a sub-group touches, as if there were no cache. Compulsory: the "
               "fewest bytes that the problem must move. Used elements: those that are loaded or "
               "stored.") +
           (is_sampled(kernels)
                ? " Only some work-groups were observed, so all counts, also those per element, "
                  "are scaled to the whole launch: each observed work-group represents others of "
                  "its kind (corner, edge, inside)."
                : "");
}

std::string access_terms(std::span<const ObservedKernel> kernels) {
    const bool is_estimated = std::ranges::any_of(kernels, [](const ObservedKernel& kernel) {
        return std::ranges::any_of(kernel.report.buffers, [](const XrayBuffer& buffer) {
            return buffer.basis == CountBasis::Estimated;
        });
    });
    return fmt::format(
        "Sub-groups of {} work-items. Sectors (32 bytes) and lines (128 bytes): touched per access of a "
        "sub-group. Used: requested bytes as a share of those fetched in sectors. Banks: cycles in 32 banks "
        "of 4 bytes, as a multiple of those without conflicts. Lanes: the share of work-items that are "
        "active. The source is observed as written, before compiler optimisation.{}",
        kernels.empty() ? 0 : kernels.front().report.sub_group,
        is_estimated ? " ~: estimated, because the observed work-groups differ from each other." : "");
}

}  // namespace

std::vector<XrayTable> xray_tables(std::span<const ObservedKernel> kernels) {
    std::vector<XrayTable> tables;
    if (std::ranges::any_of(kernels, [](const auto& kernel) { return !kernel.report.launches.empty(); }))
        tables = {totals_table(kernels), buffer_table(kernels)};
    for (std::size_t i = 0; i < kernels.size(); ++i)
        for (XrayTable& table : std::vector{access_table(kernels[i]), divergence_table(kernels[i])}) {
            if (table.columns.front().cells.empty()) continue;
            table.kernel = i;
            tables.push_back(std::move(table));
        }
    return tables;
}

std::vector<XrayTable> gpu_tables(std::span<const ObservedKernel> kernels) {
    std::vector<XrayTable> tables = machine_code_tables(kernels);
    for (XrayTable& table : std::vector{occupancy_table(kernels), least_time_table(kernels)})
        if (!table.columns.front().cells.empty()) tables.push_back(std::move(table));
    return tables;
}

XrayTable assembly_table(const TargetReport& report, const MachineCode& code) {
    TableMaker table(fmt::format("Machine code of {} for {}", code.kernel, report.target),
                     {{"line", false}, {"instruction", false}});
    for (const AssemblyLine& line : code.assembly)
        table.add({line.place.line == 0 ? "" : place_text(line.place), line.text}, &line.place);
    return table.take();
}

std::string xray_terms(std::span<const ObservedKernel> kernels) {
    return totals_terms(kernels) + " " + access_terms(kernels);
}

std::vector<std::string> xray_findings(const ObservedKernel& kernel) {
    return sentences_of(kernel.report.undefined);
}

std::vector<std::string> xray_remarks(const ObservedKernel& kernel) {
    std::vector<std::string> remarks = sentences_of(kernel.report.remarks);
    for (std::string& sentence : target_remarks(kernel)) remarks.push_back(std::move(sentence));
    return remarks;
}

std::vector<std::string> target_remarks(const ObservedKernel& kernel) {
    std::vector<std::string> remarks;
    // A fault that several compilers reject for the same reason is reported once.
    std::map<std::string, std::vector<std::string>> targets_of;  // by "place: words"
    const auto told = [](const CompilerError& error) { return place_prefix(error.place) + error.words; };
    for (const TargetReport& report : kernel.targets)
        for (const CompilerError& error : report.errors) {
            std::vector<std::string>& known = targets_of[told(error)];
            if (std::ranges::find(known, report.target) == known.end()) known.push_back(report.target);
        }
    for (const TargetReport& report : kernel.targets) {
        for (const CompilerError& error : report.errors) {
            const std::vector<std::string> targets = std::exchange(targets_of[told(error)], {});
            if (!targets.empty())
                remarks.push_back(fmt::format("{}not for {}: {}", place_prefix(error.place),
                                              enumerate(targets), error.words));
        }
        for (const std::string& words : {report.failure, report.remark})
            if (!words.empty()) remarks.push_back(report.target + ": " + words);
    }
    return remarks;
}

bool has_undefined(std::span<const ObservedKernel> kernels) {
    return std::ranges::any_of(kernels,
                               [](const ObservedKernel& kernel) { return !kernel.report.undefined.empty(); });
}

bool has_failed_targets(std::span<const ObservedKernel> kernels) {
    return std::ranges::any_of(kernels, [](const ObservedKernel& kernel) {
        return std::ranges::any_of(kernel.targets, [](const TargetReport& report) {
            return !report.errors.empty() || !report.failure.empty();
        });
    });
}

std::string assembly_text(std::span<const ObservedKernel> kernels, const TableOptions& options) {
    std::string text;
    for (const ObservedKernel& kernel : kernels)
        for (const TargetReport& report : kernel.targets)
            for (const MachineCode& code : report.kernels) {
                const std::string title =
                    fmt::format("Assembly of {} for {}", name_of(kernel, code.kernel, report.kernels.size()),
                                report.target);
                text += "\n" + paint(plain_signs(title, options), Tone::Strong, options) + "\n";
                for (const AssemblyLine& line : code.assembly)
                    text += line.is_label
                                ? line.text + "\n"
                                : fmt::format("{:>10}  {}\n",
                                              line.place.line == 0 ? "" : place_text(line.place), line.text);
            }
    return text;
}

std::string xray_text(std::span<const ObservedKernel> kernels, const TableOptions& options) {
    const auto write = [&](const std::string& sentence) {
        return paragraph(plain_signs(sentence, options), options.width);
    };
    std::string text;
    const bool any = std::ranges::any_of(
        kernels, [](const ObservedKernel& kernel) { return !kernel.report.launches.empty(); });
    std::vector<XrayTable> tables = xray_tables(kernels);
    for (XrayTable& table : gpu_tables(kernels)) tables.push_back(std::move(table));
    for (const XrayTable& table : tables) {
        Grid grid;
        for (const XrayTable::Column& column : table.columns) {
            std::vector<Cell> cells;
            for (const std::string& cell : column.cells) cells.push_back({plain_signs(cell, options)});
            grid.add_column(column.header, column.is_number ? Align::Right : Align::Left, std::move(cells));
        }
        text += paint(plain_signs(table.title, options), Tone::Strong, options) + "\n" +
                grid.render_in_parts(table.keys, kLeastLabelColumns, options) + "\n";
        if (any && &table == &tables.front()) text += write(totals_terms(kernels)) + "\n";
    }
    if (any) text += write(access_terms(kernels));
    for (const ObservedKernel& kernel : kernels) {
        const auto& undefined = kernel.report.undefined;
        if (!undefined.empty())
            text += "\n" + kernel.label + ": " + paint("undefined", Tone::Undefined, options) + "\n";
        for (const std::string& sentence : xray_findings(kernel))
            text += paragraph(plain_signs(sentence, options), options.width, kIndent);
        for (const std::string& sentence : xray_remarks(kernel))
            text += write("\n" + kernel.label + ": " + sentence);
    }
    return text;
}

}  // namespace kwb
