#include "report/check_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "report/grid.hpp"
#include "report/labels.hpp"
#include "report/notes.hpp"
#include "report/numbers.hpp"

namespace kwb {
namespace {

constexpr std::size_t kLeastLabelColumns = 8;

/// The first wrong element, or what the reason begins with.
std::string finding(const KernelResult& result) {
    if (!result.first_wrong.empty()) return describe_wrong(result.first_wrong.front());
    const std::vector<std::string> lines = split_lines(printable(result.reason));
    return lines.empty() ? "" : lines.front();
}

std::string error_text(const KernelResult& result) {
    return result.max_error_share ? format_error_share(*result.max_error_share) : "-";
}

Grid check_grid(const std::vector<KernelResult>& results, const TableOptions& options,
                std::size_t finding_width) {
    Grid grid;
    grid.add_column("kernel", Align::Left);
    grid.add_column("size", Align::Left);
    grid.add_column("worst error", Align::Left);
    grid.add_column("verdict", Align::Left);
    if (finding_width > 0) grid.add_column("first wrong", Align::Left);
    std::string above;
    for (const KernelResult& result : results) {
        const std::string label = contestant_label(result);
        std::vector<Cell> row = {{label == above ? "" : label},
                                 {kwb::to_string(result.size)},
                                 {plain_signs(error_text(result), options)},
                                 verdict_cell(result)};
        if (finding_width > 0) row.push_back({shorten(finding(result), finding_width, options.unicode)});
        grid.add_row(std::move(row));
        above = label;
    }
    return grid;
}

/// "matmul/naive: 20 of 20 sizes correct"
std::string summary(const std::vector<KernelResult>& results, const TableOptions& options) {
    struct Tally {
        std::string label;
        std::size_t sizes = 0;
        std::size_t correct = 0;
        std::size_t as_expected = 0;
    };
    std::vector<Tally> tallies;
    for (const KernelResult& result : results) {
        const std::string label = contestant_label(result);
        auto tally = std::find_if(tallies.begin(), tallies.end(),
                                  [&](const Tally& known) { return known.label == label; });
        if (tally == tallies.end()) tally = tallies.insert(tally, {label});
        ++tally->sizes;
        tally->correct += result.verdict == Verdict::Correct ? 1 : 0;
        tally->as_expected += result.as_expected() ? 1 : 0;
    }
    std::string text;
    for (const Tally& tally : tallies) {
        std::string line = fmt::format("{}: {} of {} size{} correct", tally.label, tally.correct, tally.sizes,
                                       tally.sizes == 1 ? "" : "s");
        if (tally.correct < tally.sizes && tally.as_expected == tally.sizes)
            line += ", all as expected";
        else if (tally.as_expected < tally.sizes && tally.as_expected != tally.correct)
            line += fmt::format(", {} not as expected", tally.sizes - tally.as_expected);
        text += paragraph(line, options.width);
    }
    return text;
}

}  // namespace

std::string check_table(const std::vector<KernelResult>& results, const TableOptions& options) {
    if (results.empty()) return "";
    // The finding takes the room that the others leave.
    const std::size_t others = check_grid(results, options, 0).width() + 2;
    constexpr std::size_t kLeastFinding = 11;  // its header
    const std::size_t room = options.width > others ? options.width - others : 0;
    const bool has_findings = std::any_of(
        results.begin(), results.end(), [](const KernelResult& result) { return !finding(result).empty(); });
    Grid grid = check_grid(results, options, has_findings && room >= kLeastFinding ? room : 0);
    grid.fit_first_column(options.width, kLeastLabelColumns, options.unicode);

    std::string text = grid.render(options) + "\n" + summary(results, options);
    for (const std::string& part : {fault_notes(results, options), remarks(results, options)})
        if (!part.empty()) text += "\n" + part;
    return text;
}

}  // namespace kwb
