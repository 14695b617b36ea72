// SPDX-License-Identifier: Apache-2.0
// The setting of the experiment in the heading bar: device, problem and size.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/text.hpp"
#include "gui/keys.hpp"
#include "gui/panels/experiment_panel.hpp"
#include "plot/numbers.hpp"
#include "report/tables.hpp"

namespace kwb::gui {
namespace {

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
    if (!rates.empty())
        facts.push_back("measured " + join(rates, " \u00b7 ") +
                        (ceilings->when ? local_time(*ceilings->when, " on %F") : ""));
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

/// Adds each kernel of the chosen device once more, on another one, as far as there is room.
void compare_on(Experiment& choices, const std::string& device) {
    std::vector<Experiment::Contestant> there;
    for (Experiment::Contestant one : choices.contestants) {
        if (!one.device.empty() || one.kernel == kHostBlasName) continue;
        one.device = device;
        if (std::ranges::find(choices.contestants, one) == choices.contestants.end()) there.push_back(one);
    }
    there.resize(std::min(there.size(), kMostContestants - choices.contestants.size()));
    choices.contestants.insert(choices.contestants.end(), there.begin(), there.end());
}

/// Draws the devices, the facts about the chosen one, and the drivers without a device.
void draw_device_list(ChoicesEdit& edit, const DeviceList& list) {
    const DeskState& state = edit.state;
    for (const DeviceInfo& device : list.devices)
        if (option("experiment/device/option/" + device.id, device.name,
                   {.chosen = &device == state.device, .remark = device.platform}))
            edit.choices.device = device.id;
    const bool full = state.choices.contestants.size() >= kMostContestants;
    for (const DeviceInfo& device : list.devices)
        if (&device != state.device &&
            option("experiment/device/compare/" + device.id,
                   with_icon(kIconPlus, "Compare the kernels with themselves on " + device.id),
                   {.enabled = !full,
                    .tooltip = full ? "Remove a kernel first; charts cannot distinguish more"
                                    : std::string_view(device.name)}))
            compare_on(edit.choices, device.id);
    if (state.device != nullptr) {
        ImGui::Separator();
        const auto facts = facts_of(*state.device, state.ceilings);
        for (std::size_t i = 0; i < facts.size(); ++i)
            remark("experiment/facts/" + std::to_string(i), facts[i]);
    }
    for (std::size_t i = 0; i < list.starting.size(); ++i)
        remark("experiment/driver_starting/" + std::to_string(i), short_line(list.starting[i]));
    for (std::size_t i = 0; i < list.failures.size(); ++i) {
        const DriverFailure& failure = list.failures[i];
        // A file that names a missing library is often just a leftover of a driver.
        const bool is_leftover = !list.devices.empty() && failure.kind == DriverFailure::Kind::NotLoaded;
        const std::string whole = failure.driver_file + ": " + failure.reason;
        remark("experiment/driver_failure/" + std::to_string(i),
               list.devices.empty() ? whole : short_line(failure), is_leftover ? Tone::Muted : Tone::Warning,
               is_leftover ? nullptr : kIconWarning);
        if (!list.devices.empty()) tooltip(whole);
    }
    for (std::size_t i = 0; i < list.idle_drivers.size(); ++i) {
        remark("experiment/driver_idle/" + std::to_string(i), short_line(list.idle_drivers[i]));
        tooltip(describe(list.idle_drivers[i]));
    }
}

/// Other places with devices, and these devices if the place's judge has been started.
void draw_places(ChoicesEdit& edit) {
    const DeskState& state = edit.state;
    if (state.places.empty()) return;
    // While the devices of one place are being listed, another place can be chosen.
    const bool is_looking = state.session->phase == Snapshot::Phase::Listing;
    const bool is_free = !state.is_busy || is_looking;
    bool are_all_known = true;
    const auto draw_place = [&](const std::string& name, const std::string& words,
                                const std::string& command) {
        ImGui::Separator();
        const std::string id = "experiment/place/" + name;
        if (option(id, words, {.chosen = name == state.place, .enabled = is_free, .remark = command}))
            edit.commands.push_back(command::UsePlace{name});
        if (name == state.place || command.starts_with(kSlurmScheme)) return;
        const auto known = state.elsewhere.find(name);
        if (known == state.elsewhere.end()) {
            are_all_known = false;
            return;
        }
        const Snapshot& there = *known->second;
        ImGui::Indent();
        if (there.devices) {
            for (const DeviceInfo& device : there.devices->devices)
                if (option(id + "/" + device.id, device.name,
                           {.enabled = is_free, .remark = device.platform}))
                    edit.commands.push_back(command::UsePlace{name, device.id});
        } else if (there.phase == Snapshot::Phase::Listing) {
            remark(id + "/said",
                   there.link.last_line.empty() ? "Looking for its devices\u2026" : there.link.last_line);
        } else {
            are_all_known = false;
            if (!there.error.empty()) remark(id + "/error", there.error, Tone::Warning, kIconWarning);
        }
        ImGui::Unindent();
    };
    if (!state.place.empty()) draw_place("", "Devices of this machine", "");
    for (const auto& [name, command] : state.places) draw_place(name, "Devices at " + name, command);
    if (!state.place.empty() && is_looking && !state.session->link.last_line.empty())
        remark("experiment/place/said", state.session->link.last_line);
    if (are_all_known) return;
    ImGui::Separator();
    if (option("experiment/list_places", with_icon(kIconRefresh, "List the devices of all places"),
               {.enabled = !state.is_busy,
                .keeps_open = true,
                .tooltip = "Starts the judge at each place, except allocations"}))
        edit.commands.push_back(command::ListPlaces{});
}

void draw_device(ChoicesEdit& edit, float width) {
    const DeskState& state = edit.state;
    const auto& list = state.session->devices;
    const bool is_known = (list && list->is_whole) || !state.is_busy;
    // First, because a long device name is cut.
    const std::string at = state.place.empty() ? "" : state.place + ": ";
    const std::string words = at + (state.device != nullptr ? state.device->name
                                    : is_known              ? "No device"
                                    : at.empty()            ? "Querying the drivers\u2026"
                                                            : "Waiting\u2026");
    const Combo combo(
        "experiment/device", words,
        {.width = width, .popup_width = 28 * ImGui::GetFontSize(), .tooltip = "Device: " + words});
    if (!combo.open) return;
    if (list) draw_device_list(edit, *list);
    draw_places(edit);
    ImGui::Separator();
    if (option("experiment/find_devices", with_icon(kIconRefresh, "Look for devices again"),
               {.enabled = !state.is_busy}))
        edit.commands.push_back(command::FindDevices{});
}

/// The entry of a problem, or that of the same one with other numbers.
const ProblemEntry* entry_of(const DeskState& state, const std::string& name) {
    const auto has_it = [&](const ProblemEntry& entry) {
        return std::ranges::find(entry.numbers, name, &Named<std::string>::value) != entry.numbers.end();
    };
    auto found = std::ranges::find(state.problems, name, &ProblemEntry::name);
    if (found == state.problems.end()) found = std::ranges::find_if(state.problems, has_it);
    return found != state.problems.end() ? &*found : nullptr;
}

/// The type of numbers of a problem; empty: it has no others.
std::string numbers_of(const ProblemEntry* entry, const std::string& name) {
    if (entry != nullptr)
        for (const auto& [type, problem] : entry->numbers)
            if (problem == name) return type;
    return "";
}

std::string problem_words(const DeskState& state, const std::string& name) {
    const ProblemEntry* const entry = entry_of(state, name);
    if (entry == nullptr || entry->title.empty()) return name;
    const std::string type = numbers_of(entry, name);
    const bool is_usual = type.empty() || type == entry->numbers.front().name;
    return entry->title + (is_usual ? "" : " \u00b7 " + type);
}

/// The number type of the chosen problem: every shipped problem exists for several types.
void draw_numbers(ChoicesEdit& edit) {
    const ProblemEntry* const entry = entry_of(edit.state, edit.choices.problem);
    if (entry == nullptr || entry->numbers.size() < 2) return;
    field_label("experiment/problem/numbers/label", "Numbers of " + entry->numbers.front().value);
    const Combo combo("experiment/problem/numbers", numbers_of(entry, edit.choices.problem));
    if (!combo.open) return;
    for (const auto& [type, problem] : entry->numbers)
        if (option("experiment/problem/numbers/" + type, type, {.chosen = problem == edit.choices.problem}))
            edit.choices.problem = problem;
}

void draw_problem(ChoicesEdit& edit, float width) {
    const std::string words = problem_words(edit.state, edit.choices.problem);
    const Combo combo(
        "experiment/problem", words,
        {.width = width, .popup_width = 38 * ImGui::GetFontSize(), .tooltip = "Problem: " + words});
    if (!combo.open) return;
    for (const ProblemEntry& entry : edit.state.problems)
        if (option("experiment/problem/option/" + entry.name, entry.name,
                   {.chosen = entry.name == edit.choices.problem, .remark = entry.title}))
            edit.choices.problem = entry.name;
    draw_numbers(edit);
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

/// "1024", "512 \u00d7 256 \u00d7 1024"
std::string extents_words(const Sizes& sizes) {
    if (all_alike(sizes)) return std::to_string(sizes.front().value);
    std::vector<std::string> extents;
    for (const auto& size : sizes) extents.push_back(std::to_string(size.value));
    return join(extents, " \u00d7 ");
}

/// The same, with "= 2^10" where it is a power of two.
std::string words_of(const Sizes& sizes) {
    const std::int64_t first = sizes.front().value;
    if (!all_alike(sizes) || (first & (first - 1)) != 0) return extents_words(sizes);
    const int exponent = static_cast<int>(std::lround(std::log2(static_cast<double>(first))));
    return extents_words(sizes) + " = 2^" + std::to_string(exponent);
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
    field_label("experiment/size/words", "Size  " + words_of(sizes));
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
                 "A number typed into one field applies to all")) {
            edit.links_extents = !(edit.links_extents && alike);
            if (edit.links_extents)
                for (auto& size : sizes) size.value = sizes.front().value;
        }
    }
    draw_bytes(edit.state, sizes.size() > 1);
}

