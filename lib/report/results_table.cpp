#include "report/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "report/figures.hpp"
#include "report/grid.hpp"
#include "report/labels.hpp"
#include "report/notes.hpp"
#include "report/numbers.hpp"

namespace kwb {
namespace {

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

}  // namespace

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

    std::string text = grid.render(options);
    for (const std::string& part :
         {run_foot(results, shown, options), fault_notes(results, options), remarks(results, options)})
        if (!part.empty()) text += "\n" + part;
    return text;
}

}  // namespace kwb
