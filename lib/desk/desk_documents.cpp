// SPDX-License-Identifier: Apache-2.0
// Documents: open, show side by side, save, close.

#include "base/error.hpp"
#include "base/file.hpp"
#include "catalog/kernel_folders.hpp"
#include "desk/desk.hpp"
#include "experiment/preset.hpp"
#include "experiment/profile_view.hpp"
#include "experiment/starting_point.hpp"
#include "problems/problem.hpp"

namespace kwb {
namespace fs = std::filesystem;

fs::path Desk::absolute(const fs::path& file) {
    std::error_code failed;
    const fs::path whole = fs::absolute(file, failed);
    return (failed ? file : whole).lexically_normal();
}

bool Desk::is_shipped(const fs::path& file) const {
    return trust_of(file, shipped_) == Trust::Shipped ||
           (!lessons_folder_.empty() && trust_of(file, lessons_folder_) == Trust::Shipped);
}

std::shared_ptr<Document> Desk::document(DocumentId id) const {
    const auto found = std::ranges::find(state_.documents, id, &Document::id);
    return found != state_.documents.end() ? *found : nullptr;
}

std::shared_ptr<Document> Desk::document_of(const fs::path& file) const {
    const auto found = std::ranges::find(state_.documents, absolute(file), &Document::path);
    return found != state_.documents.end() ? *found : nullptr;
}

std::shared_ptr<Document> Desk::open_document(const fs::path& file) {
    if (auto shown = document_of(file)) return shown;
    const fs::path path = absolute(file);
    auto shown = std::make_shared<Document>(++last_document_, path, is_shipped(path));
    state_.documents.push_back(shown);
    if (!state_.front) state_.front = shown->id();
    return shown;
}

void Desk::open_document_of(const std::string& kernel) {
    if (kernel == kHostBlasName || document_of(path_of(kernel))) return;
    opened_by_choice_.insert(open_document(path_of(kernel))->id());
}

void Desk::remove_document(DocumentId id) {
    std::erase_if(state_.documents, [&](const auto& shown) { return shown->id() == id; });
    opened_by_choice_.erase(id);
    if (state_.beside == id) state_.beside.reset();
    if (state_.front != id) return;
    state_.front.reset();
    if (!state_.documents.empty()) state_.front = state_.documents.back()->id();
    if (state_.beside == state_.front) state_.beside.reset();
}

bool Desk::is_contestants(const Document& shown, const OpenedKernels& kernels) const {
    return std::ranges::any_of(kernels, [&](const auto& kernel) {
        return std::ranges::any_of(files_of_kernel(kernel.name, kernel.value),
                                   [&](const fs::path& file) { return absolute(file) == shown.path(); });
    });
}

void Desk::handle(const command::NewKernel& command) {
    const fs::path path = absolute(command.path);
    try {
        std::error_code missing;
        if (fs::exists(fs::symlink_status(path, missing)))
            throw BadInput(path.string() + " already exists and was not changed; choose another name");
        if (command.text) {
            const PastedKernel pasted = look_at_pasted(*command.text);
            if (!pasted.flaw.empty()) throw BadInput(pasted.flaw);
            write_file(path, *command.text, {.sync = true});
        } else {
            const std::string& name = command.problem.empty() ? state_.choices.problem : command.problem;
            const Problem* problem = problem_named(name);
            if (problem == nullptr) throw BadInput("no problem is chosen; choose one first");
            const std::string file = path.filename().string();
            const bool is_blank = command.start == command::NewKernel::Start::Blank;
            write_file(path,
                       is_blank ? blank_kernel(*problem, file)
                                : starting_point(*problem, open_catalogue(options_.kernel_folders), file,
                                                 StartingBody::Solved),
                       {.sync = true});
            handle(command::Edit{[&](Experiment& choices) { choices.problem = name; }});
        }
    } catch (const std::runtime_error& error) {
        return notify(Notice::Kind::Error, error.what());
    }
    state_.settings.last_folder = path.parent_path().string();
    handle(command::OpenFiles{{path}, true});
}

void Desk::handle(const command::ListRecent&) {
    state_.recent.clear();
    for (const fs::path file : state_.settings.recent_files) {
        std::error_code missing;
        state_.recent.push_back({file, fs::is_regular_file(file, missing)});
    }
}

void Desk::handle(const command::OpenRecent& command) {
    std::error_code missing;
    if (fs::is_regular_file(command.file, missing)) {
        handle(command::OpenFiles{{command.file}});
    } else {
        std::erase(state_.settings.recent_files, command.file.string());
        notify(Notice::Kind::Information, command.file.string() +
                                              " no longer exists; it was removed from the list of recent "
                                              "files");
    }
    handle(command::ListRecent{});
}

void Desk::handle(const command::OpenFiles& command) {
    Experiment choices = state_.choices;
    std::vector<std::string> not_compared;
    for (const fs::path& file : command.files) {
        const fs::path path = absolute(file);
        if (path.extension() == kPresetExtension) {
            handle(command::OpenExperiment{path});
            choices = state_.choices;
            continue;
        }
        std::error_code failed;
        if (!fs::is_regular_file(path, failed)) {
            notify(Notice::Kind::Error,
                   path.string() + (fs::is_directory(path, failed) ? " is a folder; open a kernel file in it"
                                                                   : ": there is no such file"));
            continue;
        }
        if (path.extension() == ".json") {
            try {
                state_.profile = std::make_shared<const ProfileView>(read_profile_view(path));
                remember_file(state_.settings, path);
                continue;
            } catch (const BadInput& error) {  // shown as a text
                notify(Notice::Kind::Information, error.what());
            }
        }
        // A kernel from the list keeps its name.
        std::string kernel = path.string();
        for (const KernelEntry& entry : state_.kernels)
            if (!entry.path.empty() && absolute(entry.path) == path) kernel = entry.name;
        const auto shown = open_document(path);
        opened_by_choice_.erase(shown->id());
        state_.front = shown->id();
        remember_file(state_.settings, path);
        if (!command.compare || path.extension() != ".cl") continue;
        const std::string problem = add_entry(kernel).problem;
        if (std::ranges::find(choices.contestants, kernel, &Experiment::Contestant::kernel) !=
            choices.contestants.end())
            continue;
        if (choices.contestants.size() >= kMostContestants) {
            not_compared.push_back(shown->name());
            continue;
        }
        if (choices.contestants.empty() && !problem.empty()) {
            choices.problem = problem;
            repair(choices);
        }
        choices.contestants.push_back({kernel, {}, ""});
    }
    if (!not_compared.empty())
        notify(Notice::Kind::Warning,
               (not_compared.size() == 1 ? not_compared.front() + " is"
                                         : std::to_string(not_compared.size()) + " of the files are") +
                   " open but not compared: " + std::to_string(kMostContestants) +
                   " kernels are chosen already; remove one first");
    watch_files();
    if (!(choices == state_.choices)) set_choices(std::move(choices));
}

void Desk::handle(const command::CloseDocument& command) {
    const auto shown = document(command.document);
    if (!shown) return;
    if (shown->is_modified() && !command.drop_edits)
        return notify(Notice::Kind::Warning,
                      shown->name() + " has unsaved edits; save it, or close it without them");
    const bool was_edited = shown->is_modified();
    remove_document(command.document);
    watch_files();
    if (was_edited) refresh_preview();
}

void Desk::handle(const command::BringToFront& command) {
    const auto shown = document(command.document);
    if (!shown) return;
    if (state_.beside == command.document) state_.beside = state_.front;
    state_.front = command.document;
    if (state_.beside == state_.front) state_.beside.reset();
    if (!command.line) return;
    const std::size_t last = shown->buffer().line_count() - 1;
    state_.revealed = {state_.revealed.number + 1, command.document, std::min(*command.line, last)};
}

void Desk::handle(const command::PutBeside& command) {
    state_.beside.reset();
    if (command.document && document(*command.document) && command.document != state_.front)
        state_.beside = command.document;
}

void Desk::handle(const command::CompareLines& command) {
    const auto front = open_document(command.front.file), beside = open_document(command.beside.file);
    handle(command::BringToFront{front->id(), command.front.lines.front()});
    state_.beside.reset();
    if (beside == front) return;
    state_.beside = beside->id();
    state_.revealed.lines = command.front.lines;
    state_.revealed.beside = command.beside.lines;
}

void Desk::after_files_changed() {
    read_kernels(true);
    refresh_preview();
    run_if_live();
}

void Desk::handle(const command::SaveDocument& command) {
    const auto shown = document(command.document);
    if (!shown) return;
    if (shown->read_only())
        return notify(Notice::Kind::Information,
                      shown->name() +
                          " comes with the workbench and cannot be changed; save your copy "
                          "under another name");
    if (!shown->save(command.over_changes)) return;
    after_files_changed();
    check_saved(shown->path());
}

/// If a shipped kernel is compared, its copy replaces it: the user wants to run the edited version.
void Desk::handle(const command::SaveDocumentAs& command) {
    const auto shown = document(command.document);
    if (!shown) return;
    const fs::path before = shown->path();
    const bool was_shipped = shown->read_only();
    if (!shown->save_as(absolute(command.path))) return;
    opened_by_choice_.erase(shown->id());
    remember_file(state_.settings, shown->path());
    state_.settings.last_folder = shown->path().parent_path().string();
    Experiment choices = state_.choices;
    if (was_shipped && shown->path() != before)
        for (Experiment::Contestant& contestant : choices.contestants)
            if (contestant.kernel != kHostBlasName && absolute(path_of(contestant.kernel)) == before) {
                contestant.kernel = shown->path().string();
                add_entry(contestant.kernel);
            }
    if (!(choices == state_.choices)) set_choices(std::move(choices));
    after_files_changed();
}

void Desk::handle(const command::TakeFromDisk& command) {
    const auto shown = document(command.document);
    if (!shown) return;
    shown->take_from_disk();
    shown->refresh();
    refresh_preview();
}

void Desk::handle(const command::Edited& command) {
    const auto shown = document(command.document);
    if (!shown) return;
    shown->refresh();
    refresh_preview();
    if (shown->path() == state_.course.exercise && !state_.course.said.empty())
        state_.course.is_outdated = true;
    if (!is_contestants(*shown, kernels_)) return;
    leave_marks();
    xray_due_ = std::chrono::steady_clock::now() + command::kTypingPause;
    if (state_.choices.live)
        live_due_ = xray_due_;  // the run observes the text
    else
        edited_ = shown->id();
}

}  // namespace kwb
