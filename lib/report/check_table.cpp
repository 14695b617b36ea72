#include "report/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.hpp"
#include "report/grid.hpp"
#include "report/labels.hpp"
#include "report/notes.hpp"
#include "report/numbers.hpp"

namespace kwb {
namespace {

constexpr std::size_t kFindingIndent = 4;

/// The first wrong element, else the first line of the reason.
std::string finding(const KernelResult& result) {
    if (!result.first_wrong.empty()) {
        const WrongElement& wrong = result.first_wrong.front();
        if (!says_unwritten(result)) return describe_wrong(wrong);
        return fmt::format("{}: expected {:.9g}, got nothing", element_name(wrong), wrong.expected);
    }
    const std::vector<std::string> lines = split_lines(printable(result.reason));
    return lines.empty() ? "" : lines.front();
}

std::string error_text(const KernelResult& result) {
    if (result.max_error_share && std::isfinite(*result.max_error_share))
        return format_error_share(*result.max_error_share);
    // Exact comparisons have no bound, so no share. A NaN read from an unwritten element is not the kernel's.
    const bool no_number = !says_unwritten(result) &&
                           std::any_of(result.first_wrong.begin(), result.first_wrong.end(),
                                       [](const WrongElement& wrong) { return !std::isfinite(wrong.got); });
    return no_number ? "not finite" : "-";
}

/// The finding of each result; "as above" if a kernel repeats the reason of the previous row.
std::vector<std::string> findings(const std::vector<KernelResult>& results) {
    std::vector<std::string> texts;
    const KernelResult* above = nullptr;
    for (const KernelResult& result : results) {
        const bool repeated = above != nullptr && result.first_wrong.empty() &&
                              contestant_label(*above) == contestant_label(result) &&
                              finding(*above) == finding(result) && !finding(result).empty();
        texts.push_back(repeated ? "as above" : finding(result));
        above = &result;
    }
    return texts;
}

/// Optional columns that fit the width of the table.
struct CheckColumns {
    bool error = true;
    bool finding = true;
};

Grid check_grid(const std::vector<KernelResult>& results, const TableOptions& options,
                const CheckColumns& shown) {
    Grid grid;
    grid.add_column("kernel", Align::Left);
    grid.add_column("size", Align::Left);
    if (shown.error) grid.add_column("worst error", Align::Left);
    grid.add_column("verdict", Align::Left);
    if (shown.finding) grid.add_column("first wrong", Align::Left);
    const std::vector<std::string> texts = findings(results);
    std::string above;
    for (std::size_t i = 0; i < results.size(); ++i) {
        const KernelResult& result = results[i];
        const std::string label = contestant_label(result);
        std::vector<Cell> row = {{label == above ? "" : label}, {kwb::to_string(result.size)}};
        if (shown.error) row.push_back({plain_signs(error_text(result), options)});
        row.push_back(verdict_cell(result));
        if (shown.finding) row.push_back({plain_signs(texts[i], options)});
        grid.add_row(std::move(row));
        above = label;
    }
    return grid;
}

/// The table with each finding in full: in a column, if necessary instead of the error, else below its row.
/// @param shown  receives the columns that were used
std::string render_table(const std::vector<KernelResult>& results, const TableOptions& options,
                         CheckColumns& shown) {
    const std::vector<std::string> texts = findings(results);
    const bool any = std::any_of(texts.begin(), texts.end(), [](const auto& text) { return !text.empty(); });
    for (const CheckColumns& attempt : {CheckColumns{true, any}, CheckColumns{false, any}}) {
        shown = attempt;
        const Grid grid = check_grid(results, options, shown);
        if (any && grid.width() <= options.width) return grid.render(options);
    }
    shown = {true, false};
    if (check_grid(results, options, shown).width() > options.width) shown.error = false;
    Grid grid = check_grid(results, options, shown);
    grid.fit_first_column(options.width, kLeastLabelColumns, options.unicode);
    const std::vector<std::string> lines = split_lines(grid.render(options));
    std::string text = lines.front() + "\n";
    for (std::size_t i = 0; i < texts.size(); ++i)
        text +=
            lines[i + 1] + "\n" + paragraph(plain_signs(texts[i], options), options.width, kFindingIndent);
    return text;
}

/// Explains the columns that are shown.
std::string check_foot(const std::vector<KernelResult>& results, const CheckColumns& shown,
                       const TableOptions& options) {
    std::string text;
    const bool any_share = std::any_of(results.begin(), results.end(), [](const KernelResult& result) {
        return result.max_error_share && std::isfinite(*result.max_error_share);
    });
    if (shown.error && any_share)
        text +=
            "Worst error: share of the largest error that rounding alone can cause (the bound); at most "
            "100 % is right. ";
    return paragraph(trim(text + explain_sizes(results)), options.width);
}

/// "matmul/naive: 20 of 20 sizes correct"
std::string summary(const std::vector<KernelResult>& results, const TableOptions& options) {
    struct Tally {
        std::string label;
        std::size_t sizes = 0;
        std::size_t correct = 0;
        std::size_t as_expected = 0;
        std::size_t skipped = 0;
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
        tally->skipped += result.verdict == Verdict::Skipped ? 1 : 0;
    }
    std::string text;
    for (const Tally& tally : tallies) {
        std::string line = fmt::format("{}: {} of {} size{} correct", tally.label, tally.correct, tally.sizes,
                                       tally.sizes == 1 ? "" : "s");
        if (tally.correct < tally.sizes && tally.as_expected == tally.sizes)
            line += ", all as expected";
        else if (tally.as_expected < tally.sizes && tally.as_expected != tally.correct)
            line += fmt::format(", {} not as expected", tally.sizes - tally.as_expected);
        if (tally.skipped > 0) line += fmt::format(", {} skipped", tally.skipped);
        text += paragraph(line, options.width);
    }
    return text;
}

}  // namespace

std::string check_table(const std::vector<KernelResult>& results, const TableOptions& options) {
    if (results.empty()) return "";
    CheckColumns shown;
    std::string text = render_table(results, options, shown) + "\n" + summary(results, options);
    for (const std::string& part :
         {check_foot(results, shown, options), fault_notes(results, options), remarks(results, options)})
        if (!part.empty()) text += "\n" + part;
    return text;
}

}  // namespace kwb
