#include "report/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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

constexpr unsigned kBarCells = 8;
/// Names are cut to this width before the speed-up and the median are dropped.
constexpr std::size_t kFairLabelColumns = 16;
const std::string kMissing = "-";

/// What fits the width of the table.
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

class ResultsGrid {
public:
    ResultsGrid(const std::vector<KernelResult>& results, const TableOptions& options,
                const RunColumns& shown)
        : options_(options),
          shown_(shown),
          with_size_(has_several_sizes(results)),
          with_device_(has_several_devices(results)) {
        for (const KernelResult& result : results)
            if (result.median_ms && std::isfinite(*result.median_ms))
                longest_ms_ = std::max(longest_ms_, *result.median_ms);
        const auto header = row(nullptr);
        for (const auto& [text, align] : header) grid_.add_column(text.text, align);
        for (const KernelResult& result : results) {
            std::vector<Cell> cells;
            for (auto& [cell, align] : row(&result)) cells.push_back(cell);
            grid_.add_row(std::move(cells));
        }
    }

    Grid& grid() { return grid_; }

private:
    struct Placed {
        Cell cell;
        Align align;
    };

    /// The cells of one result, or those of the header if `result` is null. One function makes both, so that
    /// they always match.
    std::vector<Placed> row(const KernelResult* result) const {
        std::vector<Placed> cells;
        const auto add = [&](Align align, std::string_view header, auto&& text) {
            cells.push_back(
                {{plain_signs(result != nullptr ? text() : std::string(header), options_)}, align});
        };
        add(Align::Left, "kernel", [&] { return contestant_label(*result); });
        if (with_size_) add(Align::Left, "size", [&] { return kwb::to_string(result->size); });
        if (with_device_) add(Align::Left, "device", [&] { return printable(result->device); });
        const auto add_figures = [&](ResultFigure::Kind kind) {
            for (const ResultFigure& figure : result_figures())
                if (figure.kind == kind && figure.worth >= shown_.least_worth)
                    add(Align::Right, figure.header, [&] {
                        const std::string text = figure_text(figure, *result);
                        return text.empty() ? kMissing : text;
                    });
        };
        add_figures(ResultFigure::Kind::Cost);
        if (shown_.median)
            add(Align::Left, shown_.interval ? "median (95 % interval)" : "median",
                [&] { return median_text(*result); });
        if (shown_.bars) add(Align::Left, "", [&] { return bar_text(*result); });
        add_figures(ResultFigure::Kind::Rate);
        if (shown_.speedup) add(Align::Left, "speed-up", [&] { return speedup_text(*result); });
        add(Align::Left, "verdict", [&] { return verdict_cell(*result).text; });
        if (result != nullptr) cells.back().cell.tone = verdict_cell(*result).tone;
        return cells;
    }

    std::string median_text(const KernelResult& result) const {
        if (!result.median_ms) return kMissing;
        return format_time_ms(*result.median_ms, shown_.interval ? result.ci95_ms : std::nullopt);
    }

    std::string bar_text(const KernelResult& result) const {
        if (!result.median_ms || !(longest_ms_ > 0)) return "";
        return bar(*result.median_ms / longest_ms_, kBarCells);
    }

    std::string speedup_text(const KernelResult& result) const {
        if (!result.speedup) return kMissing;
        return format_speedup(*result.speedup, shown_.speedup_words ? Wording::Full : Wording::Short);
    }

    const TableOptions& options_;
    RunColumns shown_;
    bool with_size_;
    bool with_device_;
    double longest_ms_ = 0;
    Grid grid_;
};

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
        if (result.speedup && shown.speedup) baselines.insert(printable(result.speedup->to));
    if (!baselines.empty())
        text += "Speed-up: against " + enumerate({baselines.begin(), baselines.end()}) +
                " (above 1: faster), by ratios within each round" +
                (median_interval ? ". " : ", with a 95 % interval. ");
    if (has_several_sizes(results)) text += explain_sizes(results);
    return paragraph(trim(text), options.width);
}

constexpr std::size_t kLeastSizeColumns = 4;

