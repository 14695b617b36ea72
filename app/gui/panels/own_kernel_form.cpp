// SPDX-License-Identifier: Apache-2.0
// The form of a kernel whose file does not define its launch.
#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "experiment/own_words.hpp"
#include "gui/panels/experiment_panel.hpp"

namespace kwb::gui {
namespace {

class OwnForm {
public:
    OwnForm(ChoicesEdit& edit, const std::string& id, const std::string& kernel,
            const Preview::Contestant& shown)
        : edit_(edit), id_(id), kernel_(kernel), shown_(shown) {
        if (const OwnText* typed = find_named(edit.state.choices.own, kernel)) own_ = *typed;
    }

    void draw() {
        const OwnText before = own_;
        const std::string says = shown_.may_keep ? "This file does not define its launch"
                                                 : "This file defines a part of its launch";
        text(id_ + "/heading", says, {.font = fonts().strong, .wraps = true});
        if (!shown_.notes.empty()) tooltip(join(shown_.notes, "\n"));
        draw_arguments();
        draw_keep();
        draw_missing_macros();
        draw_line();
        if (shown_.functions.size() > 1) draw_function();
        draw_fields();
        if (own_ != before) put_named(edit_.choices.own, kernel_, std::move(own_));
    }

private:
    /// The arguments of the kernel function in the order of the source: name, type, and value of each.
    void draw_arguments() {
        const FontScope font(fonts().small);
        const auto& arguments = shown_.completed.arguments;
        if (!arguments.empty())
            text(id_ + "/arguments", "Arguments of " + shown_.completed.function,
                 {.tone = Tone::Muted, .wraps = true});
        const float gap = tokens().gap, right = ImGui::GetContentRegionAvail().x;
        float names = 0, values = 0;
        const auto words_of = [](const CompletedLaunch::Argument& argument) {
            return argument.value.empty() ? std::string("?") : argument.value;
        };
        for (const auto& argument : arguments) {
            names = std::max(names, width_of(argument.parameter));
            values = std::max(values, width_of(words_of(argument)));
        }
        names = std::min(names, right / 3);
        values = std::min(values, right / 3);
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            const CompletedLaunch::Argument& argument = arguments[i];
            const std::string id = id_ + "/argument/" + std::to_string(i);
            const ImVec2 at = ImGui::GetCursorScreenPos();
            ImGui::Dummy({right, ImGui::GetTextLineHeight()});
            probe(id, {.container = true});
            tooltip(argument.type + " " + argument.parameter +
                    (argument.value.empty() ? " has no value yet; set it with --args"
                                            : " gets " + argument.value));
            paint_text(id + "/name", at, shortened(argument.parameter, names), Tone::Normal);
            paint_text(id + "/type", {at.x + names + gap, at.y},
                       shortened(argument.type, right - names - values - 2 * gap), Tone::Muted);
            paint_text(id + "/value", {at.x + right - values, at.y}, shortened(words_of(argument), values),
                       argument.value.empty() ? Tone::Warning : Tone::Normal);
        }
    }

    void draw_keep() {
        if (shown_.may_keep && button(id_ + "/keep", "Keep",
                                      {.icon = kIconSave,
                                       .enabled = !shown_.notes.empty() && !shown_.obstacle,
                                       .width = ImGui::GetContentRegionAvail().x,
                                       .tooltip = "Save this launch next to the file, for all later runs"}))
            edit_.commands.push_back(command::KeepLaunch{kernel_});
    }

    void draw_missing_macros() {
        if (shown_.missing_macros.empty()) return;
        remark(id_ + "/missing",
               "The source does not define " + enumerate(shown_.missing_macros) +
                   "; if its host program does, enter the values below, as macros.",
               Tone::Warning, kIconWarning);
    }

    /// One line instead of all fields; it is emptied once its content is in the fields.
    void draw_line() {
        field_label(id_ + "/line/label", "Options, as for kwb run");
        const auto typed = typed_field(id_ + "/line", "", edit_.typing, 0, "--problem matmul -D TILE=16");
        tooltip("Paste options, or a whole command such as kwb run " + file().filename().string() +
                " --problem \u2026; they fill the fields below and choose the problem");
        if (!typed) return;
        try {
            const OwnLine line = read_own_line(*typed, file().string(), own_);
            if (line.problem) edit_.choices.problem = listed_problem(*line.problem);
            own_ = line.text;
        } catch (const BadInput& error) {
            edit_.typing.refuse(std::string("Options, ") + error.what());
        }
    }

