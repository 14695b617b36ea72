#include "gui/panels/experiment_panel.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "base/text.hpp"
#include "gui/keys.hpp"
#include "gui/look.hpp"
#include "gui/panels/experiment_parts.hpp"
#include "gui/panels/facts.hpp"
#include "gui/panels/run_bar.hpp"
#include "gui/widgets.hpp"
#include "plot/numbers.hpp"
#include "report/tables.hpp"

namespace kwb::gui {
namespace {

// The limits that the desk accepts.
constexpr double kLeastTimeBudgetMs = 10, kLeastTimeoutMs = 100, kMostMs = 3'600'000;

/// Draws a field for a duration in seconds, with its label above.
void draw_seconds(ChoicesEdit& edit, const std::string& id, const std::string& label, double& duration_ms,
                  double least_ms, const char* hint, float width) {
    ImGui::BeginGroup();
    text(id + "/label", label, {.tone = Tone::Muted, .font = look().fonts().small});
    const auto typed = typed_field(id, plot::format_number(duration_ms / 1000), edit.typing, width);
    tooltip(hint);
    if (typed) {
        double value = 0;
        const auto [end, fault] = std::from_chars(typed->data(), typed->data() + typed->size(), value);
        const bool is_number = fault == std::errc() && end == typed->data() + typed->size();
        if (is_number && value * 1000 >= least_ms && value * 1000 <= kMostMs)
            duration_ms = value * 1000;
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

/// Device properties that limit work-groups and sizes.
std::vector<std::string> facts_of(const DeviceInfo& device, const std::optional<Ceilings>& ceilings) {
    std::vector<std::string> facts;
    facts.push_back(counted(device.compute_units, "compute unit") + " \u00b7 work-groups up to " +
                    std::to_string(device.max_work_group_size));
    facts.push_back(format_bytes(device.local_mem_bytes) + " local \u00b7 " +
                    format_bytes(device.global_mem_bytes) + " global memory");
    if (device.max_alloc_bytes > 0) facts.push_back("largest buffer " + format_bytes(device.max_alloc_bytes));
    if (!ceilings) return facts;
    std::vector<std::string> rates;
    if (ceilings->gflops) rates.push_back(plot::format_number(ceilings->gflops->value) + " GFLOP/s");
    if (ceilings->gbytes_s) rates.push_back(plot::format_number(ceilings->gbytes_s->value) + " GB/s");
    if (!rates.empty()) facts.push_back("measured " + join(rates, " \u00b7 "));
    return facts;
}

std::string problem_words(const DeskState& state, const std::string& name) {
    for (const ProblemEntry& entry : state.problems)
        if (entry.name == name) return entry.title.empty() ? name : entry.title;
    return name;
}

}  // namespace

void ExperimentPanel::draw(const DeskState& state, Commands& commands) {
    Choices choices = state.choices;
    ChoicesEdit edit{state, choices, commands, picker_, typing_};
    const float room = ImGui::GetContentRegionAvail().y;
    // The choices get at least half of the room; if that is too small for the bar, the bar scrolls with them.
    const bool pinned = bar_height_ < room / 2;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_ChildBorderSize, 0.0f);
    compat::begin_child("experiment/scroll", {0, pinned ? -bar_height_ : 0}, false);
    ImGui::PopStyleVar(2);
    draw_choices(edit);
    if (!pinned) draw_run_bar(edit);
    ImGui::EndChild();
    if (pinned) {
        const float top = ImGui::GetCursorPosY();
        skip(look().tokens().hair);
        draw_run_bar(edit);
        bar_height_ = ImGui::GetCursorPosY() - top;
    }
    typing_.end_frame();
    if (choices != state.choices) commands.push_back(command::Choose{std::move(choices)});
}

bool ExperimentPanel::may_run() {
    if (typing_.refusal() == nullptr) return true;
    typing_.go_to_refused();
    return false;
}

void ExperimentPanel::draw_choices(ChoicesEdit& edit) {
    const float gap = look().tokens().hair;
    draw_device(edit);
    skip(gap);
    draw_problem(edit);
    skip(gap);
    size_.draw(edit);
    skip(gap);
    draw_contestants(edit);
    skip(gap);
    draw_thoroughness(edit);
}

void ExperimentPanel::draw_device(ChoicesEdit& edit) {
    const DeskState& state = edit.state;
    const Fonts& fonts = look().fonts();
    field_label("experiment/device/label", "Device");
    const auto& list = state.session->devices;
    const bool any = list && !list->devices.empty();
    {
        const bool is_known = (list && list->is_whole) || !state.is_busy;
        const std::string words = state.device != nullptr ? state.device->name
                                  : is_known              ? "No device"
                                                          : "Querying the drivers\u2026";
        const bool has_drivers = any || (list && !(list->failures.empty() && list->idle_drivers.empty()));
        const Combo combo("experiment/device", words,
                          {.popup_width = 24 * ImGui::GetFontSize(), .enabled = has_drivers});
        if (combo.open && list) draw_device_list(edit, *list);
    }
    if (state.device != nullptr) {
        const auto facts = facts_of(*state.device, state.ceilings);
        for (std::size_t i = 0; i < facts.size(); ++i)
            text("experiment/facts/" + std::to_string(i), facts[i],
                 {.tone = Tone::Muted, .font = fonts.small, .wraps = true});
    }
    if (!list && state.is_busy) return;
    if (list)
        for (std::size_t i = 0; i < list->starting.size(); ++i)
            text("experiment/driver_starting/" + std::to_string(i), short_line(list->starting[i]),
                 {.tone = Tone::Muted, .font = fonts.small, .wraps = true});
    // If the judge ended before it answered, there is no list.
    std::size_t shown = 0;
    if (list)
        for (const DriverFailure& failure : list->failures) {
            if (any && !is_alarming(failure)) continue;
            text("experiment/driver_failure/" + std::to_string(shown++),
                 any ? short_line(failure) : failure.driver_file + ": " + failure.reason,
                 {.tone = Tone::Warning, .font = fonts.small, .icon = kIconWarning, .wraps = true});
            if (any) tooltip(failure.driver_file + ": " + failure.reason);
        }
    if (!any || shown > 0)
        if (button("experiment/find_devices", "Look for devices again",
                   {.icon = kIconRefresh, .enabled = !state.is_busy}))
            edit.commands.push_back(command::FindDevices{});
}

/// Draws the devices, followed by the drivers without a device in grey.
void ExperimentPanel::draw_device_list(ChoicesEdit& edit, const DeviceList& list) {
    for (const DeviceInfo& device : list.devices)
        if (option("experiment/device/option/" + device.id, device.name,
                   {.chosen = &device == edit.state.device, .remark = device.platform}))
            edit.choices.device = device.id;
    std::size_t shown = 0;
    const auto add = [&](const std::string& line, const std::string& whole) {
        text("experiment/device/driver/" + std::to_string(shown++), line, {.tone = Tone::Muted});
        tooltip(whole);
    };
    for (const DriverFailure& failure : list.failures)
        add(short_line(failure), failure.driver_file + ": " + failure.reason);
    for (const IdleDriver& driver : list.idle_drivers) add(short_line(driver), describe(driver));
}

void ExperimentPanel::draw_problem(ChoicesEdit& edit) {
    field_label("experiment/problem/label", "Problem");
    const Combo combo("experiment/problem", problem_words(edit.state, edit.choices.problem),
                      {.popup_width = 38 * ImGui::GetFontSize()});
    if (!combo.open) return;
    for (const ProblemEntry& entry : edit.state.problems)
        if (option("experiment/problem/option/" + entry.name, entry.name,
                   {.chosen = entry.name == edit.choices.problem, .remark = entry.title}))
            edit.choices.problem = entry.name;
}

void ExperimentPanel::draw_contestants(ChoicesEdit& edit) {
    const DeskState& state = edit.state;
    const std::size_t count = state.choices.contestants.size();
    field_label("experiment/contestants",
                "Kernels, " + std::to_string(count) + " of at most " + std::to_string(kMostContestants));
    for (std::size_t i = 0; i < count; ++i) {
        draw_contestant(edit, i);
        skip(look().tokens().hair);
    }
    const float gap = look().tokens().gap_small;
    const float width = std::floor((ImGui::GetContentRegionAvail().x - gap) / 2);
    const bool full = count >= kMostContestants;
    if (button("experiment/add", "Add kernel",
               {.icon = kIconPlus,
                .enabled = !full,
                .width = width,
                .tooltip = full ? "Remove one first: more cannot be distinguished in charts"
                                : "From the list of kernels"}))
        ImGui::OpenPopup("experiment/add/list");
    ImGui::SameLine(0, gap);
    if (button("experiment/open", "Open\u2026",
               {.icon = kIconFolderOpen,
                .width = width,
                .tooltip = "Your own kernel file (" + keys_of(Action::OpenFile) + ")"}))
        edit.commands.push_back(command::OpenDialog{FolderListing::Purpose::OpenKernels, "", {".cl"}});
    ImGui::SetNextWindowSizeConstraints({34 * ImGui::GetFontSize(), 0},
                                        {34 * ImGui::GetFontSize(), ImGui::GetIO().DisplaySize.y * 0.6f});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(gap, gap));
    const bool open = ImGui::BeginPopup("experiment/add/list");
    ImGui::PopStyleVar();
    if (!open) return;
    const std::string& problem = count == 0 ? std::string() : state.choices.problem;
    if (const auto kernel = edit.picker.draw("experiment/add", state, problem, ""))
        edit.commands.push_back(command::AddKernel{*kernel});
    ImGui::EndPopup();
}

void ExperimentPanel::draw_thoroughness(ChoicesEdit& edit) {
    const float gap = look().tokens().gap_small;
    const float width = std::floor((ImGui::GetContentRegionAvail().x - gap) / 2);
    ImGui::BeginGroup();
    text("experiment/seed/label", "Seed", {.tone = Tone::Muted, .font = look().fonts().small});
    const std::string seed = std::to_string(edit.choices.seed);
    if (const auto typed = typed_field("experiment/seed", seed, edit.typing, width)) {
        std::uint64_t value = 0;
        const auto [end, fault] = std::from_chars(typed->data(), typed->data() + typed->size(), value);
        if (fault == std::errc() && end == typed->data() + typed->size())
            edit.choices.seed = value;
        else
            edit.typing.refuse("Seed: " + not_a_number(*typed, "0 to 18446744073709551615"));
    }
    ImGui::EndGroup();
    beside_last();
    draw_seconds(
        edit, "experiment/budget", "Seconds per kernel", edit.choices.time_budget_ms, kLeastTimeBudgetMs,
        "How long each kernel is timed; from 1 s on a slow one gets up to 20 s for the 6 rounds of an "
        "interval",
        width);
    draw_seconds(edit, "experiment/timeout", "Time limit, seconds", edit.choices.timeout_ms, kLeastTimeoutMs,
                 "A build, or one launch, that takes longer is ended", width);
    if (tick("experiment/pages", "Look for stray accesses", edit.choices.unreadable_pages,
             "Before timing, check with buffers against unreadable pages: reads and writes outside of them "
             "are caught on CPU devices"))
        edit.choices.unreadable_pages = !edit.choices.unreadable_pages;
}

}  // namespace kwb::gui