/// "21.9 (12.3 ms)", or the verdict.
Cell sweep_cell(const KernelResult& result, const TableOptions& options) {
    if (result.verdict != Verdict::Correct || !result.as_expected()) return verdict_cell(result);
    if (!result.median_ms) return {"-"};
    const std::string time = plain_signs(format_time_ms(*result.median_ms), options);
    return {result.gflops ? format_digits(*result.gflops) + " (" + time + ")" : time};
}

std::string column_label(const KernelResult& result, bool with_device) {
    return contestant_label(result) + (with_device ? " on " + printable(result.device) : "");
}

template <class T>
void add_once(std::vector<T>& list, const T& item) {
    if (std::find(list.begin(), list.end(), item) == list.end()) list.push_back(item);
}

class Sweep {
public:
    Sweep(const std::vector<KernelResult>& results, const TableOptions& options)
        : results_(results), options_(options), with_device_(has_several_devices(results)) {
        for (const KernelResult& result : results) {
            add_once(sizes_, result.size);
            add_once(labels_, column_label(result, with_device_));
        }
    }

    /// As many tables, one below another, as the width requires.
    std::string render() const {
        std::string text;
        for (std::size_t first = 0; first < labels_.size();) {
            std::size_t last = first + 1;
            while (last < labels_.size() && grid(first, last + 1).width() <= options_.width) ++last;
            text += (first == 0 ? "" : "\n") + grid(first, last).render(options_);
            first = last;
        }
        return text;
    }

private:
    Grid grid(std::size_t first, std::size_t last) const {
        Grid grid;
        grid.add_column("size", Align::Left);
        for (std::size_t i = first; i < last; ++i) {
            const std::size_t room = options_.width > kLeastSizeColumns + 10 ? options_.width / 2 : 10;
            grid.add_column(shorten(labels_[i], room, options_.unicode), Align::Right);
        }
        for (const Sizes& size : sizes_) {
            std::vector<Cell> row = {{kwb::to_string(size)}};
            for (std::size_t i = first; i < last; ++i) row.push_back(cell(size, labels_[i]));
            grid.add_row(std::move(row));
        }
        grid.fit_first_column(options_.width, kLeastSizeColumns, options_.unicode);
        return grid;
    }

    Cell cell(const Sizes& size, const std::string& label) const {
        for (const KernelResult& result : results_)
            if (result.size == size && column_label(result, with_device_) == label)
                return sweep_cell(result, options_);
        return {"-"};
    }

    const std::vector<KernelResult>& results_;
    const TableOptions& options_;
    bool with_device_;
    std::vector<Sizes> sizes_;
    std::vector<std::string> labels_;
};

}  // namespace

std::string check_table(const std::vector<KernelResult>& results, const TableOptions& options) {
    if (results.empty()) return "";
    CheckColumns shown;
    const std::string text = render_table(results, options, shown) + "\n" + summary(results, options);
    return text + below_table(check_foot(results, shown, options), results, options);
}

std::string results_table(const std::vector<KernelResult>& results, const TableOptions& options) {
    if (results.empty()) return "";
    RunColumns shown;
    shown.bars = options.unicode;
    // Leave out columns that are empty for all results.
    const auto any = [&](auto member) {
        return std::any_of(results.begin(), results.end(), [&](const auto& r) { return bool(r.*member); });
    };
    shown.speedup = any(&KernelResult::speedup);
    shown.bars = shown.bars && any(&KernelResult::median_ms);

    Grid grid = ResultsGrid(results, options, shown).grid();
    // Once the intervals are dropped, cut the names before dropping the speed-up and the median.
    while ((shown.interval ? grid.width() : grid.least_width(kFairLabelColumns)) > options.width &&
           drop_next(shown))
        grid = ResultsGrid(results, options, shown).grid();
    grid.fit_first_column(options.width, kLeastLabelColumns, options.unicode);

    return grid.render(options) + below_table(run_foot(results, shown, options), results, options);
}

std::string sweep_table(const std::vector<KernelResult>& results, const TableOptions& options) {
    if (results.empty()) return "";
    const std::string foot = "Cells: GFLOP/s (median time). " + explain_sizes(results);
    return Sweep(results, options).render() +
           below_table(paragraph(trim(foot), options.width), results, options);
}

}  // namespace kwb
