// SPDX-License-Identifier: Apache-2.0
#include "report/xray_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/text.hpp"
#include "model/finding_words.hpp"
#include "model/xray_words.hpp"
#include "report/xray_table_maker.hpp"

namespace kwb {
namespace {

std::string place_prefix(const XrayPlace& place) {
    return place.line == 0 ? "" : place_text(place) + ": ";
}

}  // namespace

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
            for (std::size_t row = 0; row < column.cells.size(); ++row)
                cells.push_back({plain_signs(column.cells[row], options),
                                 column.is_bad(row) ? Tone::Warning : Tone::Plain});
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
