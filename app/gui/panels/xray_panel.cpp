// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/xray_panel.hpp"

#include <algorithm>
#include <utility>

#include "gui/fields.hpp"
#include "gui/widgets.hpp"
#include "model/finding_words.hpp"
#include "model/xray_words.hpp"

namespace kwb::gui {
namespace {

constexpr std::array<std::uint32_t, 4> kSubGroups = {8, 16, 32, 64};

std::string lanes_words(std::uint32_t lanes) {
    return std::to_string(lanes) + " lanes";
}

}  // namespace

void XrayPanel::show_race(const Finding& finding, const std::string& kernel) {
    show_maps();
    maps_.show_alarm(finding, kernel);
}

void XrayPanel::keep_moment() {
    const auto access = maps_.access();
    if (access && access != std::exchange(shown_access_, access)) values_.begin_at(chosen_, *access);
}

void XrayPanel::draw_choices(const DeskState& state, Commands& commands) {
    const auto& shown = state.preview.contestants;
    const float width = 8.5f * ImGui::GetFontSize();
    {
        ButtonRow row(tokens().hair);
        const auto add = [&](const char* id, const char* words, View view, const char* tooltip) {
            if (!row.add_tab(id, words, view_ == view, tooltip)) return;
            if (view == View::Values && view_ == View::Memory) keep_moment();
            view_ = view;
        };
        add("xray/numbers", "Numbers", View::Numbers, "Traffic, and each access of the source");
        add("xray/maps", "Maps and steps", View::Memory,
            "How often each element is used, and a work-group step by step");
        add("xray/values", "Values", View::Values,
            "A work-group line by line with the values of its variables, forwards and backwards");
        add("xray/code", "Machine code", View::Code,
            "Registers, occupancy and assembly, also for GPUs you do not have");
    }
    if (view_ == View::Code) {
        flow_next(1.4f * width);
        choose_gpu(state);
    }
    if (view_ == View::Code) return;  // the GPU has its own sub-groups
    if (view_ != View::Values) {
        flow_next(width);
        const Combo combo("xray/lanes", lanes_words(target_.sub_group),
                          {.width = width,
                           .tooltip = "Work-items of a sub-group: 32 on NVIDIA GPUs, 64 on many "
                                      "AMD GPUs"});
        if (combo.open)
            for (const std::uint32_t lanes : kSubGroups)
                if (option("xray/lanes/" + std::to_string(lanes), lanes_words(lanes),
                           {.chosen = lanes == target_.sub_group}))
                    target_.sub_group = lanes;
    }
    if (shown.size() < 2 || view_ == View::Memory) return;
    flow_next(1.4f * width);
    const auto compare = [&](std::size_t i) { commands.push_back(command::SelectKernel{i, true}); };
    const bool compares = state.other && *state.other < shown.size();
    const Combo combo("xray/compared", compares ? "with " + shown[*state.other].label : "Compare with\u2026",
                      {.width = 1.4f * width,
                       .tooltip = view_ == View::Values ? "The kernel of \u201cFirst difference\u201d"
                                                        : "The numbers of another kernel next to these"});
    if (!combo.open) return;
    if (option("xray/compared/none", "none", {.chosen = !compares}) && compares) compare(*state.other);
    for (std::size_t i = 0; i < shown.size(); ++i)
        if (i != chosen_ &&
            option("xray/compared/" + std::to_string(i), shown[i].label, {.chosen = state.other == i}) &&
            state.other != i)
            compare(i);
}

void XrayPanel::choose_gpu(const DeskState& state) {
    if (gpu_ != kDeviceTarget && std::ranges::find(state.gpus, gpu_, &GpuProfile::name) == state.gpus.end()) {
        if (state.gpus.empty()) return;
        const auto amd = std::ranges::find_if(
            state.gpus, [](const GpuProfile& gpu) { return gpu.target.starts_with("gfx"); });
        gpu_ = (amd != state.gpus.end() ? *amd : state.gpus.front()).name;
    }
    const float width = 12 * ImGui::GetFontSize();
    constexpr const char* kDevice = "the device itself";
    const Combo combo("xray/gpu", gpu_ == kDeviceTarget ? kDevice : gpu_,
                      {.width = width, .tooltip = "The GPU that the kernel is compiled for"});
    if (!combo.open) return;
    if (option("xray/gpu/device", kDevice, {.chosen = gpu_ == kDeviceTarget})) gpu_ = kDeviceTarget;
    for (std::size_t i = 0; i < state.gpus.size(); ++i)
        if (option("xray/gpu/" + std::to_string(i), state.gpus[i].name,
                   {.chosen = state.gpus[i].name == gpu_}))
            gpu_ = state.gpus[i].name;
}

bool XrayPanel::draw_status(const DeskState& state, Commands& commands) {
    if (!state.choices.xray) {
        const float width = button_width("Switch X-ray on", kIconEye);
        align_right(width);
        if (button("xray/on", "Switch X-ray on", {.icon = kIconEye}))
            commands.push_back(command::Edit{[](Experiment& choices) { choices.xray = true; }});
        empty_state("xray/off", kIconEye, "X-ray is off",
                    "No kernel is observed, neither before runs nor here.");
        return false;
    }
    const ContestantXray* const now = chosen_ < state.xrays.size() ? &state.xrays[chosen_] : nullptr;
    const bool is_observed = state.observing == chosen_;
    // Code for another GPU is no answer.
    const bool is_of_other_gpu = view_ == View::Code && now != nullptr && now->shown != nullptr &&
                                 now->shown->key.target.gpu != target_.gpu;
    if (now == nullptr || now->shown == nullptr || is_of_other_gpu) {
        if (is_observed && view_ == View::Code)
            empty_state("xray/empty", kIconClock,
                        "Compiling for " + (gpu_ == kDeviceTarget ? "the device" : gpu_) + "\u2026",
                        "Meanwhile X-ray counts its accesses.");
        else if (is_observed)
            empty_state("xray/empty", kIconClock, "Observing",
                        "The kernel's source runs on the CPU, work-item by work-item.");
        else if (state.is_busy)
            empty_state("xray/empty", kIconClock, "X-ray waits",
                        "X-ray would disturb the measurement; it starts after the run.");
        else if (state.device == nullptr)
            empty_state("xray/empty", kIconClock, "X-ray waits", "No device is known yet.");
        else
            empty_state("xray/empty", kIconEye, "Not observed yet", "X-ray starts when nothing else runs.");
        return false;
    }
    if (now->is_outdated)
        text("xray/outdated",
             is_observed     ? "Outdated; being observed again\u2026"
             : state.is_busy ? "Outdated; observed again after the run"
                             : "Outdated; observed again when nothing else runs",
             {.tone = Tone::Warning, .icon = kIconClock, .shortens = true});
    if (now->shown->has_report()) return true;
    empty_state("xray/failed", kIconForbidden, "No X-ray", now->shown->error);
    return false;
}

void XrayPanel::make_tables(const DeskState& state, const Shown& shown, const Shown& other) {
    if (made_of_ == std::array{shown, other}) return;
    made_of_ = {shown, other};
    std::vector<ObservedKernel> kernels;
    findings_.clear();
    remarks_.clear();
    for (const Shown& one : made_of_) {
        if (one == nullptr || !one->has_report()) continue;
        kernels.push_back(one->observed);
        const std::string whose = other != nullptr ? one->observed.label + ": " : "";
        for (const Finding& finding : one->observed.report.undefined) {
            FindingView& view = findings_.emplace_back();
            view.of = one;
            view.place = place_from(finding.place);
            view.head =
                whose + (view.place.line > 0 ? "Line " + std::to_string(view.place.line) : "Undefined");
            view.sentence = sentence_of(finding, Face::Window);
        }
        for (const std::string& sentence : sentences_of(one->observed.report.remarks, Face::Window))
            remarks_.push_back(whose + sentence);
    }
    terms_ = xray_terms(kernels);
    tables_.clear();
    std::vector<XrayTable> tables = xray_tables(kernels);
    marks_ = explain_marks(tables, kernels.size());
    for (XrayTable& table : tables) {
        const std::string& file = kernels[table.kernel.value_or(0)].file;
        tables_.emplace_back(std::move(table), file, state.course.glossary);
    }
}

void XrayPanel::draw_findings(const DeskState& state, Commands& commands) {
    if (findings_.empty()) return;
    text("xray/undefined", "Undefined: OpenCL does not define the result",
         {.tone = Tone::Undefined, .font = fonts().strong, .icon = kIconQuestion, .wraps = true});
    for (std::size_t i = 0; i < findings_.size(); ++i) {
        const FindingView& view = findings_[i];
        const std::string file = file_of(view.place, view.of->observed.file).string();
        draw_source_remark(state, "xray/undefined/" + std::to_string(i),
                           {file, view.place.line, view.head, view.sentence, Tone::Undefined}, commands);
    }
}

void XrayPanel::draw_numbers(const DeskState& state, Commands& commands) {
    draw_findings(state, commands);
    const float room = ImGui::GetContentRegionAvail().x - tokens().scrollbar, gap = tokens().gap_large;
    for (std::size_t i = 0; i < tables_.size(); ++i) {
        const std::string id = "xray/table/" + std::to_string(i);
        const bool has_beside =
            i + 1 < tables_.size() && i >= 2 && tables_[i].width() + gap + tables_[i + 1].width() <= room;
        if (!has_beside) {
            tables_[i].draw(id, room, state, commands);
        } else {
            ImGui::BeginGroup();
            tables_[i].draw(id, tables_[i].width(), state, commands);
            ImGui::EndGroup();
            ImGui::SameLine(0, gap);
            ImGui::BeginGroup();
            tables_[i + 1].draw("xray/table/" + std::to_string(i + 1), tables_[i + 1].width(), state,
                                commands);
            ImGui::EndGroup();
            ++i;
        }
        ImGui::Dummy({0, tokens().hair});
    }
    for (std::size_t i = 0; i < remarks_.size(); ++i) remark("xray/remark/" + std::to_string(i), remarks_[i]);
    if (!marks_.empty()) remark("xray/marked", marks_, Tone::Warning, kIconWarning);
    remark("xray/terms", terms_);
}

void XrayPanel::make_code(const DeskState& state, const Shown& shown) {
    if (code_made_of_ == shown) return;
    code_made_of_ = shown;
    code_tables_.clear();
    const ObservedKernel& kernel = shown->observed;
    for (XrayTable& table : gpu_tables({&kernel, 1}))
        code_tables_.emplace_back(std::move(table), kernel.file, state.course.glossary);
    for (const TargetReport& report : kernel.targets)
        for (const MachineCode& code : report.kernels)
            code_tables_.emplace_back(assembly_table(report, code), kernel.file, state.course.glossary, true);
    code_remarks_ = target_remarks(kernel);
}

void XrayPanel::draw_code(const DeskState& state, Commands& commands) {
    const float room = ImGui::GetContentRegionAvail().x - tokens().scrollbar;
    for (std::size_t i = 0; i < code_remarks_.size(); ++i)
        text("xray/code/remark/" + std::to_string(i), code_remarks_[i],
             {.tone = Tone::Warning, .wraps = true});
    for (std::size_t i = 0; i < code_tables_.size(); ++i) {
        code_tables_[i].draw("xray/code/table/" + std::to_string(i), room, state, commands);
        ImGui::Dummy({0, tokens().hair});
    }
    if (code_tables_.empty() && code_remarks_.empty())
        text("xray/code/none", "No compiler for this GPU is installed.",
             {.tone = Tone::Muted, .wraps = true});
}

void XrayPanel::draw(const DeskState& state, Commands& commands) {
    const std::size_t count = std::min(state.preview.contestants.size(), state.choices.contestants.size());
    target_.contestants.clear();
    if (count == 0)
        return empty_state("xray/empty", kIconEye, "No kernel is chosen", "Choose one to look into it.");
    if (compat::begin_child("xray", {0, 0}, false)) {
        draw_contestants(state, "xray/contestant", commands);
        if (std::exchange(chosen_, selected_contestant(state)) != selected_contestant(state)) {
            target_.launch = 0;
            target_.group = {0, 0, 0};
        }
        draw_choices(state, commands);
        target_.gpu = view_ == View::Code ? gpu_ : "";
        target_.contestants = {chosen_};
        const std::optional<std::size_t> compared = view_ == View::Numbers ? state.other : std::nullopt;
        if (compared) target_.contestants.push_back(*compared);
        const float top = ImGui::GetCursorScreenPos().y;
        if (view_ == View::Values && state.choices.xray) {
            values_.draw(state, chosen_, commands);
        } else if (draw_status(state, commands)) {
            const ContestantXray& now = state.xrays[chosen_];
            Shown other = compared && *compared < state.xrays.size() ? state.xrays[*compared].shown : nullptr;
            // Sub-groups of another size have other figures.
            if (other != nullptr && other->key.target.sub_group != now.shown->key.target.sub_group)
                other.reset();
            if (view_ == View::Memory) {
                maps_.draw(state, now.shown, target_, commands);
            } else if (view_ == View::Code) {
                make_code(state, now.shown);
                draw_code(state, commands);
            } else {
                make_tables(state, now.shown, other);
                draw_numbers(state, commands);
            }
            if (now.is_outdated) dim_from(top);
        }
    }
    ImGui::EndChild();
}

}  // namespace kwb::gui
