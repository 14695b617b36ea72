#include "gui/panels/experiment_panel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
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

/// Exponents of two of the slider's range, which take from a moment to some seconds on a CPU. The more
/// extents there are, the more work a given size is.
struct Steps {
    int least, most;
};
Steps steps_for(std::size_t extents) {
    if (extents <= 1) return {10, 28};
    if (extents == 2) return {5, 14};
    return {4, 13};
}

bool all_alike(const Sizes& sizes) {
    return std::all_of(sizes.begin(), sizes.end(),
                       [&](const auto& size) { return size.value == sizes.front().value; });
}

/// "1024 = 2^10", "1000", "512 \u00d7 256 \u00d7 1024"
std::string words_of(const Sizes& sizes) {
    const std::int64_t first = sizes.front().value;
    if (all_alike(sizes)) {
        const bool power = (first & (first - 1)) == 0;
        const int exponent = static_cast<int>(std::lround(std::log2(static_cast<double>(first))));
        return std::to_string(first) + (power ? " = 2^" + std::to_string(exponent) : "");
    }
    std::vector<std::string> extents;
    for (const auto& size : sizes) extents.push_back(std::to_string(size.value));
    return join(extents, " \u00d7 ");
}

void draw_bytes(const DeskState& state, bool beside_tick) {
    if (state.preview.device_bytes == 0) return;
    const FontScope font(fonts().small);
    const std::string words = format_bytes(state.preview.device_bytes) + " on the device";
    if (beside_tick) {
        // At the right end of the line, if there is room.
        const float begin = ImGui::GetItemRectMax().x + tokens().gap;
        const float end = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
        const float width = ImGui::CalcTextSize(words.c_str()).x;
        if (end - width >= begin) {
            const float middle = (ImGui::GetItemRectMin().y + ImGui::GetItemRectMax().y) / 2;
            ImGui::SameLine();
            ImGui::SetCursorScreenPos({end - width, std::round(middle - ImGui::GetFontSize() / 2)});
            ImGui::GetCurrentWindow()->DC.CurrLineTextBaseOffset = 0;
        }
    }
    text("experiment/size/bytes", words, {.tone = Tone::Muted, .font = fonts().small, .wraps = true});
}

void draw_slider(ChoicesEdit& edit) {
    Sizes& sizes = edit.choices.sizes;
    const std::int64_t first = sizes.front().value;
    const Steps steps = steps_for(sizes.size());
    field_label("experiment/size", "Size  " + words_of(sizes));
    const int now = static_cast<int>(std::lround(std::log2(static_cast<double>(first))));
    const auto moved = step_slider("experiment/size/slider", now, steps.least, steps.most);
    if (!moved) return;
    for (auto& size : sizes)
        if (size.value == first) size.value = std::int64_t{1} << *moved;
}

void draw_extents(ChoicesEdit& edit) {
    Sizes& sizes = edit.choices.sizes;
    const bool alike = all_alike(sizes);
    const float gap = tokens().gap_small;
    const auto count = static_cast<float>(std::min<std::size_t>(sizes.size(), 3));
    const float width = std::floor((ImGui::GetContentRegionAvail().x - (count - 1) * gap) / count);
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        if (i % 3 != 0) beside_last();
        ImGui::BeginGroup();
        const std::string id = "experiment/size/" + sizes[i].name;
        field_label(id + "/label", sizes[i].name);
        const auto typed =
            typed_field(id, std::to_string(edit.state.choices.sizes[i].value), edit.typing, width);
        ImGui::EndGroup();
        if (!typed) continue;
        const auto value = read_extent(*typed);
        if (!value) {
            edit.typing.refuse(sizes[i].name + ": " + not_a_number(*typed, "1 to 2147483647"));
            continue;
        }
        if (edit.links_extents && alike)
            for (auto& size : sizes) size.value = *value;
        else
            sizes[i].value = *value;
    }
    if (sizes.size() > 1) {
        if (tick("experiment/size/linked", "Equal extents", edit.links_extents && alike,
                 "A number typed into one field is taken for all of them")) {
            edit.links_extents = !(edit.links_extents && alike);
            if (edit.links_extents)
                for (auto& size : sizes) size.value = sizes.front().value;
        }
    }
    draw_bytes(edit.state, sizes.size() > 1);
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

/// The driver's name, or else that of the file that announces it.
std::string who(const std::string& name, const std::string& file) {
    return name.empty() ? std::filesystem::path(file).filename().string() : name;
}

std::string short_line(const IdleDriver& driver) {
    return who(driver.name, driver.driver_file) + ": no device in this machine";
}