std::string size_label(const ChoicesEdit& edit) {
    return edit.choices.sizes.empty() ? "Size" : "Size " + extents_words(edit.choices.sizes);
}

void draw_size(ChoicesEdit& edit, float width) {
    constexpr const char* kSizePopup = "experiment/size/popup";
    constexpr std::string_view kSizeFields = "experiment/size/";
    const bool has_sizes = !edit.choices.sizes.empty();
    const std::string words = size_label(edit);
    const float room = width - 2 * ImGui::GetStyle().FramePadding.x;
    const std::string& cause = edit.state.size_cause;
    const std::string hint =
        "Size of the problem: " + to_string(edit.choices.sizes) + (cause.empty() ? "" : "; " + cause);
    if (button("experiment/size", shortened(words, room),
               {.enabled = has_sizes, .width = width, .tooltip = hint}))
        ImGui::OpenPopup(kSizePopup);
    const ImVec2 corner = ImGui::GetItemRectMax();
    const float popup_width = 20 * ImGui::GetFontSize();
    const float right = std::max(corner.x, popup_width + tokens().gap);
    ImGui::SetNextWindowPos({right, corner.y + tokens().hair}, ImGuiCond_Always, {1, 0});
    ImGui::SetNextWindowSize({popup_width, 0});
    // A click elsewhere closes the popup before a field in it has finished. It opens once more to take the
    // text, and stays open if the text is refused; Escape drops it.
    bool leaves = !ImGui::IsPopupOpen(kSizePopup) && edit.typing.holds(kSizeFields);
    if (leaves && pressed(plain(Key::Escape))) {
        edit.typing.drop(kSizeFields);
        leaves = false;
    }
    if (leaves) ImGui::OpenPopup(kSizePopup);
    const Popup popup(kSizePopup);
    if (!popup.open || !has_sizes) return;
    draw_slider(edit);
    draw_extents(edit);
    if (!cause.empty())
        text("experiment/size/cause", "Chosen for this device: " + cause,
             {.tone = Tone::Muted, .font = fonts().small, .wraps = true});
    if (leaves && !edit.typing.holds(kSizeFields)) ImGui::CloseCurrentPopup();
}

}  // namespace

void draw_setting(ChoicesEdit& edit, const SettingWidths& widths) {
    draw_device(edit, widths.device);
    ImGui::SameLine();
    draw_problem(edit, widths.problem);
    ImGui::SameLine();
    draw_size(edit, widths.size);
}

void draw_size_alone(ChoicesEdit& edit) {
    draw_size(edit, button_width(size_label(edit)));
}

}  // namespace kwb::gui
