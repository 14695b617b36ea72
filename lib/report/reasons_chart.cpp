// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "report/answer.hpp"
#include "report/charts.hpp"
#include "report/effect_words.hpp"
#include "report/reason_words.hpp"

namespace kwb {
namespace {

/// @param time_ms  of the kernel in the run, as other charts show it
plot::Bar effect_bar(std::size_t category, const Effect& effect, const std::optional<double>& time_ms) {
    plot::Bar bar{.category = category};
    const bool is_rest = effect.what == WhatIf::Together && effect.is_measured();
    if (effect.is_seen() && effect.share && time_ms && effect.obstacle.empty()) {
        bar.value = *effect.share * *time_ms;
        bar.interval = Interval{effect.interval->low * *time_ms, effect.interval->high * *time_ms};
    } else {
        bar.missing = is_rest ? "all of it, as far as was seen" : effect_words(effect);
        bar.pending = true;  // no fault of the kernel
    }
    return bar;
}

/// Whether Together takes it away with the others.
bool is_removable(WhatIf what) {
    return what != WhatIf::Sorted && what != WhatIf::EmptyKernel;
}

/// What is left without any of the causes. Where one experiment has them all, no further one was needed.
/// @return  nullopt: `effects` has it, or no experiment has all of them
std::optional<Effect> rest_of(const std::vector<Effect>& effects) {
    const Effect* all = nullptr;
    std::size_t tried = 0;
    for (const Effect& effect : effects) {
        if (effect.what == WhatIf::Together) return std::nullopt;
        if (!is_removable(effect.what)) continue;
        if (all != nullptr && effect.what != all->what) return std::nullopt;
        ++tried;
        if (all == nullptr || effect.buffer.empty()) all = &effect;
    }
    if (all == nullptr || !all->is_measured() || (tried > 1 && !all->buffer.empty())) return std::nullopt;
    Effect rest = *all;
    rest.what = WhatIf::Together;
    rest.share = 1 - *all->share;
    if (all->interval) rest.interval = Interval{1 - all->interval->high, 1 - all->interval->low};
    return rest;
}

}  // namespace

plot::Chart reasons_chart(const ChartedRun& run, const std::optional<Reason>& pointed) {
    plot::Chart chart = time_chart(run);
    const bool is_measured = std::ranges::any_of(
        run.results, [](const KernelResult& result) { return result.effects.has_value(); });
    if (!is_measured || chart.series.empty()) return chart;
    chart.title = "What costs time";
    chart.subtitle = "saved without each cause alone; left without all of them";
    chart.y.categories.clear();
    for (std::size_t i = 0; i < run.results.size(); ++i) {
        auto& bars = std::get<plot::Bars>(chart.series[i].data).bars;
        bars.front().category = chart.y.categories.size();
        chart.y.categories.push_back(run.labels[i]);
        if (!run.results[i].effects) continue;
        bars.front().samples.clear();
        bars.front().interval.reset();
        const auto add = [&](const Effect& effect) {
            bars.push_back(effect_bar(chart.y.categories.size(), effect, bars.front().value));
            const bool is_pointed =
                pointed && kind_of_effect(effect.what) == pointed->kind && effect.buffer == pointed->subject;
            chart.y.categories.push_back((is_pointed ? "\u2192 " : "") + cost_words(effect));
        };
        std::optional<Effect> rest = rest_of(*run.results[i].effects);
        for (const Effect& effect : *run.results[i].effects) {
            if (!is_removable(effect.what) && rest)
                add(*std::exchange(rest, std::nullopt));  // where others have it
            add(effect);
        }
    }
    chart.notes = {
        "Below each kernel: the time that it saves without one cause, with the 95 % interval; left over is "
        "what "
        "it takes without all of them, and starting the work-groups what empty kernels take. Effects "
        "overlap, "
        "so they do not add up."};
    note_device(chart, run.device);
    return chart;
}

plot::Chart reasons_card(const ChartedRun& run) {
    plot::Chart card = reasons_chart(run);
    const Answer answer = answer_among_kernels(run.results, run.baseline);
    card.title = headline(answer, run.results, run.labels);
    card.subtitle = headline_detail(answer, run.results);
    if (!answer.factor) return card;
    const bool is_faster = answer.kind == Answer::Kind::Faster;
    // The first of each basis.
    std::vector<std::string> notes;
    std::optional<ReasonBasis> last;
    for (const Reason& reason : reasons_of(run.results[answer.subject], run.results[answer.other])) {
        if (last == reason.basis || (is_faster && !reason.is_for)) continue;
        last = reason.basis;
        notes.push_back(
            fmt::format("{}{} [{}].", is_faster ? because_words(reason) : "",
                        reason_words(reason, run.labels[answer.subject], run.labels[answer.other]),
                        evidence_words(reason, run.labels[answer.subject], run.labels[answer.other])));
    }
    card.notes.insert(card.notes.begin(), notes.begin(), notes.end());
    return card;
}

}  // namespace kwb
