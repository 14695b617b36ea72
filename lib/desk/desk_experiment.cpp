// SPDX-License-Identifier: Apache-2.0
// Experiments in files, and restoring the choices before one was opened.
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "desk/desk.hpp"
#include "experiment/preset.hpp"
#include "problems/problem.hpp"

namespace kwb {
namespace fs = std::filesystem;

bool Desk::take_choices(Experiment choices) {
    repair(choices);
    choices.live = state_.choices.live;
    if (choices == state_.choices) return false;
    if (choices.problem != state_.choices.problem) forget_shown();
    set_choices(std::move(choices));
    return true;
}

bool Desk::replace_choices(Experiment choices) {
    Experiment before = state_.choices;
    if (!take_choices(std::move(choices))) return false;
    former_choices_ = std::move(before);
    state_.has_former_choices = true;
    before_lesson_.reset();  // what was opened or reset stays when a lesson ends
    return true;
}

void Desk::handle(const command::SaveExperiment& command) {
    const fs::path path = absolute(command.path);
    if (!write_export(path, [&] { return preset_text(state_.choices, path); })) return;
    state_.experiment = path;
    remember_file(state_.settings, path);
    std::vector<std::string> edited;
    for (const DocumentId id : state_.unsaved) edited.push_back(document(id)->name());
    if (!edited.empty())
        notify(Notice::Kind::Warning, path.filename().string() + " refers to " + enumerate(edited) +
                                          " without the unsaved edits; save those, too");
}

void Desk::handle(const command::OpenExperiment& command) {
    const fs::path path = absolute(command.path);
    const auto place = [&](std::size_t line) { return path.string() + ":" + std::to_string(line) + ": "; };
    std::vector<std::string> remarks;
    Experiment choices;
    try {
        Preset preset = read_preset(path);
        choices = std::move(preset.experiment);
        const auto full_name = [&](std::string& kernel) {
            if (!kernel.empty() && find_entry(kernel) == nullptr)
                kernel = absolute(path.parent_path() / kernel).string();
        };
        for (Experiment::Contestant& contestant : choices.contestants) full_name(contestant.kernel);
        for (auto& own : choices.own) full_name(own.name);
        const std::vector<Experiment::Contestant> wanted = choices.contestants;
        drop_missing(choices, [&](std::size_t i) {
            remarks.push_back(place(preset.kernel_lines[i]) + "the kernel " + wanted[i].kernel +
                              " does not exist and was left out; restore it, or add it from its new place");
        });
        const Problem* problem = problem_named(choices.problem);
        if (problem == nullptr)
            throw BadInput(
                place(find_named(preset.lines, "problem") ? *find_named(preset.lines, "problem") : 1) +
                "there is no problem '" + choices.problem +
                "'; correct its name, or name a kernel that declares it. Nothing was changed");
        if (!choices.sizes.empty() && names_of(choices.sizes) != problem->size_names())
            remarks.push_back(place(*find_named(preset.lines, "sizes")) + "the sizes of " + choices.problem +
                              " are " + join(problem->size_names(), ", ") + "; their defaults are used");
    } catch (const BadInput& error) {
        return notify(Notice::Kind::Error, error.what());
    }
    for (std::string& remark : remarks) notify(Notice::Kind::Warning, std::move(remark));
    replace_choices(std::move(choices));
    state_.experiment = path;
    state_.settings.last_folder = path.parent_path().string();
    remember_file(state_.settings, path);
}

void Desk::handle(const command::ResetExperiment&) {
    state_.experiment.clear();
    Experiment first;
    add_first_kernels(first);
    first.baseline = 0;
    if (replace_choices(std::move(first)))
        notify(
            Notice::Kind::Information,
            "The experiment is as at the first start; \"Undo open or reset\" in the File menu reverts this.");
}

}  // namespace kwb
