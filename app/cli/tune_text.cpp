// SPDX-License-Identifier: Apache-2.0
#include "tuning.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "base/text.hpp"
#include "report/labels.hpp"
#include "report/numbers.hpp"
#include "report/text_layout.hpp"

namespace kwb::cli {
namespace {

/// The JSON output has all rows.
constexpr std::size_t kMostRows = 30;

std::string comparison_text(const KernelResult& result, bool is_best) {
    if (is_best) return "the best";
    if (!result.speedup) return "";
    return is_undecided(*result.speedup) ? "no difference seen"
                                         : format_speedup(*result.speedup, Wording::Full);
}

std::string best_table(const Tuning& tuning, const std::vector<const Trial*>& ranked, const Space& space,
                       const TableOptions& options) {
    const auto timed = static_cast<std::size_t>(
        std::ranges::count_if(ranked, [](const Trial* trial) { return trial->cost_ms.has_value(); }));
    if (timed == 0) return "";
    const std::vector<const Trial*> rows(ranked.begin(),
                                         ranked.begin() + std::ptrdiff_t(std::min(timed, kMostRows)));
    Grid grid;
    const auto add = [&](const std::string& header, Align align, auto text_of) {
        std::vector<Cell> cells;
        for (const Trial* trial : rows) cells.push_back({plain_signs(text_of(*trial), options)});
        grid.add_column(header, align, cells);
    };
    for (const auto& [name, values] : space.params())
        add(name, Align::Right, [&, &param = name](const Trial& trial) {
            const ParamValue* value = find_named(trial.result.params, param);
            return value != nullptr ? to_string(*value) : "";
        });
    add("median (95 % interval)", Align::Left, [](const Trial& trial) {
        return format_time_ms(trial.result.median_ms.value_or(0), trial.result.ci95_ms);
    });
    add("speed-up over the best", Align::Left, [&](const Trial& trial) {
        return trial.is_imported ? "from Kernel Tuner, not checked"
                                 : comparison_text(trial.result, &trial == rows.front());
    });
    std::string text = grid.render(options);
    if (timed > rows.size()) text += fmt::format("… and {} slower ones\n", timed - rows.size());
    if (timed == 1) return text;
    std::string foot =
        "Ordered by the ratio, within rounds, to the best so far, so that drift between runs does not count. "
        "Rows with a comparison ran once more against each other";
    if (tuning.left_out() > 0)
        foot += fmt::format("; {} more, for which there was no room, may be as fast", tuning.left_out());
    return text + "\n" + paragraph(foot + ".", options.width);
}

std::string effects_text(const std::vector<const Trial*>& ranked, const Space& space,
                         const TableOptions& options) {
    std::vector<Cell> names, values, counts, means, spreads;
    for (const auto& [name, effects] : effects_of(ranked, space.params())) {
        if (effects.size() < 2) continue;
        for (const ValueEffect& effect : effects) {
            names.push_back({&effect == &effects.front() ? name : ""});
            values.push_back({to_string(effect.value)});
            counts.push_back({std::to_string(effect.configurations)});
            means.push_back(
                {plain_signs(fmt::format("× {:.2f}", effect.mean_ms / *ranked.front()->cost_ms), options)});
            spreads.push_back(
                {effect.spread ? plain_signs(fmt::format("× {:.2f}", *effect.spread), options) : "-"});
        }
    }
    if (names.empty()) return "";
    Grid grid;
    grid.add_column("parameter", Align::Left, names);
    grid.add_column("value", Align::Right, values);
    grid.add_column("configurations", Align::Right, counts);
    grid.add_column("mean", Align::Left, means);
    grid.add_column("spread", Align::Left, spreads);
    return "\n" + grid.render(options) + "\n" +
           paragraph(
               "Mean: the geometric mean of the times of all measured configurations with this value, as a "
               "multiple of the best time. Spread: their standard deviation on a logarithmic scale, as a "
               "factor.",
               options.width);
}

std::string verdicts_text(const std::vector<const Trial*>& ranked, const Space& space,
                          const TableOptions& options) {
    std::map<Verdict, std::vector<const Trial*>> by_verdict;
    for (const Trial* trial : ranked) by_verdict[trial->result.verdict].push_back(trial);
    std::vector<std::string> counts;
    for (const auto& [verdict, trials] : by_verdict)
        counts.push_back(fmt::format("{} {}", trials.size(), kwb::to_string(verdict)));
    std::string text = fmt::format("\nVerdicts: {}", enumerate(counts));
    if (ranked.size() < space.size()) text += fmt::format("; {} not tried", space.size() - ranked.size());
    text = paragraph(text + ".", options.width);
    for (const auto& [verdict, trials] : by_verdict) {
        const std::vector<std::string> reason = split_lines(trials.front()->result.reason);
        if (is_good(verdict) || reason.empty()) continue;
        text += paragraph(fmt::format("{}: {}: {}", kwb::to_string(verdict),
                                      params_text(trials.front()->result.params), reason.front()),
                          options.width, kIndent);
    }
    return text;
}

}  // namespace

std::string space_text(const Space& space, const TableOptions& options) {
    std::string text =
        paragraph(fmt::format("{} of {}: {} valid", counted(space.combinations(), "configuration"),
                              enumerate(names_of(space.params())), space.size()),
                  options.width);
    for (const auto& [name, condition, is_limit, removed] : removing_restrictions(space))
        text += paragraph(fmt::format("{} removed by {}", removed,
                                      is_limit ? name : fmt::format("{}: {}", name, condition.text)),
                          options.width, kIndent);
    return text;
}

std::string tuning_text(const Tuning& tuning, const Space& space, const TableOptions& options) {
    const std::vector<const Trial*> ranked = tuning.ranked();
    return best_table(tuning, ranked, space, options) + effects_text(ranked, space, options) +
           verdicts_text(ranked, space, options);
}

}  // namespace kwb::cli