std::string short_line(const DriverFailure& failure) {
    const std::string driver = who(failure.name, failure.driver_file);
    switch (failure.kind) {
        case DriverFailure::Kind::NotLoaded:
            return driver + ": its library cannot be loaded";
        case DriverFailure::Kind::Refused:
            return driver + ": returns an error";
        case DriverFailure::Kind::Crashed:
            return driver + ": crashes when queried";
        case DriverFailure::Kind::Hung:
            return driver + ": does not answer";
        case DriverFailure::Kind::NoCompiler:
            return driver + ": has no compiler";
    }
    return driver;
}

std::string short_line(const StartingDriver& driver) {
    return fmt::format("{}: starting, {:.0f} s of at most {:g} s", who("", driver.driver_file),
                       driver.waited_ms / 1000, driver.most_ms / 1000);
}

std::string problem_words(const DeskState& state, const std::string& name) {
    for (const ProblemEntry& entry : state.problems)
        if (entry.name == name) return entry.title.empty() ? name : entry.title;
    return name;
}

/// Draws the devices, followed by the drivers without a device in grey.
void draw_device_list(ChoicesEdit& edit, const DeviceList& list) {
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

void draw_device(ChoicesEdit& edit) {
    const DeskState& state = edit.state;
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
            remark("experiment/facts/" + std::to_string(i), facts[i]);
    }
    if (!list && state.is_busy) return;
    if (list)
        for (std::size_t i = 0; i < list->starting.size(); ++i)
            remark("experiment/driver_starting/" + std::to_string(i), short_line(list->starting[i]));
    // If the judge ended before it answered, there is no list.
    std::size_t shown = 0;
    if (list)
        for (const DriverFailure& failure : list->failures) {
            // A file that names a missing library is often just a leftover of a driver.
            if (any && failure.kind == DriverFailure::Kind::NotLoaded) continue;
            const std::string whole = failure.driver_file + ": " + failure.reason;
            remark("experiment/driver_failure/" + std::to_string(shown++), any ? short_line(failure) : whole,
                   Tone::Warning, kIconWarning);
            if (any) tooltip(whole);
        }
    if (!any || shown > 0)
        if (button("experiment/find_devices", "Look for devices again",
                   {.icon = kIconRefresh, .enabled = !state.is_busy}))
            edit.commands.push_back(command::FindDevices{});
}

void draw_problem(ChoicesEdit& edit) {
    field_label("experiment/problem/label", "Problem");
    const Combo combo("experiment/problem", problem_words(edit.state, edit.choices.problem),
                      {.popup_width = 38 * ImGui::GetFontSize()});
    if (!combo.open) return;
    for (const ProblemEntry& entry : edit.state.problems)
        if (option("experiment/problem/option/" + entry.name, entry.name,
                   {.chosen = entry.name == edit.choices.problem, .remark = entry.title}))
            edit.choices.problem = entry.name;
}

void draw_contestants(ChoicesEdit& edit) {
    const DeskState& state = edit.state;
    const std::size_t count = state.choices.contestants.size();
    field_label("experiment/contestants",
                "Kernels, " + std::to_string(count) + " of at most " + std::to_string(kMostContestants));
    for (std::size_t i = 0; i < count; ++i) {
        draw_contestant(edit, i);
        skip(tokens().hair);
    }
    const float gap = tokens().gap_small;
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
    const Popup popup("experiment/add/list");
    if (!popup.open) return;
    const std::string& problem = count == 0 ? std::string() : state.choices.problem;
    if (const auto kernel = pick_kernel(edit, "experiment/add", problem, ""))
        edit.commands.push_back(command::AddKernel{*kernel});
}

void draw_thoroughness(ChoicesEdit& edit) {
    const float gap = tokens().gap_small;
    const float width = std::floor((ImGui::GetContentRegionAvail().x - gap) / 2);
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

void draw_size(ChoicesEdit& edit) {
    if (edit.choices.sizes.empty()) return;
    draw_slider(edit);
    draw_extents(edit);
}

void draw_choices(ChoicesEdit& edit) {
    const float gap = tokens().hair;
    draw_device(edit);
    skip(gap);
    draw_problem(edit);
    skip(gap);
    draw_size(edit);
    skip(gap);
    draw_contestants(edit);
    skip(gap);
    draw_thoroughness(edit);
}

}  // namespace

void ExperimentPanel::draw(const DeskState& state, Commands& commands) {
    Choices choices = state.choices;
    ChoicesEdit edit{state, choices, commands, typing_, kernel_filter_, links_extents_};
    const float room = ImGui::GetContentRegionAvail().y;
    // The choices get at least half of the room; if that is too small for the bar, the bar scrolls with them.
    const bool pinned = bar_height_ < room / 2;
    compat::begin_child("experiment/scroll", {0, pinned ? -bar_height_ : 0}, false);
    draw_choices(edit);
    if (!pinned) draw_run_bar(edit);
    ImGui::EndChild();
    if (pinned) {
        const float top = ImGui::GetCursorPosY();
        skip(tokens().hair);
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

}  // namespace kwb::gui
