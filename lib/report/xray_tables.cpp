// SPDX-License-Identifier: Apache-2.0
// What X-ray counted, as tables, and what their terms mean.
#include <cctype>
#include <functional>

#include "model/xray_words.hpp"
#include "report/xray_report.hpp"
#include "report/xray_summary.hpp"
#include "report/xray_table_maker.hpp"

namespace kwb {
namespace {

std::string digits(std::optional<double> figure) {
    return figure ? figure_text(*figure) : kNone;
}

std::string percent(std::optional<double> figure) {
    return figure ? fmt::format("{:.0f} %", *figure) : kNone;
}

double as_double(std::uint64_t value) {
    return static_cast<double>(value);
}

/// The figures of one access, the most important first.
std::vector<XrayTable::Column> access_columns() {
    return {{.header = "line"},
            {.header = "access"},
            {.header = "pattern",
             .meaning = "How the lanes of a sub-group address memory, most often.",
             .term = "coalesced"},
            {.header = "sectors",
             .is_number = true,
             .meaning = "Sectors of 32 bytes touched per access of a sub-group.",
             .term = "sector"},
            {.header = "used",
             .is_number = true,
             .meaning = "Requested bytes as a share of those fetched in sectors."},
            {.header = "banks",
             .is_number = true,
             .meaning = "Cycles in 32 banks of 4 bytes, as a multiple of those without conflicts.",
             .term = "bank conflict"},
            {.header = "lanes",
             .is_number = true,
             .meaning = "The share of work-items that are active.",
             .term = "lane"},
            {.header = "lines",
             .is_number = true,
             .meaning = "Lines of 128 bytes touched per access of a sub-group."},
            {.header = "executions", .is_number = true, .meaning = "By work-items, in all work-groups."}};
}

XrayTable access_table(const ObservedKernel& kernel) {
    TableMaker table("Accesses of " + kernel.label, access_columns(), 2);
    for (const XrayAccess& access : accesses_of(kernel.report)) {
        const XraySite& site = access.sum;
        const AccessFigures figures = figures_of(access, kernel.report.sub_group);
        table.add({place_text(site.place), to_string(site.kind) + " " + access.buffer->name,
                   pattern_text(site), Figure(digits(figures.sectors), figures.wastes_sectors),
                   Figure(percent(figures.used_percent), figures.wastes_sectors),
                   Figure(digits(figures.bank_factor), figures.bank_factor >= 2),
                   percent(figures.active_percent), digits(figures.lines), whole_text(site.executions)},
                  &site.place);
    }
    return table.take_figures();
}

XrayTable divergence_table(const ObservedKernel& kernel) {
    TableMaker table("Lines of " + kernel.label + " in which lanes of a sub-group diverge",
                     {{.header = "line"},
                      {.header = "active lanes", .is_number = true, .term = "divergence"},
                      {.header = "executions", .is_number = true}});
    for (const XrayLine& line : kernel.report.lines)
        if (line.executions < line.lanes)
            table.add(
                {place_text(line.place), percent(100 * as_double(line.executions) / as_double(line.lanes)),
                 whole_text(line.executions)},
                &line.place);
    return table.take();
}

std::string bytes_text(double bytes) {
    return bytes < 0x1p63 ? format_bytes(static_cast<unsigned long long>(std::max(bytes, 0.0))) : kNone;
}

std::string amount_text(double count) {
    return group_thousands(fmt::format("{:.0f}", count));
}

/// Which of two figures of the same kind is the worse one.
enum class Worse { Larger, Smaller, Neither };

/// "16×", "0.0625×"
std::string ratio_text(double ratio) {
    return (ratio < 1000 ? fmt::format("{:.3g}", ratio) : figure_text(ratio)) + "\u00d7";
}

/// A column for each kernel; of two kernels, another one for the ratio.
void add_kernel_columns(std::vector<XrayTable::Column>& columns, std::span<const ObservedKernel> kernels) {
    for (const ObservedKernel& kernel : kernels)
        columns.push_back({.header = kernel.label, .is_number = true});
    if (kernels.size() == 2)
        columns.push_back({.header = "ratio",
                           .is_number = true,
                           .meaning = kernels[1].label + " divided by " + kernels[0].label + "."});
}

/// The cells for them. @param figures  of each kernel; nullopt: not known
void add_kernel_cells(std::vector<Figure>& row, const std::vector<std::optional<double>>& figures,
                      Worse worse, const std::function<std::string(std::size_t)>& text) {
    constexpr double kClearly = 2;
    const bool is_pair = figures.size() == 2 && figures[0] && figures[1];
    const double ratio = is_pair && *figures[0] > 0 ? *figures[1] / *figures[0] : 0;
    const bool is_large = ratio >= kClearly, is_small = ratio > 0 && ratio <= 1 / kClearly;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const bool is_larger = i == 1 ? is_large : is_small, is_smaller = i == 1 ? is_small : is_large;
        row.emplace_back(figures[i] ? text(i) : kNone,
                         (worse == Worse::Larger && is_larger) || (worse == Worse::Smaller && is_smaller));
    }
    if (figures.size() == 2) row.emplace_back(ratio > 0 ? ratio_text(ratio) : kNone);
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
    std::vector<XrayTable::Column> columns = {{.header = ""}};
    add_kernel_columns(columns, kernels);
    TableMaker table("Totals", std::move(columns));
    std::vector<XrayTotals> totals;
    for (const ObservedKernel& kernel : kernels) totals.push_back(totals_of(kernel.report));
    using Count = std::optional<double>;
    const auto add = [&](const char* name, Worse worse, std::string (*text)(double),
                         const std::function<Count(const ObservedKernel&, const XrayTotals&)>& count) {
        std::vector<Figure> row = {name};
        std::vector<Count> counts;
        for (std::size_t i = 0; i < kernels.size(); ++i) counts.push_back(count(kernels[i], totals[i]));
        add_kernel_cells(row, counts, worse, [&](std::size_t i) { return text(*counts[i]); });
        table.add(row);
    };
    // If launches are missing, their sum is not the kernel's.
    const auto add_counted =
        [&](const char* name, Worse worse, std::string (*text)(double),
            const std::function<Count(const ObservedKernel&, const XrayTotals&)>& count) {
            add(name, worse, text, [&](const ObservedKernel& kernel, const XrayTotals& sums) {
                return is_partial(kernel.report) ? std::nullopt : count(kernel, sums);
            });
        };
    const auto quotient = [](Count above, double below) {
        return above && below > 0 ? Count(*above / below) : std::nullopt;
    };
    const auto flops = [](const ObservedKernel& kernel) {
        return kernel.flops && *kernel.flops > 0 ? kernel.flops : std::nullopt;
    };
    add_counted("global traffic, requested", Worse::Larger, bytes_text,
                [](const auto&, const XrayTotals& sums) { return sums.requested_bytes; });
    add_counted("global traffic, by sectors", Worse::Larger, bytes_text,
                [](const auto&, const XrayTotals& sums) { return sums.sector_bytes; });
    add("global traffic, compulsory", Worse::Neither, bytes_text,
        [](const ObservedKernel& kernel, const auto&) { return kernel.compulsory_bytes; });
    if (std::ranges::any_of(kernels, &ObservedKernel::is_multiply_adds))
        add_counted("global loads per multiply-add (2 flops)", Worse::Larger, figure_text,
                    [&](const ObservedKernel& kernel, const XrayTotals& sums) {
                        return kernel.is_multiply_adds && flops(kernel)
                                   ? Count(2 * sums.loads / *kernel.flops)
                                   : std::nullopt;
                    });
    add_counted("flops per byte, requested", Worse::Smaller, figure_text,
                [&](const ObservedKernel& kernel, const XrayTotals& sums) {
                    return quotient(flops(kernel), sums.requested_bytes);
                });
    add_counted("flops per byte, by sectors", Worse::Smaller, figure_text,
                [&](const ObservedKernel& kernel, const XrayTotals& sums) {
                    return quotient(flops(kernel), sums.sector_bytes);
                });
    add_counted("barriers", Worse::Neither, amount_text,
                [](const auto&, const XrayTotals& sums) { return sums.barriers; });
    std::vector<Figure> groups = {"work-groups observed"};
    for (const XrayTotals& sums : totals)
        groups.emplace_back(whole_text(sums.observed_groups) + " of " + whole_text(sums.groups));
    if (kernels.size() == 2) groups.emplace_back(kNone);
    table.add(groups);
    return table.take();
}

/// The mean count of those elements of a buffer that are used.
std::optional<double> mean_of(const XrayBuffer& buffer, bool is_load) {
    const std::uint64_t elements = is_load ? buffer.elements_loaded : buffer.elements_stored;
    if (buffer.basis == CountBasis::Partial || elements == 0) return std::nullopt;
    return as_double(is_load ? buffer.loads : buffer.stores) / as_double(elements);
}

/// "~23.5" where it is estimated.
std::string mean_text(const XrayBuffer& buffer, double mean) {
    return (buffer.basis == CountBasis::Estimated ? "~" : "") + figure_text(mean);
}

/// Of one kernel: its loads and stores next to each other.
XrayTable buffers_of_one(std::string title, const XrayReport& report) {
    TableMaker table(std::move(title),
                     {{.header = "buffer", .term = "buffer"},
                      {.header = "memory", .term = "address space"},
                      {.header = "loads per element", .is_number = true},
                      {.header = "stores per element", .is_number = true}},
                     2);
    for (const XrayBuffer& buffer : report.buffers) {
        if (buffer.loads + buffer.stores == 0) continue;
        std::vector<Figure> row = {buffer.name, to_string(buffer.space)};
        for (const bool is_load : {true, false}) {
            const std::optional<double> mean = mean_of(buffer, is_load);
            row.emplace_back(mean ? mean_text(buffer, *mean) : kNone);
        }
        table.add(row);
    }
    return table.take();
}

/// Of several kernels: a row for the loads of a buffer and one for its stores, so that the figures of the
/// kernels stand next to each other. Buffers are paired by name, in the order in which they appear.
XrayTable buffers_of_several(std::string title, std::span<const ObservedKernel> kernels) {
    std::vector<XrayTable::Column> columns = {{.header = "buffer", .term = "buffer"},
                                              {.header = "memory", .term = "address space"},
                                              {.header = "per element"}};
    const std::size_t keys = columns.size();
    add_kernel_columns(columns, kernels);
    TableMaker table(std::move(title), std::move(columns), keys);
    std::vector<const XrayBuffer*> buffers;
    for (const ObservedKernel& kernel : kernels)
        for (const XrayBuffer& buffer : kernel.report.buffers)
            if (buffer.loads + buffer.stores > 0 &&
                std::ranges::find(buffers, buffer.name, &XrayBuffer::name) == buffers.end())
                buffers.push_back(&buffer);
    for (const XrayBuffer* const buffer : buffers)
        for (const bool is_load : {true, false}) {
            std::vector<const XrayBuffer*> own;
            std::vector<std::optional<double>> means;
            for (const ObservedKernel& kernel : kernels) {
                const auto found = std::ranges::find(kernel.report.buffers, buffer->name, &XrayBuffer::name);
                own.push_back(found != kernel.report.buffers.end() ? &*found : nullptr);
                means.push_back(own.back() != nullptr ? mean_of(*own.back(), is_load) : std::nullopt);
            }
            if (std::ranges::all_of(means, [](const auto& mean) { return mean.value_or(0) == 0; })) continue;
            std::vector<Figure> row = {buffer->name, to_string(buffer->space), is_load ? "loads" : "stores"};
            add_kernel_cells(row, means, is_global(buffer->space) ? Worse::Larger : Worse::Neither,
                             [&](std::size_t i) { return mean_text(*own[i], *means[i]); });
            table.add(row);
        }
    return table.take();
}

XrayTable buffer_table(std::span<const ObservedKernel> kernels) {
    const bool has_local = std::ranges::any_of(kernels, [](const ObservedKernel& kernel) {
        return std::ranges::any_of(kernel.report.buffers, [](const XrayBuffer& buffer) {
            return buffer.loads + buffer.stores > 0 && !is_global(buffer.space);
        });
    });
    std::string title = std::string("Mean loads and stores per used element") +
                        (is_sampled(kernels) ? ", scaled to the whole launch" : "") +
                        (has_local ? "; __local: per work-group" : "");
    return kernels.size() == 1 ? buffers_of_one(std::move(title), kernels.front().report)
                               : buffers_of_several(std::move(title), kernels);
}

}  // namespace

