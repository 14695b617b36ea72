#include "gui/panels/history_parts.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "gui/widgets.hpp"

namespace kwb::gui {
namespace {

constexpr const char* kPopup = "history/menu";

bool item(const char* id, const char* icon, const char* label, std::string_view hint, bool enabled = true) {
    ImGui::BeginDisabled(!enabled);
    const bool chosen = ImGui::MenuItem((with_icon(icon, label) + "##" + id).c_str());
    probe(id, {.label = with_icon(icon, label)});
    ImGui::EndDisabled();
    tooltip(hint);
    return chosen;
}

}  // namespace

bool is_shown(const DeskState& state, const RunSummary& run) {
    return (state.shown && state.shown->run.id == run.id) || (state.sweep && state.sweep->id == run.id);
}

bool is_compared(const DeskState& state, const RunSummary& run) {
    return (state.compared && state.compared->run.id == run.id) ||
           (state.compared_sweep && state.compared_sweep->id == run.id);
}

bool can_be_compared(const DeskState& state, const RunSummary& run) {
    if (is_shown(state, run)) return false;
    return run.is_sweep() ? state.sweep && state.sweep->problem == run.problem : state.shown != nullptr;
}

std::string comparing_hint(const DeskState& state, const RunSummary& run) {
    const std::string kind = run.is_sweep() ? "sweep" : "run";
    if (is_compared(state, run)) return "Stop comparing with this " + kind + " (C)";
    if (is_shown(state, run)) return "This " + kind + " is the one shown; compare it with another one";
    if (can_be_compared(state, run)) return "Compare the shown " + kind + " with this one (C)";
    if (run.is_sweep() && state.sweep)
        return "The sweep shown is one of " + state.sweep->problem + "; show one of " + run.problem +
               " first";
    return "Show a " + kind + " first, then compare it with this one";
}

void toggle_comparing(const DeskState& state, const RunSummary& run, Commands& commands) {
    if (is_compared(state, run))
        commands.emplace_back(command::CompareWith{});
    else if (can_be_compared(state, run))
        commands.emplace_back(command::CompareWith{run.id});
}

void HistoryMenu::open_for(const RunSummary& run) {
    run_ = run.id;
    opens_ = true;
}

bool HistoryMenu::is_open_for(const RunSummary& run) const {
    return run_ == run.id && ImGui::IsPopupOpen(kPopup);
}

void HistoryMenu::draw(const DeskState& state, std::chrono::system_clock::time_point now,
                       Commands& commands) {
    if (std::exchange(opens_, false)) ImGui::OpenPopup(kPopup);
    if (ImGui::BeginPopup(kPopup)) {
        const auto found = std::find_if(state.history.begin(), state.history.end(),
                                        [&](const RunSummary& run) { return run.id == run_; });
        if (found == state.history.end() || pressed(plain(Key::Escape))) {
            ImGui::CloseCurrentPopup();
        } else {
            const RunSummary& run = *found;
            text("history/menu_title", run.problem + " " + sizes_of(run) + ", " + short_time(run.when, now),
                 {.tone = Tone::Muted});
            const bool stops = is_compared(state, run);
            if (item("history/compare", kIconColumns,
                     stops            ? "Stop comparing with it"
                     : run.is_sweep() ? "Compare the shown sweep with it"
                                      : "Compare the shown run with it",
                     comparing_hint(state, run), stops || can_be_compared(state, run)))
                toggle_comparing(state, run, commands);
            ImGui::Separator();
            draw_exports(run, commands);
            ImGui::Separator();
            if (item("history/forget", kIconTrash,
                     run.is_sweep() ? "Forget this sweep\u2026" : "Forget this run\u2026",
                     "Remove it from the history (Delete)"))
                ask_to_forget(run);
        }
        ImGui::EndPopup();
    }
    question_.draw(commands);
}

void HistoryMenu::draw_exports(const RunSummary& run, Commands& commands) {
    const struct {
        const char *id, *label, *hint;
        command::ExportForm form;
    } kForms[] = {
        {"history/export_json", "Export as JSON\u2026", "Every number, for programs",
         command::ExportForm::Json},
        {"history/export_csv", "Export as CSV\u2026",
         run.is_sweep() ? "One line per kernel and size, for spreadsheets"
                        : "One line per kernel, for spreadsheets",
         command::ExportForm::Csv},
        {"history/export_html", "Export the session as HTML\u2026",
         "This one first, then the others of this session, with charts: one page for a browser",
         command::ExportForm::Html},
    };
    for (const auto& form : kForms)
        if (item(form.id, kIconExport, form.label, form.hint))
            pending_.ask_run(form.form, export_name(run), commands, run.id);
}

void HistoryMenu::ask_to_forget(const RunSummary& run) {
    const std::string kind = run.is_sweep() ? "sweep" : "run";
    question_.ask(confirm("Forget this " + kind + "?",
                          "The " + run.problem + " " + kind + " of " + long_time(run.when) + " with " +
                              counted(run.kernels.size(), "kernel") +
                              " will be gone from the history for good. Files are not touched.",
                          "Forget", kIconTrash, [id = run.id](Commands& commands) {
                              commands.emplace_back(command::ForgetRun{id});
                          }));
}

}  // namespace kwb::gui
