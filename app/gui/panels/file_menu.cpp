// SPDX-License-Identifier: Apache-2.0
#include "gui/dialogs/saving.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "experiment/preset.hpp"
#include "gui/chart_widget.hpp"
#include "gui/fields.hpp"
#include "gui/keys.hpp"

namespace kwb::gui {
namespace {

using Purpose = FolderListing::Purpose;

constexpr std::size_t kMostRecentShown = 8;

void draw_experiment_items(const DeskState& state, PendingSave& pending, Commands& commands) {
    if (option("file/open_experiment", with_icon(kIconFolderOpen, "Open experiment\u2026"),
               {.tooltip = "Load device, problem, sizes, kernels, parameters and limits"}))
        commands.push_back(command::OpenDialog{Purpose::OpenExperiment, "", {kPresetExtension}});
    if (option("file/save_experiment", with_icon(kIconSave, "Save experiment\u2026")))
        pending.ask_experiment(state.experiment.empty()
                                   ? file_name_of(state.choices.problem) + kPresetExtension
                                   : to_utf8(state.experiment.filename().string()),
                               commands);
    if (option("file/reset", with_icon(kIconRefresh, "Reset to defaults"),
               {.tooltip = "Return to the choices of the first start; edited files stay open"}))
        commands.push_back(command::ResetExperiment{});
    if (option("file/former", with_icon(kIconHistory, "Undo open or reset"),
               {.enabled = state.has_former_choices,
                .tooltip = state.has_former_choices
                               ? "Return to the choices before the last experiment was opened or reset"
                               : "No experiment was opened or reset yet"}))
        commands.push_back(command::TakeFormerChoices{});
}

void draw_recent(const DeskState& state, Commands& commands) {
    if (state.recent.empty()) return;
    field_label("file/recent", "Recent");
    for (std::size_t i = 0; i < std::min(state.recent.size(), kMostRecentShown); ++i) {
        const RecentFile& file = state.recent[i];
        const std::string name = to_utf8(file.path.filename().string());
        const bool is_missing = !file.is_there;
        if (is_missing) ImGui::PushStyleColor(ImGuiCol_Text, text_color(Tone::Muted));
        const bool chosen =
            option("file/recent/" + std::to_string(i), with_icon(kIconFile, name),
                   {.remark = is_missing ? "no longer exists" : "", .tooltip = to_utf8(file.path.string())});
        if (is_missing) ImGui::PopStyleColor();
        if (chosen) commands.push_back(command::OpenRecent{file.path});
    }
}

}  // namespace

void draw_file_items(const DeskState& state, PendingSave& pending, Commands& commands) {
    draw_experiment_items(state, pending, commands);
    ImGui::Separator();
    if (option("file/open", with_icon(kIconFolderOpen, "Open kernels\u2026"),
               {.remark = keys_of(Action::OpenFile)}))
        commands.push_back(command::OpenDialog{Purpose::OpenKernels, "", {".cl"}});
    if (option("file/open_profile", with_icon(kIconFolderOpen, "Open profile or trace\u2026"),
               {.tooltip = "What kwb profile has written with --json or --trace"}))
        commands.push_back(command::OpenDialog{Purpose::OpenKernels, "", {".json"}});
    if (option("file/paste", with_icon(kIconPlus, "New kernel from the clipboard\u2026"))) {
        const char* text = ImGui::GetClipboardText();
        pending.ask_pasted_kernel(text != nullptr ? text : "", commands);
    }
    draw_recent(state, commands);
    if (!export_obstacle(state).empty()) return;
    ImGui::Separator();
    draw_export_items("file/export", export_name(state), std::nullopt, pending, commands);
}

std::string_view export_obstacle(const DeskState& state) {
    const bool has_run = state.shown != nullptr, has_sweep = state.sweep != nullptr;
    if (has_run ? !state.shown->finished : has_sweep && !state.sweep->finished)
        return "Results can be exported when the run ends";
    if (!has_run && (!has_sweep || state.sweep->results.empty()))
        return "Nothing to export yet; run something first";
    return "";
}

std::string export_name(const DeskState& state) {
    return state.shown != nullptr
               ? file_name_of(state.shown->run.problem + "-" + to_string(state.shown->run.sizes))
               : file_name_of(state.sweep->problem + "-sweep");
}

void draw_export_items(const std::string& id, std::string_view name, std::optional<std::int64_t> run,
                       PendingSave& pending, Commands& commands) {
    constexpr struct {
        const char *id, *label, *hint;
        command::ExportForm form;
    } kForms[] = {
        {"html", "Page with charts (HTML)\u2026",
         "This run first, then the others of this session, as one page for a browser",
         command::ExportForm::Html},
        {"json", "Every number (JSON)\u2026", "For programs", command::ExportForm::Json},
        {"csv", "Table (CSV)\u2026", "One line per kernel, and per size of a sweep, for spreadsheets",
         command::ExportForm::Csv}};
    for (const auto& form : kForms)
        if (option(id + "/" + form.id, with_icon(kIconExport, form.label), {.tooltip = form.hint}))
            pending.ask_run(form.form, name, commands, run);
}

}  // namespace kwb::gui