std::string totals_terms(std::span<const ObservedKernel> kernels) {
    const std::string ratio =
        kernels.size() == 2 ? fmt::format(" Ratio: {} divided by {}.", kernels[1].label, kernels[0].label)
                            : "";
    return std::string(
               "Requested: bytes that all work-items ask for. By sectors: bytes of the 32-byte sectors "
               "that each access of a sub-group touches, as if there were no cache. Compulsory: the "
               "fewest bytes that the problem must move. Used elements: those that are loaded or "
               "stored.") +
           ratio +
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
    std::string terms =
        fmt::format("Sub-groups of {} work-items.", kernels.empty() ? 0 : kernels.front().report.sub_group);
    for (const XrayTable::Column& column : access_columns()) {
        if (column.meaning.empty()) continue;
        std::string name = column.header, meaning = column.meaning;
        name.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(name.front())));
        meaning.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(meaning.front())));
        terms += " " + name + ": " + meaning;
    }
    return terms + " The source is observed as written, before compiler optimisation." +
           (is_estimated ? " ~: estimated, because the observed work-groups differ from each other." : "");
}

std::vector<XrayTable> xray_tables(std::span<const ObservedKernel> kernels) {
    std::vector<XrayTable> tables;
    if (std::ranges::any_of(kernels, [](const auto& kernel) { return !kernel.report.launches.empty(); }))
        tables = {totals_table(kernels), buffer_table(kernels)};
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        if (is_unobserved(kernels[i].report)) continue;
        for (XrayTable& table : std::vector{access_table(kernels[i]), divergence_table(kernels[i])}) {
            if (table.columns.front().cells.empty()) continue;
            table.kernel = i;
            tables.push_back(std::move(table));
        }
    }
    return tables;
}

std::string explain_marks(std::span<const XrayTable> tables, std::size_t kernels) {
    const bool any = std::ranges::any_of(tables, [](const XrayTable& table) {
        return std::ranges::any_of(table.columns, [](const XrayTable::Column& column) {
            return std::ranges::find(column.bad, true) != column.bad.end();
        });
    });
    if (!any) return "";
    return std::string("Marked figures are at least twice what is necessary") +
           (kernels == 2 ? ", or twice as bad as in the other kernel." : ".");
}

std::string xray_terms(std::span<const ObservedKernel> kernels) {
    return totals_terms(kernels) + " " + access_terms(kernels);
}

}  // namespace kwb
