// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/reasons_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/text.hpp"
#include "gui/fields.hpp"
#include "gui/panels/times_panel.hpp"
#include "reason/reasons.hpp"
#include "report/charts.hpp"
#include "report/effect_words.hpp"
#include "report/reason_words.hpp"

namespace kwb::gui {
namespace {

bool is_measured(const ShownRun& run) {
    return std::ranges::any_of(run.run.results,
                               [](const KernelResult& result) { return result.effects.has_value(); });
}

constexpr const char* kDiffers = "What differs: ";

const char* icon_of(ReasonBasis basis) {
    return basis == ReasonBasis::Measured ? kIconClock : basis == ReasonBasis::Counted ? kIconEye : kIconChip;
}

std::string label_of(const RunReasons::Item& item, bool is_short) {
    if (!is_short) return item.evidence;
    // Beside the sentence of another reason, it says which one it belongs to.
    std::string subject(to_string(item.reason.kind));
    std::ranges::replace(subject, '_', ' ');
    if (item.reason.basis == ReasonBasis::Computed) subject = item.reason.subject;
    return fmt::format("{}: {}", to_string(item.reason.basis), subject);
}

}  // namespace

void RunReasons::follow(const DeskState& state) {
    asked.reset();
    asked_race.reset();
    asked_wrong.reset();
    asked_errors.reset();
    const std::uint64_t cache_bytes =
        state.shows_earlier || state.device == nullptr ? 0 : state.device->second_level_cache_bytes;
    if (state.shown == of_ && cache_bytes == cache_bytes_) return;
    of_ = state.shown;
    cache_bytes_ = cache_bytes;
    answer_ = explained_ = {};
    items_.clear();
    line_.clear();
    chips_.clear();
    if (of_ == nullptr || !of_->finished || of_->run.results.empty() ||
        of_->labels.size() != of_->run.results.size())
        return;
    answer_ = answer_of(of_->run.results, of_->baseline);
    explained_ = answer_among_kernels(of_->run.results, of_->baseline);
    const bool is_faster = explained_.kind == Answer::Kind::Faster;
    if (of_->stopped || !explained_.factor) return;
    const KernelResult &faster = of_->run.results[explained_.subject],
                       &slower = of_->run.results[explained_.other];
    for (Reason& reason : reasons_of(faster, slower)) {
        const std::size_t index = items_.size();
        const auto is_same = [&](std::size_t chip) { return items_[chip].reason.basis == reason.basis; };
        if ((reason.is_for || !is_faster) && std::ranges::none_of(chips_, is_same)) chips_.push_back(index);
        Item item;
        item.words = reason_words(reason, of_->labels[explained_.subject], of_->labels[explained_.other]);
        item.evidence =
            evidence_words(reason, of_->labels[explained_.subject], of_->labels[explained_.other]);
        item.reason = std::move(reason);
        items_.push_back(std::move(item));
    }
    // What is computed for another device explains nothing here.
    const bool explains = !chips_.empty() && items_[chips_.front()].reason.basis != ReasonBasis::Computed;
    if (is_faster && explains) {
        const Item& first = items_[chips_.front()];
        const std::string because = because_words(first.reason);
        line_ = (because.empty() ? kDiffers : because) + first.words;  // counts alone prove no cause
    } else if (const auto hidden = explained_.kind == Answer::Kind::NoDifference
                                       ? find_hidden_loads(faster, slower, cache_bytes)
                                       : std::nullopt) {
        line_ = hidden_words(*hidden);
    } else if (explains) {
        line_ = kDiffers + items_[chips_.front()].words;
    }
    const bool is_headline = explained_.subject == answer_.subject && explained_.other == answer_.other;
    if (!line_.empty() && !is_headline)
        line_ = headline(explained_, of_->run.results, of_->labels) + ". " + line_;
}

bool can_ask_why(const DeskState& state, const Answer& answer) {
    const bool is_right = answer.kind == Answer::Kind::Faster || answer.kind == Answer::Kind::NoDifference ||
                          answer.kind == Answer::Kind::Alone;
    return is_right && !state.shows_earlier && !state.is_busy && !state.is_outdated &&
           !state.preview.obstacle && state.device != nullptr && !is_measured(*state.shown);
}

void draw_why(const std::string& id, Commands& commands) {
    if (button(id, kWhy,
               {.icon = kIconQuestion,
                .tooltip = "Run again, and measure what cache misses, barriers and atomic operations cost "
                           "each kernel"}))
        commands.push_back(command::Run{.why = true});
}

void draw_evidence(const std::string& id, const RunReasons::Item& item, bool is_short, RunReasons& reasons) {
    const ChipStyle style;
    const std::string tooltip = is_short ? item.words + " (" + item.evidence + ")"
                                : item.reason.basis == ReasonBasis::Measured
                                    ? "Show the bar of the experiment"
                                : item.reason.basis == ReasonBasis::Counted ? "Show both sources"
                                                                            : "Show its machine code";
    if (button(id, label_of(item, is_short), {.icon = icon_of(item.reason.basis), .tooltip = tooltip}))
        reasons.asked = {item.reason};
}

float evidence_width(const RunReasons::Item& item, bool is_short) {
    const ChipStyle style;
    return button_width(label_of(item, is_short), icon_of(item.reason.basis));
}

void ReasonsPanel::point_at(const Reason& reason) {
    pointed_ = reason;
    made_of_.reset();
}

void ReasonsPanel::make(const DeskState& state) {
    if (std::exchange(made_of_, state.shown) == state.shown) return;
    ++chart_key_;
    chart_ = reasons_chart(charted(*state.shown), pointed_);
    remarks_ = obstacle_words(state.shown->run.results, state.shown->labels);
}

void ReasonsPanel::draw_card_menu(Commands& commands) {
    constexpr const char* kMenu = "reasons/card/menu";
    constexpr plot::Size kCard = {800, 450};  // a slide's shape
    if (next_button(
            "reasons/card", "Card",
            {.icon = kIconExport, .tooltip = "The answer, its bars and its reasons as a picture for slides"}))
        ImGui::OpenPopup(kMenu);
    const Popup popup(kMenu);
    if (!popup.open) return;
    const auto card = [&] {
        return ChartPicture{reasons_card(charted(*made_of_)), {}, kCard, look().theme() == Theme::Dark};
    };
    const std::string name = made_of_->run.problem + "-reasons";
    if (option("reasons/card/copy", "Copy as picture", {.enabled = exports_.can_copy()}))
        exports_.copy(card(), commands);
    if (option("reasons/card/png", "Save as PNG\u2026", {.enabled = exports_.can_paint()}))
        exports_.ask(card(), PictureForm::Png, name, commands);
    if (option("reasons/card/svg", "Save as SVG\u2026"))
        exports_.ask(card(), PictureForm::Svg, name, commands);
}

void ReasonsPanel::draw_tools(const DeskState& state, Commands& commands) {
    if (tick("reasons/idle", "Measure when idle", state.settings.explains,
             "After a run of several kernels, measure on its own what each spends its time on, while nothing "
             "else is to be done"))
        commands.push_back(command::ChangeSettings{[](Settings& kept) { kept.explains = !kept.explains; }});
    if (can_ask_why(state, reasons_.answer())) {
        flow_next(button_width(kWhy, kIconQuestion));
        draw_why("reasons/why", commands);
    }
    draw_card_menu(commands);
    if (state.explaining && *state.explaining < state.shown->labels.size())
        text("reasons/explaining",
             "Measuring in the background what costs " + state.shown->labels[*state.explaining] +
                 " time\u2026",
             {.tone = Tone::Accent, .icon = kIconClock, .shortens = true});
    else if (!is_measured(*state.shown) && !state.is_busy)
        text("reasons/how",
             state.device != nullptr && state.device->kind != DeviceKind::Cpu
                 ? "What costs each kernel its time is not measured yet. Why? measures it now. On a GPU this "
                   "is "
                   "never done in the background, because the same GPU may draw the screen."
                 : "What costs each kernel its time is not measured yet. Why? measures it now; with the tick "
                   "it is measured after each run of several kernels.",
             {.tone = Tone::Muted, .wraps = true});
}

void ReasonsPanel::draw_list(const DeskState& state) {
    const bool is_faster = reasons_.explained().kind == Answer::Kind::Faster;
    const std::vector<RunReasons::Item>& items = reasons_.items();
    for (std::size_t i = 0; i < items.size(); ++i) {
        const RunReasons::Item& item = items[i];
        const std::string id = "reasons/item/" + std::to_string(i);
        text(id, (is_faster && !item.reason.is_for ? "although " : "") + item.words,
             {.tone = item.reason.is_for ? Tone::Normal : Tone::Muted, .wraps = true});
        const bool fits = evidence_width(item, false) <= ImGui::GetContentRegionAvail().x;
        draw_evidence(id + "/evidence", item, !fits, reasons_);
        if (item.reason.kind == ReasonKind::CacheMisses && state.choices.xray) {
            const ChipStyle style;
            if (next_button(id + "/map", "map of " + item.reason.subject,
                            {.icon = kIconGrid, .tooltip = "How often each element is used"}))
                reasons_.asked = {item.reason, true};
        }
    }
    const auto is_known = [&](std::size_t index) {
        const KernelResult& result = state.shown->run.results[index];
        return result.effects || (result.xray && result.xray->counts);
    };
    const Answer& answer = reasons_.explained();
    if (items.empty() && answer.factor && !state.shown->stopped && is_known(answer.subject) &&
        is_known(answer.other)) {
        std::string words = "No reason found.";
        for (const std::size_t index : {answer.other, answer.subject}) {
            const KernelResult& result = state.shown->run.results[index];
            if (result.xray && result.xray->state == XrayState::Observed && !result.xray->counts)
                words += fmt::format(" X-ray observed only a part of {}, so its accesses were not compared.",
                                     state.shown->labels[index]);
        }
        text("reasons/none", words, {.tone = Tone::Muted, .wraps = true});
    }
    for (std::size_t i = 0; i < remarks_.size(); ++i)
        remark("reasons/remark/" + std::to_string(i), remarks_[i]);
    for (std::size_t i = 0; i < chart_.notes.size(); ++i)
        remark("reasons/note/" + std::to_string(i), chart_.notes[i]);
}

void ReasonsPanel::draw(const DeskState& state, Commands& commands) {
    if (compat::begin_child("reasons", {0, 0}, false)) {
        if (state.shown == nullptr || state.shown->run.results.empty() ||
            state.shown->labels.size() != state.shown->run.results.size()) {
            empty_state(
                "reasons/empty", kIconQuestion, "No reasons yet",
                "Run two kernels with " + keys_of(Action::Run) + ": what makes the difference appears here.");
        } else {
            make(state);
            draw_tools(state, commands);
            const float top = ImGui::GetCursorScreenPos().y;
            if (plot::has_data(chart_)) {
                // In pixels at scale 1.
                constexpr float kRow = 24, kAround = 96, kLeast = 160;
                const float height =
                    std::max(kLeast, kAround + kRow * static_cast<float>(chart_.y.categories.size()));
                ChartOptions options;
                options.notes = false;
                options.file_name = state.shown->run.problem + "-reasons";
                options.size = {0, std::floor(height * look().pixels())};
                options.hovered = &hovered_;
                widget_.draw("reasons/chart", chart_, chart_key_, options, exports_, commands);
            }
            draw_list(state);
            if (state.is_outdated) dim_from(top);
        }
    }
    ImGui::EndChild();
}

}  // namespace kwb::gui
