// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/xray_steps.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>

#include "base/text.hpp"
#include "gui/widgets.hpp"
#include "plot/count_map.hpp"

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

std::optional<std::vector<std::uint64_t>> read_tuple(std::string_view text) {
    std::vector<std::uint64_t> tuple;
    for (std::string word : split(text, ',')) {
        std::erase_if(word, [](char c) { return c == ' ' || c == '(' || c == ')'; });
        const auto index = read_number<std::uint64_t>(word);
        if (!index) return std::nullopt;
        tuple.push_back(*index);
    }
    return tuple.empty() ? std::nullopt : std::optional(tuple);
}

namespace {

/// nullopt if there is no such group.
std::optional<std::vector<std::uint64_t>> read_group(std::string_view text,
                                                     const std::vector<std::uint64_t>& groups) {
    std::optional<std::vector<std::uint64_t>> group = read_tuple(text);
    if (!group || group->size() > groups.size()) return std::nullopt;
    for (std::size_t d = 0; d < group->size(); ++d)
        if ((*group)[d] >= groups[d]) return std::nullopt;
    group->resize(3);
    return group;
}

}  // namespace

std::string tuple_words(const std::vector<std::uint64_t>& index, std::size_t dimensions) {
    std::vector<std::uint64_t> shown = index;
    shown.resize(dimensions);
    return fmt::format("({})", fmt::join(shown, ", "));
}

GroupChoices group_choices(const XrayReport& report, std::uint32_t launch) {
    GroupChoices choices;
    for (const XrayLaunch& one : report.launches) choices.launches.push_back(one.kernel);
    const XrayLaunch& chosen = report.launches[std::min<std::size_t>(launch, report.launches.size() - 1)];
    for (std::size_t d = 0; d < chosen.global.size(); ++d)
        choices.groups.push_back(chosen.global[d] / chosen.local[d]);
    return choices;
}

void GroupField::draw(const std::string& id, const GroupChoices& choices, std::uint32_t& launch,
                      std::vector<std::uint64_t>& group) {
    const std::size_t chosen = std::min<std::size_t>(launch, choices.launches.size() - 1);
    const float gap = tokens().gap_small, field = 6 * ImGui::GetFontSize();
    if (choices.launches.size() > 1) {
        const auto name = [&](std::size_t i) { return fmt::format("{}. {}", i + 1, choices.launches[i]); };
        const Combo combo(id + "/launch", name(chosen),
                          {.width = 2 * field, .tooltip = "The launch whose work-group is shown"});
        if (combo.open)
            for (std::size_t i = 0; i < choices.launches.size(); ++i)
                if (option(id + "/launch/" + std::to_string(i), name(i), {.chosen = i == chosen})) {
                    launch = static_cast<std::uint32_t>(i);
                    group = {0, 0, 0};
                }
        ImGui::SameLine(0, gap);
    }
    text(id + "/group/label", "Work-group", {.in_row = true});
    ImGui::SameLine(0, gap);
    const std::string now = tuple_words(group, choices.groups.size());
    if (const auto typed = typed_field(id + "/group", now, typing_, field)) {
        if (const auto read = read_group(*typed, choices.groups))
            group = *read;
        else
            typing_.refuse("This launch has no such work-group");
    }
    const std::string* const refusal = typing_.refusal();
    const std::string all = fmt::format("{}", fmt::join(choices.groups, " \u00d7 "));
    tooltip(refusal != nullptr ? *refusal + ": there are " + all
                               : fmt::format("Which of the {} to show step by step", all));
    typing_.end_frame();
}

void WorkItemGrid::begin(const XrayReport& report, std::uint32_t launch) {
    local_ = launch < report.launches.size() ? report.launches[launch].local : std::vector<std::uint64_t>{1};
    sub_group_ = report.sub_group;
    columns_ = local_.size() > 1 ? local_[0] : std::min<std::uint64_t>(local_[0], sub_group_);
    marks_.assign(std::accumulate(local_.begin(), local_.end(), std::uint64_t{1}, std::multiplies<>()), 0);
}

void WorkItemGrid::unmark(int marks) {
    for (std::uint8_t& known : marks_) known &= static_cast<std::uint8_t>(~marks);
}

std::string WorkItemGrid::name(std::uint32_t item) const {
    std::vector<std::uint64_t> index;
    std::uint64_t rest = item;
    for (const std::uint64_t extent : local_) {
        index.push_back(rest % extent);
        rest /= extent;
    }
    return tuple_words(index, index.size());
}

std::optional<std::uint32_t> WorkItemGrid::draw(std::optional<std::uint32_t> selected, ImU32 alarm,
                                                plot::Size room) const {
    const std::size_t rows = (marks_.size() + columns_ - 1) / columns_;
    const float most = 16 * look().pixels();
    const plot::Size size = plot::count_map_size(
        rows, columns_, {std::min(room.width, most * static_cast<float>(columns_)), room.height});
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const plot::Rect area{at.x, at.y, size.width, size.height};
    const float cell_px = size.width / static_cast<float>(columns_);
    const float inset = cell_px > 5 ? std::round(cell_px * 0.1f) : 0;
    const ImU32 idle[] = {colors().raised.u32(), colors().raised_active.u32()};
    const ImU32 active = colors().text.u32(), uses = colors().warning.u32();
    ImDrawList& list = *ImGui::GetWindowDrawList();
    for (std::size_t i = 0; i < marks_.size(); ++i) {
        const std::uint8_t known = marks_[i];
        const plot::Rect cell = plot::cell_rect(area, rows, columns_, i).grown(-inset);
        fill_cell(cell, (known & kAlarming) != 0 ? alarm
                        : (known & kActive) != 0 ? active
                                                 : idle[i / sub_group_ % 2]);
        if ((known & kUses) != 0 || selected == i)
            list.AddRect({cell.x, cell.y}, {cell.right(), cell.bottom()}, uses, 0, 0,
                         std::max(1.0f, cell_px * 0.16f));
    }
    const auto [hovered, pressed] = press_cells("xray/items", area, rows, columns_);
    if (hovered && *hovered < marks_.size())
        tooltip("Work-item " + name(static_cast<std::uint32_t>(*hovered)) +
                " of the group; a click shows what it uses");
    if (!pressed || *pressed >= marks_.size()) return std::nullopt;
    return static_cast<std::uint32_t>(*pressed);
}

}  // namespace kwb::gui
