// SPDX-License-Identifier: Apache-2.0
#include "report/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "report/labels.hpp"
#include "report/notes.hpp"
#include "report/numbers.hpp"
#include "report/text_layout.hpp"

namespace kwb {
namespace {

constexpr std::size_t kFindingIndent = 4;

/// The first wrong element, else the first line of the reason.
std::string finding(const KernelResult& result) {
    if (!result.first_wrong.empty()) {
        const WrongElement& wrong = result.first_wrong.front();
        if (!says_unwritten(result)) return describe_wrong(wrong);
        return fmt::format("{}: expected {:.9g}, never written", element_name(wrong), wrong.expected);
    }
    const std::vector<std::string> lines = split_lines(result.reason);
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

/// Sort the results of each kernel by its first extent, then by the others.
void sort_by_size(std::vector<KernelResult>& results) {
    for (auto first = results.begin(); first != results.end();) {
        const auto last = std::find_if(first, results.end(), [&](const KernelResult& result) {
            return contestant_label(result) != contestant_label(*first);
        });
        std::ranges::stable_sort(first, last, {}, [](const KernelResult& result) {
            std::vector<std::int64_t> extents;
            for (const auto& [name, extent] : result.size) extents.push_back(extent);
            return extents;
        });
        first = last;
    }
}

/// Optional columns that fit the width of the table.
struct CheckColumns {
    bool error = true;
    bool finding = true;
};

/// The cells of a column: those that `cell_of` makes of each result.
template <class CellOf>
std::vector<Cell> cells_of(const std::vector<KernelResult>& results, const TableOptions& options,
                           CellOf cell_of) {
    std::vector<Cell> cells;
    for (const KernelResult& result : results) {
        cells.push_back(Cell(cell_of(result)));
        cells.back().text = plain_signs(std::move(cells.back().text), options);
    }
    return cells;
}

Grid check_grid(const std::vector<KernelResult>& results, const TableOptions& options,
                const CheckColumns& shown) {
    Grid grid;
    const auto add = [&](const char* header, auto cell_of) {
        grid.add_column(header, Align::Left, cells_of(results, options, cell_of));
    };
    std::string above;
    add("kernel", [&](const KernelResult& result) {
        const std::string label = contestant_label(result);
        return Cell{std::exchange(above, label) == label ? "" : label};
    });
    add("size", [](const KernelResult& result) { return Cell{kwb::to_string(result.size)}; });
    if (shown.error) add("worst error", [](const KernelResult& result) { return Cell{error_text(result)}; });
    add("verdict", verdict_cell);
    if (shown.finding) {
        const std::vector<std::string> texts = findings(results);
        add("first wrong", [&, i = 0u](const KernelResult&) mutable { return Cell{texts[i++]}; });
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
                       const TableOptions& options, bool is_declared) {
    std::string text;
    const bool any_share = std::any_of(results.begin(), results.end(), [](const KernelResult& result) {
        return result.max_error_share && std::isfinite(*result.max_error_share);
    });
    if (shown.error && any_share)
        text += fmt::format("Worst error: as a share of the error bound, which {}. Above 100 % is wrong. ",
                            is_declared ? "is the problem's tolerance"
                                        : "rounding alone exceeds in fewer than one of 10^9 runs");
    return paragraph(
        trim(text + explain_sizes(results) + " " + explain_seed(results) + " " + explain_xray(results)),
        options.width);
}

/// "matmul/naive: 20 of 20 sizes correct"
std::string summary(const std::vector<KernelResult>& results, const TableOptions& options) {
    struct Tally {
        std::string label;
        std::size_t sizes = 0;
        std::size_t good = 0;
        bool has_truth = true;
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
        tally->good += is_good(result.verdict) ? 1 : 0;
        tally->has_truth = tally->has_truth && result.verdict != Verdict::Ran;
        tally->as_expected += result.as_expected() ? 1 : 0;
        tally->skipped += result.verdict == Verdict::Skipped ? 1 : 0;
    }
    std::string text;
    for (const Tally& tally : tallies) {
        std::string line = fmt::format("{}: {} of {} {}", tally.label, tally.good,
                                       counted(tally.sizes, "size"), tally.has_truth ? "correct" : "ran");
        if (tally.good < tally.sizes && tally.as_expected == tally.sizes)
            line += ", all as expected";
        else if (tally.as_expected < tally.sizes && tally.as_expected != tally.good)
            line += fmt::format(", {} not as expected", tally.sizes - tally.as_expected);
        if (tally.skipped > 0) line += fmt::format(", {} skipped", tally.skipped);
        text += paragraph(line, options.width);
    }
    return text;
}

constexpr unsigned kBarCells = 8;
/// Names are cut to this width before the speed-up and the median are dropped.
constexpr std::size_t kFairLabelColumns = 16;
const std::string kMissing = "-";

/// The parts that fit the width of the table.
struct RunColumns {
    bool speedup_words = true;
    bool bars = true;
    unsigned least_worth = 0;  ///< figures of lower worth are not shown
    bool speedup = true;
    bool interval = true;
    bool median = true;
};

/// Drop the next part of a table that is too wide.
/// @return  false if there is nothing left to drop
bool drop_next(RunColumns& shown) {
    for (bool RunColumns::*part : {&RunColumns::speedup_words, &RunColumns::bars})
        if (std::exchange(shown.*part, false)) return true;
    std::optional<unsigned> worth;
    for (const ResultFigure& figure : result_figures())
        if (figure.worth >= shown.least_worth) worth = std::min(worth.value_or(figure.worth), figure.worth);
    if (worth) {
        shown.least_worth = *worth + 1;
        return true;
    }
    for (bool RunColumns::*part : {&RunColumns::interval, &RunColumns::speedup, &RunColumns::median})
        if (std::exchange(shown.*part, false)) return true;
    return false;
}

Grid results_grid(const std::vector<KernelResult>& results, const TableOptions& options,
                  const RunColumns& shown) {
    Grid grid;
    const auto add = [&](const char* header, Align align, auto cell_of) {
        grid.add_column(header, align, cells_of(results, options, cell_of));
    };
    const auto add_figures = [&](ResultFigure::Kind kind) {
        for (const ResultFigure& figure : result_figures())
            if (figure.kind == kind && figure.worth >= shown.least_worth)
                add(figure.header, Align::Right, [&](const KernelResult& result) {
                    const std::string text = figure_text(figure, result);
                    return Cell{text.empty() ? kMissing : text};
                });
    };
    double longest_ms = 0;
    for (const KernelResult& result : results)
        if (result.median_ms && std::isfinite(*result.median_ms))
            longest_ms = std::max(longest_ms, *result.median_ms);

    add("kernel", Align::Left, [](const KernelResult& result) { return Cell{contestant_label(result)}; });
    if (has_several_sizes(results))
        add("size", Align::Left,
            [](const KernelResult& result) { return Cell{kwb::to_string(result.size)}; });
    if (has_several_devices(results))
        add("device", Align::Left, [](const KernelResult& result) { return Cell{result.device}; });
    add_figures(ResultFigure::Kind::Cost);
    if (shown.median)
        add(shown.interval ? "median (95 % interval)" : "median", Align::Left,
            [&](const KernelResult& result) {
                if (!result.median_ms) return Cell{kMissing};
                return Cell{
                    format_time_ms(*result.median_ms, shown.interval ? result.ci95_ms : std::nullopt)};
            });
    if (shown.bars)
        add("", Align::Left, [&](const KernelResult& result) {
            if (!result.median_ms || !(longest_ms > 0)) return Cell{};
            return Cell{bar(*result.median_ms / longest_ms, kBarCells)};
        });
    add_figures(ResultFigure::Kind::Rate);
    if (shown.speedup)
        add("speed-up", Align::Left, [&](const KernelResult& result) {
            if (!result.speedup) return Cell{kMissing};
            return Cell{
                format_speedup(*result.speedup, shown.speedup_words ? Wording::Full : Wording::Short)};
        });
    add("verdict", Align::Left, verdict_cell);
    return grid;
}

/// Explains the numbers that are shown.
std::string run_foot(const std::vector<KernelResult>& results, const RunColumns& shown,
                     const TableOptions& options) {
    std::string text;
    const bool any_interval =
        std::any_of(results.begin(), results.end(), [](const auto& result) { return bool(result.ci95_ms); });
    const bool median_interval = any_interval && shown.median && shown.interval;
    if (median_interval)
        text += "Intervals: 95 % of the median, within this run (drift between runs is larger). ";
    std::set<std::string> baselines;
    for (const KernelResult& result : results)
        if (result.speedup && shown.speedup) baselines.insert(printable_line(result.speedup->to));
    if (!baselines.empty())
        text += "Speed-up: against " + enumerate({baselines.begin(), baselines.end()}) +
                " (above 1: faster), by ratios within each round" +
                (median_interval ? ". " : ", with a 95 % interval. ");
    if (has_several_sizes(results)) text += explain_sizes(results) + " ";
    return paragraph(trim(text + explain_seed(results) + " " + explain_xray(results)), options.width);
}

constexpr std::size_t kLeastSizeColumns = 4;

/// "21.9 (12.3 ms)", or the verdict.
Cell sweep_cell(const KernelResult& result, const TableOptions& options) {
    if (!is_good(result.verdict) || !result.as_expected()) return verdict_cell(result);
    if (!result.median_ms) return {"-"};
    const std::string time = plain_signs(format_time_ms(*result.median_ms), options);
    return {result.gflops ? format_digits(*result.gflops) + " (" + time + ")" : time};
}

template <class T>
void add_once(std::vector<T>& list, const T& item) {
    if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

/// The results of one contestant at one size.
struct SweepCell {
    std::size_t contestant;
    std::string size;
    const KernelResult* result;
};

/// Several contestants of a kernel have its work-group in their labels.
std::vector<std::string> sweep_labels(const std::vector<SweepCell>& cells, std::size_t contestants,
                                      bool with_device) {
    std::vector<std::string> labels(contestants);
    std::vector<std::string> locals(contestants);
    for (const SweepCell& cell : cells) {
        labels[cell.contestant] = contestant_label(*cell.result) +
                                  (with_device ? " on " + printable_line(cell.result->device) : "");
        if (locals[cell.contestant].empty()) locals[cell.contestant] = label_parts(*cell.result).local;
    }
    const std::vector<std::string> plain = labels;
    for (std::size_t i = 0; i < contestants; ++i)
        if (std::ranges::count(plain, plain[i]) > 1 && !locals[i].empty()) labels[i] += " " + locals[i];
    return labels;
}

/// A row for each size, or for each contestant if there are more of them. As many tables, one below another,
/// as the width requires.
std::string render_sweep(const std::vector<KernelResult>& results, const TableOptions& options) {
    std::vector<std::string> sizes;
    std::vector<SweepCell> cells;
    std::map<std::string, std::size_t> counts;
    std::map<std::string, double> best_ms;
    std::size_t contestants = 0;
    for (const KernelResult& result : results) {
        const std::string size = kwb::to_string(result.size);
        add_once(sizes, size);
        cells.push_back({counts[size]++, size, &result});
        contestants = std::max(contestants, counts[size]);
        if (!is_good(result.verdict) || !result.median_ms) continue;
        const auto best = best_ms.emplace(size, *result.median_ms).first;
        best->second = std::min(best->second, *result.median_ms);
    }
    const auto cell_of = [&](std::size_t contestant, const std::string& size) -> Cell {
        for (const SweepCell& cell : cells) {
            if (cell.contestant != contestant || cell.size != size) continue;
            Cell made = sweep_cell(*cell.result, options);
            const bool is_best = best_ms.contains(size) && cell.result->median_ms == best_ms[size];
            if (contestants > 1 && is_best) made.text.insert(0, "* ");
            return made;
        }
        return {"-"};
    };
    const std::size_t room = options.width > kLeastSizeColumns + 10 ? options.width / 2 : 10;
    const std::vector<std::string> labels = sweep_labels(cells, contestants, has_several_devices(results));
    Grid grid;
    std::vector<Cell> column;
    if (contestants > sizes.size()) {
        for (const std::string& label : labels) column.push_back({label});
        grid.add_column("kernel", Align::Left, column);
        for (const std::string& size : sizes) {
            for (std::size_t i = 0; i < contestants; ++i) column[i] = cell_of(i, size);
            grid.add_column(size, Align::Right, column);
        }
    } else {
        for (const std::string& size : sizes) column.push_back({size});
        grid.add_column("size", Align::Left, column);
        for (std::size_t i = 0; i < contestants; ++i) {
            for (std::size_t row = 0; row < sizes.size(); ++row) column[row] = cell_of(i, sizes[row]);
            grid.add_column(shorten(labels[i], room, options.unicode), Align::Right, column);
        }
    }
    return grid.render_in_parts(1, kLeastSizeColumns, options);
}

}  // namespace

std::string check_table(std::vector<KernelResult> results, const TableOptions& options, bool is_declared) {
    if (results.empty()) return "";
    sort_by_size(results);
    CheckColumns shown;
    const std::string text = render_table(results, options, shown) + "\n" + summary(results, options);
    return text + below_table(check_foot(results, shown, options, is_declared), results, options);
}

std::string results_table(const std::vector<KernelResult>& results, const TableOptions& options) {
    if (results.empty()) return "";
    RunColumns shown;
    // Leave out columns that are empty for all results.
    const auto any = [&](auto member) {
        return std::any_of(results.begin(), results.end(), [&](const auto& r) { return bool(r.*member); });
    };
    shown.speedup = any(&KernelResult::speedup);
    shown.bars = options.unicode && any(&KernelResult::median_ms);

    Grid grid = results_grid(results, options, shown);
    // Once the intervals are dropped, cut the names before dropping the speed-up and the median.
    while ((shown.interval ? grid.width() : grid.least_width(kFairLabelColumns)) > options.width &&
           drop_next(shown))
        grid = results_grid(results, options, shown);
    grid.fit_first_column(options.width, kLeastLabelColumns, options.unicode);

    return grid.render(options) + below_table(run_foot(results, shown, options), results, options);
}

std::string sweep_table(const std::vector<KernelResult>& results, const TableOptions& options) {
    if (results.empty()) return "";
    const bool has_rates =
        std::ranges::any_of(results, [](const KernelResult& result) { return result.gflops.has_value(); });
    const std::string foot = std::string(has_rates ? "Cells: GFLOP/s (median time)" : "Cells: median time") +
                             "; *: the shortest of its size. " + explain_sizes(results) + " " +
                             explain_seed(results) + " " + explain_xray(results);
    return render_sweep(results, options) +
           below_table(paragraph(trim(foot), options.width), results, options);
}

}  // namespace kwb