    const KernelEntry* entry() const {
        const auto found = std::ranges::find(edit_.state.kernels, kernel_, &KernelEntry::name);
        return found != edit_.state.kernels.end() ? &*found : nullptr;
    }

    std::filesystem::path file() const {
        return entry() != nullptr ? entry()->path : std::filesystem::path(kernel_);
    }

    /// @param wanted  a shipped problem, or a file that declares one
    /// @throws BadInput  it is unknown, or not the problem of this file
    std::string listed_problem(const std::string& wanted) const {
        std::string problem = wanted;
        if (wanted.ends_with(".cl")) {
            const auto declares = [&](const KernelEntry& one) {
                return !one.problem.empty() &&
                       one.path.filename() == std::filesystem::path(wanted).filename();
            };
            const auto found = std::ranges::find_if(edit_.state.kernels, declares);
            if (found == edit_.state.kernels.end())
                throw BadInput("--problem " + wanted +
                               ": open this file first, so that its problem is known");
            problem = found->problem;
        }
        if (entry() != nullptr && !entry()->problem.empty() && entry()->problem != problem)
            throw BadInput("--problem " + wanted + ": the file declares that it solves " + entry()->problem);
        return problem;
    }

    void draw_function() {
        field_label(id_ + "/entry/label", "Kernel function  --entry");
        const Combo combo(id_ + "/entry", own_.entry.empty() ? "Choose one" : own_.entry);
        if (!combo.open) return;
        for (const std::string& function : shown_.functions)
            if (option(id_ + "/entry/option/" + function, function, {.chosen = function == own_.entry}))
                own_.entry = function;
    }

    void draw_fields() {
        const float half = half_width();
        const CompletedLaunch& launch = shown_.completed;
        std::vector<std::string> values;
        for (const auto& argument : launch.arguments) values.push_back(argument.value);
        draw_field("args", "Arguments  --args", 0, launch.global.empty() ? "" : join(values, ", "),
                   "In the order of the source, or argument = value: A, B, C, n = M * N", own_.args);
        draw_field("global", "Global  --global", 0, launch.global,
                   "Work-items in each dimension, over the problem's sizes: round_up(N, 16), M", own_.global);
        draw_field("local", "Work-group  --local", half,
                   launch.local.empty() && !launch.global.empty() ? "by the driver" : launch.local,
                   "16x16, or expressions: TILE, TILE", own_.local);
        beside_last();
        std::vector<std::string> missing;
        for (const std::string& name : shown_.missing_macros) missing.push_back(name + " = ?");
        draw_field("defines", "Macros  -D", half, join(missing, "; "),
                   "NAME = VALUE, separated by semicolons: TILE = 16; REAL = float", own_.defines);
        const auto is_local = [](const auto& argument) { return argument.type.starts_with("local "); };
        if (!own_.local_mem.empty() || std::ranges::any_of(launch.arguments, is_local))
            draw_field("local_mem", "Local memory  --local-arg", 0, "",
                       "Number of elements of a __local pointer: tile = 16 * 16", own_.local_mem);
        draw_field("init", "Initial  --init", 0, "", "Value of an output before every run: C = 0", own_.init);
        draw_field("build_options", "Compiler  --build-options", 0, "",
                   "Options for the driver's compiler: -cl-opt-disable", own_.build_options);
    }

    /// @param guess  the value in use while the field is empty
    void draw_field(const char* name, const char* label, float width, std::string_view guess,
                    const char* hint, std::string& value) {
        ImGui::BeginGroup();
        const std::string id = id_ + "/" + name;
        field_label(id + "/label", label, width);
        if (const auto typed = typed_field(id, value, edit_.typing, width, guess)) value = *typed;
        tooltip(hint);
        ImGui::EndGroup();
    }

    ChoicesEdit& edit_;
    const std::string& id_;
    const std::string& kernel_;
    const Preview::Contestant& shown_;
    OwnText own_;
};

}  // namespace

void draw_own_form(ChoicesEdit& edit, const std::string& id, const std::string& kernel,
                   const Preview::Contestant& shown) {
    OwnForm(edit, id, kernel, shown).draw();
}

}  // namespace kwb::gui
