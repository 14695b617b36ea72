// SPDX-License-Identifier: Apache-2.0
// The form of a kernel whose file does not define its launch.
#include <algorithm>
#include <cctype>
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
        text(id_ + "/heading", heading(),
             {.tone = shown_.obstacle ? Tone::Warning : Tone::Normal, .font = fonts().strong, .wraps = true});
        draw_help();
        if (shown_.functions.size() > 1) draw_function();
        draw_arguments();
        draw_macros();
        draw_launch();
        draw_buttons();
        draw_more();
        if (own_ != before) put_named(edit_.choices.own, kernel_, std::move(own_));
    }

private:
    using Argument = CompletedLaunch::Argument;

    /// What is missing, in a sentence.
    std::string heading() const {
        const CompletedLaunch& launch = shown_.completed;
        if (shown_.functions.empty()) return "The file is being read.";
        if (std::string missing = launch.missing(); !missing.empty()) {
            missing.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(missing.front())));
            return missing + ".";
        }
        if (!shown_.missing_macros.empty())
            return "The source does not define " + enumerate(shown_.missing_macros) + ". Choose values.";
        if (launch.global.empty()) return "Choose the missing values below.";
        return shown_.may_keep ? "The launch was guessed from the source. Check it, and press Run."
                               : "This file defines a part of its launch; the rest was guessed.";
    }

    void draw_help() {
        const std::string notes = join(shown_.notes, "\n");
        if (button(id_ + "/help", "What the fields mean",
                   {.icon = kIconQuestion, .kind = ButtonKind::Quiet, .tooltip = notes}))
            ImGui::OpenPopup((id_ + "/help/menu").c_str());
        const float most = 26 * ImGui::GetFontSize();
        ImGui::SetNextWindowSizeConstraints({0, 0}, {most + 2 * tokens().gap, ImGui::GetIO().DisplaySize.y});
        const Popup popup((id_ + "/help/menu").c_str());
        if (!popup.open) return;
        ImGui::PushTextWrapPos(most);
        std::size_t paragraph = 0;
        for (const char* words :
             {"To run a kernel, the workbench has to know what each argument gets, how many work-items there "
              "are, and how large a work-group is. The file does not declare it, so it was guessed from "
              "names and types.",
              "Arguments: A, B, \u2026 are the buffers of the chosen problem, and M, N, \u2026 its sizes. A "
              "local argument gets a number of elements.",
              "Global size: work-items in each dimension, for example \"N, M\" for one per element of an "
              "M \u00d7 N matrix.",
              "Work-group: for example 16x16, where the kernel depends on it.",
              "Macros: names that the original host program defines when it builds the kernel.",
              "If the kernel solves another problem, choose that above the kernels."})
            text(id_ + "/help/" + std::to_string(paragraph++), words, {.wraps = true});
        ImGui::PopTextWrapPos();
        if (button(id_ + "/help/page", "Your own kernels",
                   {.icon = kIconFile, .tooltip = "Opens in the browser"}))
            edit_.commands.push_back(command::OpenDocumentation{"own-kernels"});
    }

    /// The value in force, else the guess.
    static const std::string& shown_of(const Argument& argument) {
        return argument.value.empty() ? argument.offer.guess : argument.value;
    }

    /// "a = 1; b = 2"
    static NamedList<std::string> settings(const std::string& words) {
        NamedList<std::string> all;
        for (const std::string& piece : split(words, ';'))
            if (const std::size_t at = piece.find('='); at != std::string::npos)
                all.push_back(
                    {std::string(trim(piece.substr(0, at))), std::string(trim(piece.substr(at + 1)))});
        return all;
    }
    static void set(std::string& words, const std::string& name, const std::string& value) {
        NamedList<std::string> all = settings(words);
        put_named(all, name, value);
        std::vector<std::string> pieces;
        for (const auto& [known, chosen] : all)
            if (!chosen.empty()) pieces.push_back(known + " = " + chosen);
        words = join(pieces, "; ");
    }

    /// A list with a field for other values. @return  what was chosen
    std::optional<std::string> pick(const std::string& name, const std::string& label, std::string_view words,
                                    std::vector<std::string> offered, const char* example, float width = 0) {
        std::optional<std::string> chosen;
        ImGui::BeginGroup();
        const std::string id = id_ + "/" + name;
        field_label(id + "/label", label, width);
        {
            const Combo combo(id, words,
                              {.width = width > 0 ? width : ImGui::GetContentRegionAvail().x,
                               .popup_width = 15 * ImGui::GetFontSize()});
            if (combo.open) {
                field_label(id + "/other", example);
                if (const auto typed = typed_field(id + "/typed", "", edit_.typing)) {
                    chosen = *typed;
                    ImGui::CloseCurrentPopup();
                }
                for (const std::string& value : offered)
                    if (option(id + "/option/" + value, value.empty() ? "none" : value,
                               {.chosen = value == words}))
                        chosen = value;
            }
        }
        ImGui::EndGroup();
        return chosen;
    }

    /// All arguments by name, with one changed.
    void set_arguments(const Argument* changed, const std::string& value) {
        std::vector<std::string> pieces;
        for (const Argument& argument : shown_.completed.arguments) {
            if (argument.is_local()) continue;
            const std::string now = &argument == changed ? value : shown_of(argument);
            if (!now.empty()) pieces.push_back(argument.parameter + " = " + now);
        }
        own_.args = join(pieces, ", ");
    }

    /// A list box for each argument, in the order of the source.
    void draw_arguments() {
        const float half = half_width();
        bool is_right = false;
        for (const Argument& argument : shown_.completed.arguments) {
            if (std::exchange(is_right, !is_right)) beside_last();
            std::string words = shown_of(argument);
            const bool is_guess = argument.value.empty() && !words.empty();
            const auto chosen =
                pick("argument/" + argument.parameter, argument.parameter + "  " + argument.type,
                     words.empty() ? "Choose"
                     : is_guess    ? words + " ?"
                                   : words,
                     argument.offer.choices,
                     argument.is_local() ? "Elements, e.g. 16 * 16" : "Other, e.g. M * N or 0", half);
            if (!chosen) continue;
            if (argument.is_local())
                set(own_.local_mem, argument.parameter, *chosen);
            else
                set_arguments(&argument, *chosen);
        }
    }

    void draw_macros() {
        NamedList<std::string> macros = settings(own_.defines);
        for (const std::string& name : shown_.missing_macros)
            if (find_named(macros, name) == nullptr) macros.push_back({name, ""});
        const float half = half_width();
        bool is_right = false;
        for (const auto& [name, value] : macros) {
            if (std::exchange(is_right, !is_right)) beside_last();
            if (const auto chosen = pick("macro/" + name, name + "  macro",
                                         value.empty() ? "Choose" : std::string_view(value),
                                         shown_.completed.macros, "Other, e.g. 16 or N + 1", half))
                set(own_.defines, name, *chosen);
        }
    }

    void draw_launch() {
        const CompletedLaunch& launch = shown_.completed;
        const float half = half_width();
        const auto words_of = [&](const std::string& typed, const std::string& known) {
            return !typed.empty() ? typed : !known.empty() ? known : std::string("Guessed");
        };
        std::vector<std::string> ranges = {""};
        ranges.insert(ranges.end(), launch.ranges.begin(), launch.ranges.end());
        const std::string global = words_of(own_.global, launch.global);
        const bool is_long = width_of(global) + ImGui::GetFrameHeight() + tokens().gap > half;
        if (const auto chosen = pick("global", "Global size", global, ranges,
                                     "Other, e.g. round_up(N, 16), M", is_long ? 0 : half))
            own_.global = *chosen;
        if (!is_long) beside_last();
        const std::vector<std::string> groups = {"",   "16x16", "8x8", "32x8", "32x32",
                                                 "32", "64",    "128", "256"};
        if (const auto chosen =
                pick("local", "Work-group",
                     own_.local.empty() && launch.local.empty() ? "by the driver"
                                                                : words_of(own_.local, launch.local),
                     groups, "Other, e.g. 16x16 or TILE, TILE", half))
            own_.local = *chosen;
        const NamedList<std::string> init = settings(own_.init);
        bool is_right = false;
        for (const std::string& output : launch.outputs) {
            if (std::exchange(is_right, !is_right)) beside_last();
            const std::string* const value = find_named(init, output);
            if (const auto chosen =
                    pick("init/" + output, output + " before a run", value != nullptr ? *value : "not set",
                         {"", "0", "1"}, "Other, e.g. 0 if the kernel adds to it", half))
                set(own_.init, output, *chosen);
        }
    }

    void draw_buttons() {
        const CompletedLaunch& launch = shown_.completed;
        const bool may_run =
            !edit_.state.is_busy && (launch.is_guessed() || (!shown_.obstacle && !shown_.notes.empty()));
        if (button(id_ + "/run", "Run",
                   {.icon = kIconPlay,
                    .kind = ButtonKind::Primary,
                    .enabled = may_run,
                    .tooltip = may_run ? std::string_view("Check and time this kernel as shown here")
                               : shown_.obstacle ? std::string_view(*shown_.obstacle)
                                                 : ""})) {
            if (launch.is_guessed()) set_arguments(nullptr, "");
            edit_.commands.push_back(command::Run{});
        }
        if (shown_.may_keep &&
            next_button(id_ + "/keep", "Remember this",
                        {.icon = kIconSave,
                         .enabled = !shown_.notes.empty() && !shown_.obstacle,
                         .tooltip = "Save this launch next to the file, for all later runs"}))
            edit_.commands.push_back(command::KeepLaunch{kernel_});
    }

    /// For someone who knows the options of the terminal.
    void draw_more() {
        if (!ImGui::GetStateStorage()->GetBool(ImGui::GetID((id_ + "/more").c_str()))) {
            if (button(id_ + "/more", "More\u2026", {.kind = ButtonKind::Quiet}))
                ImGui::GetStateStorage()->SetBool(ImGui::GetID((id_ + "/more").c_str()), true);
            return;
        }
        draw_line();
        draw_field("args", "All arguments", 0, "", "In the order of the source, or argument = value",
                   own_.args);
        draw_field("defines", "All macros", 0, "", "NAME = VALUE, separated by semicolons", own_.defines);
        draw_field("build_options", "Compiler options", 0, "", "For the driver's compiler: -cl-opt-disable",
                   own_.build_options);
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
        field_label(id_ + "/entry/label", "Kernel function");
        const Combo combo(id_ + "/entry", own_.entry.empty() ? "Choose one" : own_.entry);
        if (!combo.open) return;
        for (const std::string& function : shown_.functions)
            if (option(id_ + "/entry/option/" + function, function, {.chosen = function == own_.entry}))
                own_.entry = function;
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
