// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/step_player.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "gui/fields.hpp"
#include "gui/widgets.hpp"

namespace kwb::gui {
namespace {

constexpr std::array kSpeeds = {1, 2, 5, 20, 100, 500};  ///< steps per second
constexpr std::size_t kMostTicks = 300;

}  // namespace

void StepPlayer::begin(const XrayPlay& play, bool goes_on) {
    is_playing_ = is_playing_ && goes_on;
    go_to(play, goes_on ? step_ : 0);
}

void StepPlayer::draw(const XrayPlay& play) {
    advance(play);
    draw_controls(play);
    draw_slider(play);
}

void StepPlayer::go_to(const XrayPlay& play, std::size_t step) {
    step_ = play.steps().empty() ? 0 : std::min(step, play.steps().size() - 1);
    since_step_s_ = 0;
}

void StepPlayer::advance(const XrayPlay& play) {
    const std::size_t steps = play.steps().size();
    if (!is_playing_) return;
    look().want_frame();
    since_step_s_ += static_cast<double>(ImGui::GetIO().DeltaTime);
    const double pace_s = 1.0 / kSpeeds[speed_];
    const auto passed = static_cast<std::size_t>(since_step_s_ / pace_s);
    if (passed == 0) return;
    const double rest = since_step_s_ - static_cast<double>(passed) * pace_s;
    go_to(play, step_ + passed);
    since_step_s_ = rest;
    if (step_ + 1 >= steps) is_playing_ = false;
}

void StepPlayer::draw_controls(const XrayPlay& play) {
    const std::size_t last = play.steps().size() - 1;
    const auto begins = play.interval_begins();
    const float gap = tokens().hair;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, gap));
    const auto jump = [&](const char* id, const char* label, const char* hint, std::size_t to, bool first) {
        if (!first) flow_next(button_width(label));
        if (!button(id, label, {.kind = ButtonKind::Quiet, .enabled = to != step_, .tooltip = hint})) return;
        is_playing_ = false;
        go_to(play, to);
    };
    const auto after = std::ranges::upper_bound(begins, static_cast<std::uint32_t>(step_));
    const std::size_t next_begin = after != begins.end() ? *after : last;
    const auto here = std::ranges::lower_bound(begins, static_cast<std::uint32_t>(step_));
    const std::size_t previous_begin = here != begins.begin() ? *std::prev(here) : 0;
    jump("xray/step/barrier_before", "\u00ab", "To the previous barrier", previous_begin, true);
    jump("xray/step/before", "\u2039", "One step back", step_ > 0 ? step_ - 1 : 0, false);
    const float play_width = button_width("Pause", kIconPlay);
    flow_next(play_width);
    if (button("xray/step/play", is_playing_ ? "Pause" : "Play",
               {.icon = is_playing_ ? kIconStop : kIconPlay, .width = play_width})) {
        if (!is_playing_ && step_ == last) go_to(play, 0);
        is_playing_ = !is_playing_;
    }
    jump("xray/step/next", "\u203a", "One step", std::min(step_ + 1, last), false);
    jump("xray/step/next_barrier", "\u00bb", "To the next barrier, or the end", next_begin, false);
    const auto alarms = play.alarms();
    if (!alarms.empty()) {
        const auto alarm = std::ranges::upper_bound(alarms, static_cast<std::uint32_t>(step_));
        jump("xray/step/next_alarm", "Next finding", "To the next racing access or uninitialised read",
             alarm != alarms.end() ? *alarm : alarms.front(), false);
    }
    const auto speed_words = [](std::size_t i) { return fmt::format("{} a second", kSpeeds[i]); };
    const float width = 8 * ImGui::GetFontSize();
    flow_next(width);
    const Combo combo("xray/step/speed", speed_words(speed_),
                      {.width = width, .tooltip = "Steps per second"});
    if (combo.open)
        for (std::size_t i = 0; i < kSpeeds.size(); ++i)
            if (option("xray/step/speed/" + std::to_string(i), speed_words(i), {.chosen = i == speed_}))
                speed_ = i;
    ImGui::PopStyleVar();
}

/// The steps from left to right, with a line at each barrier and at what is undefined.
void StepPlayer::draw_slider(const XrayPlay& play) {
    const int last = static_cast<int>(play.steps().size()) - 1;
    if (last < 1) return;
    if (const auto moved = step_slider("xray/step/slider", static_cast<int>(step_), 0, last)) {
        is_playing_ = false;
        go_to(play, static_cast<std::size_t>(*moved));
    }
    const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
    const auto tick_at = [&](std::span<const std::uint32_t> steps, ImU32 color) {
        const std::size_t stride = steps.size() / kMostTicks + 1;
        for (std::size_t i = 0; i < steps.size(); i += stride) {
            const float x = min.x + (max.x - min.x) * static_cast<float>(steps[i]) / static_cast<float>(last);
            ImGui::GetWindowDrawList()->AddLine({x, max.y - tokens().hair}, {x, max.y}, color);
        }
    };
    tick_at(play.interval_begins(), colors().text_muted.u32());
    tick_at(play.alarms(), colors().danger.u32());
}

}  // namespace kwb::gui
