// Documents: open, show side by side, save, close.
#include <algorithm>

#include "base/error.hpp"
#include "desk/parts.hpp"
#include "session/kernel_folders.hpp"

namespace kwb {
namespace fs = std::filesystem;

fs::path Desk::Parts::absolute(const fs::path& file) {
    std::error_code failed;
    const fs::path whole = fs::absolute(file, failed);
    return (failed ? file : whole).lexically_normal();
}

bool Desk::Parts::is_shipped(const fs::path& file) const {
    return trust_of(file, shipped_) == Trust::Shipped;
}

std::shared_ptr<Document> Desk::Parts::document(DocumentId id) const {
    for (const auto& shown : state.documents)
        if (shown->id() == id) return shown;
    return nullptr;
}

std::shared_ptr<Document> Desk::Parts::document_of(const fs::path& file) const {
    const fs::path wanted = absolute(file);
    for (const auto& shown : state.documents)
        if (shown->path() == wanted) return shown;
    return nullptr;
}

std::shared_ptr<Document> Desk::Parts::open_document(const fs::path& file) {
    if (auto shown = document_of(file)) return shown;
    const fs::path path = absolute(file);
    auto shown = std::make_shared<Document>(++last_document_, path, is_shipped(path));
    shown->refresh();
    state.documents.push_back(shown);
    if (!state.front) state.front = shown->id();
    return shown;
}

void Desk::Parts::open_document_of(const std::string& kernel) {
    if (kernel == kHostBlasName || document_of(path_of(kernel))) return;
    opened_by_choice_.insert(open_document(path_of(kernel))->id());
}

void Desk::Parts::remove_document(DocumentId id) {
    std::erase_if(state.documents, [&](const auto& shown) { return shown->id() == id; });
    opened_by_choice_.erase(id);
    if (state.beside == id) state.beside.reset();
    if (state.front != id) return;
    state.front.reset();
    if (!state.documents.empty()) state.front = state.documents.back()->id();
    if (state.beside == state.front) state.beside.reset();
}

bool Desk::Parts::is_contestants(const Document& shown, const OpenedKernels& kernels) const {
    return std::ranges::any_of(kernels, [&](const auto& kernel) {
        const std::vector<fs::path> files = files_of_kernel(kernel.name, kernel.value);
        return std::ranges::any_of(files,
                                   [&](const fs::path& file) { return absolute(file) == shown.path(); });
    });
}

void Desk::Parts::perform(const command::OpenFiles& command) {
    Choices choices = state.choices;
    for (const fs::path& file : command.files) {
        const fs::path path = absolute(file);
        std::error_code failed;
        if (!fs::is_regular_file(path, failed)) {
            notify(Notice::Kind::Error,
                   path.string() + (fs::is_directory(path, failed) ? " is a folder; open a kernel file in it"
                                                                   : ": there is no such file"));
            continue;
        }
        // A kernel from the list keeps its name.
        std::string kernel = path.string();
        for (const KernelEntry& entry : state.kernels)
            if (!entry.path.empty() && absolute(entry.path) == path) kernel = entry.name;
        const auto shown = open_document(path);
        opened_by_choice_.erase(shown->id());
        state.front = shown->id();
        remember_file(state.settings, path);
        if (!command.compare || path.extension() != ".cl") continue;
        add_contestant(kernel);
        const auto same = [&](const Choices::Contestant& contestant) { return contestant.kernel == kernel; };
        if (std::any_of(choices.contestants.begin(), choices.contestants.end(), same)) continue;
        if (choices.contestants.size() >= kMostContestants) {
            notify(Notice::Kind::Warning,
                   shown->name() + " is open but not compared: " + std::to_string(kMostContestants) +
                       " kernels are chosen already; remove one first");
            continue;
        }
        const KernelEntry* entry = find_entry(kernel);
        if (choices.contestants.empty() && entry != nullptr && !entry->problem.empty()) {
            choices.problem = entry->problem;
            repair(choices);
        }
        choices.contestants.push_back({kernel, {}, ""});
    }
    watch_files();
    if (!(choices == state.choices)) set_choices(std::move(choices));
}

void Desk::Parts::perform(const command::CloseDocument& command) {
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

void Desk::Parts::perform(const command::BringToFront& command) {
    if (!document(command.document)) return;
    if (state.beside == command.document) state.beside = state.front;
    state.front = command.document;
    if (state.beside == state.front) state.beside.reset();
    if (!command.line) return;
    const std::size_t last = document(command.document)->buffer().line_count() - 1;
    state.revealed = {state.revealed.number + 1, command.document, std::min(*command.line, last)};
}

void Desk::Parts::perform(const command::PutBeside& command) {
    state.beside.reset();
    if (command.document && document(*command.document) && command.document != state.front)
        state.beside = command.document;
}

void Desk::Parts::after_saving() {
    read_kernels(true);
    refresh_preview();
    run_if_live();
}

void Desk::Parts::perform(const command::SaveDocument& command) {
    const auto shown = document(command.document);
    if (!shown) return;
    if (shown->read_only())
        return notify(Notice::Kind::Information,
                      shown->name() +
                          " comes with the workbench and cannot be changed; save your "
                          "copy under a name of its own");
    if (shown->save(command.over_changes)) after_saving();
}

/// If a shipped kernel is compared, its copy replaces it: the user wants to run the edited version.
void Desk::Parts::perform(const command::SaveDocumentAs& command) {
    const auto shown = document(command.document);
    if (!shown) return;
    const fs::path before = shown->path();
    const bool was_shipped = shown->read_only();
    if (!shown->save_as(absolute(command.path))) return;
    opened_by_choice_.erase(shown->id());
    remember_file(state.settings, shown->path());
    state.settings.last_folder = shown->path().parent_path().string();
    Choices choices = state.choices;
    if (was_shipped && shown->path() != before)
        for (Choices::Contestant& contestant : choices.contestants)
            if (contestant.kernel != kHostBlasName && absolute(path_of(contestant.kernel)) == before) {
                contestant.kernel = shown->path().string();
                add_contestant(contestant.kernel);
            }
    if (!(choices == state.choices)) set_choices(std::move(choices));
    after_saving();
}

void Desk::Parts::perform(const command::TakeFromDisk& command) {
    const auto shown = document(command.document);
    if (!shown) return;
    shown->take_from_disk();
    shown->refresh();
    refresh_preview();
}

void Desk::Parts::perform(const command::Edited& command) {
    const auto shown = document(command.document);
    if (!shown) return;
    shown->refresh();
    refresh_preview();
}

}  // namespace kwb
