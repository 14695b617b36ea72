// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/experiment_panel.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "plot/numbers.hpp"

namespace kwb::gui {
namespace {

// The limits that the desk accepts.
constexpr double kLeastTimeBudgetMs = 10, kLeastTimeoutMs = 100, kMostMs = 3'600'000;

/// Draws a field for a duration in seconds, with its label above.
void draw_seconds(ChoicesEdit& edit, const std::string& id, const std::string& label, double& duration_ms,
                  double least_ms, const char* hint, float width) {
    ImGui::BeginGroup();
    field_label(id + "/label", label);
    const auto typed = typed_field(id, plot::format_number(duration_ms / 1000), edit.typing, width);
    tooltip(hint);
    if (typed) {
        const auto seconds = read_number<double>(*typed);
        if (seconds && *seconds * 1000 >= least_ms && *seconds * 1000 <= kMostMs)
            duration_ms = *seconds * 1000;
        else
            edit.typing.refuse(
                label + ": " +
                not_a_number(*typed, plot::format_number(least_ms / 1000) + " to 3600", "number"));
    }
    ImGui::EndGroup();
}

void skip(float pixels) {
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + pixels);
}

void draw_thoroughness(ChoicesEdit& edit) {
    const float width = half_width();
    ImGui::BeginGroup();
    field_label("experiment/seed/label", "Seed (empty: random)");
    const std::string seed = edit.choices.seed ? std::to_string(*edit.choices.seed) : "";
    if (const auto typed = typed_field("experiment/seed", seed, edit.typing, width)) {
        const auto value = read_number<std::uint64_t>(*typed);
        if (value || typed->empty())
            edit.choices.seed = value;
        else
            edit.typing.refuse("Seed: " + not_a_number(*typed, "0 to 18446744073709551615"));
    }
    ImGui::EndGroup();
    beside_last();
    draw_seconds(
        edit, "experiment/budget", "Seconds per kernel", edit.choices.time_budget_ms, kLeastTimeBudgetMs,
        "Time spent on each kernel; at 1 s or more, a slow kernel gets up to 20 s for the 6 rounds that an "
        "interval needs",
        width);
    draw_seconds(edit, "experiment/timeout", "Time limit, seconds", edit.choices.timeout_ms, kLeastTimeoutMs,
                 "A build or a launch that takes longer is stopped", width);
    if (tick(
            "experiment/pages", "Out-of-bounds check", edit.choices.unreadable_pages,
            "Before timing, place each buffer next to an unreadable page: on CPU devices, this catches reads "
            "and writes outside the buffers"))
        edit.choices.unreadable_pages = !edit.choices.unreadable_pages;
    if (tick("experiment/xray", "X-ray", edit.choices.xray,
             "Before timing, observe each kernel's source for data races, divergent barriers and reads of "
             "uninitialised memory. If off, the X-ray panel is off, too"))
        edit.choices.xray = !edit.choices.xray;
}

// Widths in the bar, in pixels at scale 1.
constexpr float kLeastCombo = 92, kDeviceWidth = 210, kProblemWidth = 230, kSizeWidth = 130;
/// For the sake of Export's words, and of its icon, the lists become narrower to these shares of their
/// widths, not more: at the first the title of the matrix product is still whole.
constexpr float kShareForWords = 0.95f, kShareForIcon = 0.85f;

}  // namespace

float ExperimentPanel::bar_width() {
    return run_controls_width() + 3 * (kLeastCombo * look().pixels() + ImGui::GetStyle().ItemSpacing.x);
}

void ExperimentPanel::edit(const DeskState& state, Commands& commands,
                           const std::function<void(ChoicesEdit&)>& draw) {
    Experiment choices = state.choices;
    ChoicesEdit edit{state,          choices, commands, typing_, kernel_filter_,
                     links_extents_, rows_,   pending_, hovered_};
    draw(edit);
    if (choices != state.choices)
        commands.push_back(command::Edit{change_between(state.choices, std::move(choices))});
}

void ExperimentPanel::draw_bar(const DeskState& state, Commands& commands, float room) {
    const float scale = look().pixels(), spacing = ImGui::GetStyle().ItemSpacing.x;
    // First the lists get the width of their texts, then Export its words, then the progress gets the rest.
    const float whole = (kDeviceWidth + kProblemWidth + kSizeWidth) * scale;
    const float without_export = room - run_controls_width() - 3 * spacing;
    const auto left_by = [&](ExportAs shown) { return without_export - export_width(shown) - spacing; };
    const ExportAs exports = left_by(ExportAs::Words) >= kShareForWords * whole ? ExportAs::Words
                             : left_by(ExportAs::Icon) >= kShareForIcon * whole ? ExportAs::Icon
                                                                                : ExportAs::Nothing;
    const float rest = exports == ExportAs::Nothing ? without_export : left_by(exports);
    const float share = std::clamp(rest / whole, kLeastCombo / kProblemWidth, 1.0f);
    const auto width = [&](float at_scale_1) { return std::floor(at_scale_1 * scale * share); };
    const SettingWidths widths{width(kDeviceWidth), width(kProblemWidth),
                               std::max(width(kSizeWidth), 70 * scale)};
    const float begin = ImGui::GetCursorPosX();
    const float lists = widths.device + widths.problem + widths.size;
    edit(state, commands, [&](ChoicesEdit& edit) {
        draw_run_controls(edit, rest - lists);
        ImGui::SameLine();
        ImGui::SetCursorPosX(begin + run_controls_width() + spacing + rest - lists);
        draw_setting(edit, widths);
        draw_export(edit, exports);
    });
}

void ExperimentPanel::draw_short_bar(const DeskState& state, Commands& commands) {
    edit(state, commands, [](ChoicesEdit& edit) {
        draw_run_button(edit);
        if (edit.state.course.open) return;  // a lesson has its own size
        ImGui::SameLine();
        draw_size_alone(edit);
    });
}

void ExperimentPanel::draw(const DeskState& state, Commands& commands) {
    edit(state, commands, [this](ChoicesEdit& edit) { draw_panel(edit); });
}

void ExperimentPanel::draw_panel(ChoicesEdit& edit) {
    const float room = ImGui::GetContentRegionAvail().y;
    // The choices get at least half of the room; if that is too small for the sweep, it scrolls with them.
    const bool pinned = bar_height_ < room / 2;
    compat::begin_child("experiment/scroll", {0, pinned ? -bar_height_ : 0}, false);
    draw_contestants(edit);
    skip(tokens().hair);
    draw_thoroughness(edit);
    if (!pinned) draw_sweep(edit);
    ImGui::EndChild();
    if (pinned) {
        const float top = ImGui::GetCursorPosY();
        skip(tokens().hair);
        draw_sweep(edit);
        bar_height_ = ImGui::GetCursorPosY() - top;
    }
}

bool ExperimentPanel::may_run() {
    if (typing_.refusal() == nullptr) return true;
    typing_.go_to_refused();
    return false;
}

}  // namespace kwb::gui
