// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/fault_links.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "gui/panels/source_links.hpp"
#include "model/finding_words.hpp"
#include "model/xray_words.hpp"
#include "report/answer.hpp"

namespace kwb::gui {
namespace {

constexpr const char* kMeaning = "What does this mean?";

std::string place_label(const Finding& finding) {
    return fmt::format("Go to line {}", place_from(finding.place).line);
}

/// Empty: X-ray's steps do not mark it.
std::string steps_label(const DeskState& state, std::size_t index) {
    const FindingCode code = state.shown->run.results[index].finding->code;
    const bool is_chosen = std::ranges::find(state.result_of, std::optional(index)) != state.result_of.end();
    if (!is_chosen || !state.choices.xray) return "";
    return code == FindingCode::DataRace    ? "Show the race"
           : code == FindingCode::UnsetRead ? "Show the steps"
                                            : "";
}

/// What a kind of undefined behaviour is, for someone who reads of it for the first time.
const char* meaning_of(FindingCode code) {
    switch (code) {
        case FindingCode::DataRace:
            return "A data race: two work-items use the same element, at least one of them writes it, and "
                   "nothing makes one wait for the other. Which comes first is a matter of chance. Within a "
                   "group a barrier makes them wait; between groups only another launch does.";
        case FindingCode::DivergentBarrier:
            return "A barrier lets the work-items of a group wait for each other. If some never reach it, "
                   "the others may wait forever, or go on too early.";
        case FindingCode::UnsetRead:
        case FindingCode::UnsetVariable:
            return "Memory that was never written holds whatever was there before: perhaps the right value, "
                   "perhaps 0, perhaps anything.";
        case FindingCode::OutsideArray:
        case FindingCode::OutsideBuffer:
            return "Memory beyond an array belongs to something else. Reading it gives any value, writing it "
                   "changes other data.";
        case FindingCode::WaitsForOthers:
            return "OpenCL does not promise that work-items run at the same time. One that waits for another "
                   "in a loop may keep it from ever running.";
        default:
            return "The kernel does something whose result OpenCL C leaves open.";
    }
}

void draw_meaning(const std::string& id, const KernelResult& result, Commands& commands) {
    ImGui::SetNextWindowPos({ImGui::GetItemRectMin().x, ImGui::GetItemRectMax().y + tokens().hair},
                            ImGuiCond_Appearing);
    const std::string name = id + "/menu";
    const FontScope font(fonts().body);
    const float most = 30 * ImGui::GetFontSize();
    ImGui::SetNextWindowSizeConstraints({0, 0}, {most + 2 * tokens().gap, ImGui::GetIO().DisplaySize.y});
    const Popup popup(name.c_str());
    if (!popup.open) return;
    ImGui::PushTextWrapPos(most);
    text(id + "/kind", meaning_of(result.finding->code), {.wraps = true});
    if (is_right_by_luck(result))
        text(id + "/luck",
             "The result is right on this device, at this size, this time. OpenCL C does not promise it: "
             "another device, driver or size may give another result, so the kernel is not timed.",
             {.wraps = true});
    text(id + "/remedy", sentence_of(*result.finding, Face::Window), {.tone = Tone::Muted, .wraps = true});
    ImGui::PopTextWrapPos();
    if (button(id + "/page", "All kinds, with remedies",
               {.icon = kIconFile, .tooltip = "Opens in the browser"}))
        commands.push_back(command::OpenDocumentation{"xray"});
}

}  // namespace

void draw_fault_links(const std::string& id, const DeskState& state, std::size_t index, RunReasons& reasons,
                      Commands& commands) {
    const KernelResult& result = state.shown->run.results[index];
    const XrayPlace place = place_from(result.finding->place);
    const std::string file = file_of(place, result.file).string();
    const ChipStyle style;
    ButtonRow row(tokens().gap_small);
    if (row.add(id + "/place", place_label(*result.finding),
                {.icon = kIconCode,
                 .enabled = document_of(state, file).has_value(),
                 .tooltip = "The line in the source"}))
        go_to_line(state, file, place.line, commands);
    const std::string steps = steps_label(state, index);
    if (!steps.empty() &&
        row.add(id + "/race", steps, {.icon = kIconPlay, .tooltip = "Its work-group step by step, in X-ray"}))
        reasons.asked_race = index;
    if (row.add(id + "/meaning", kMeaning, {.icon = kIconQuestion}))
        ImGui::OpenPopup((id + "/meaning/menu").c_str());
    draw_meaning(id + "/meaning", result, commands);
}

float fault_links_width(const DeskState& state, std::size_t index) {
    const ChipStyle style;
    float width = button_width(place_label(*state.shown->run.results[index].finding), kIconCode) +
                  button_width(kMeaning, kIconQuestion) + 2 * tokens().gap_small;
    if (const std::string steps = steps_label(state, index); !steps.empty())
        width += button_width(steps, kIconPlay) + tokens().gap_small;
    return width;
}

}  // namespace kwb::gui
