// Reads kernels and other files from disk.
#include <algorithm>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "desk/parts.hpp"
#include "session/check_names.hpp"
#include "source/read.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

/// Hash of everything that makes up a kernel.
std::string fingerprint(const KernelFile& kernel, const EditedTexts& edited) {
    std::string all = kernel.spec.source_text;
    for (const auto& [name, text] : kernel.includes) all += '\0' + name + '\0' + text;
    if (kernel.declared_in != kernel.spec.file) {
        try {
            all += '\0' + edited.read(kernel.declared_in);
        } catch (const BadInput&) {  // deleted meanwhile: the next poll of the files reports it
        }
    }
    if (kernel.own_problem) {
        std::vector<fs::path> files = kernel.own_problem->neighbours();
        files.push_back(kernel.own_problem->file());
        for (const fs::path& file : files) {
            std::error_code missing;
            const auto changed = fs::last_write_time(file, missing);
            all += '\0' + file.string();
            if (const std::string* text = edited.find(file))
                all += '\0' + *text;
            else
                all += std::to_string(missing ? 0 : changed.time_since_epoch().count());
        }
    }
    return sha256_hex(all);
}

}  // namespace

KernelEntry* Desk::Parts::find_entry(const std::string& kernel) {
    for (KernelEntry& entry : state.kernels)
        if (entry.name == kernel) return &entry;
    return nullptr;
}

fs::path Desk::Parts::path_of(const std::string& kernel) const {
    const auto entry = std::ranges::find(state.kernels, kernel, &KernelEntry::name);
    return entry != state.kernels.end() ? entry->path : fs::path(kernel);
}

void Desk::Parts::read_kernels(bool again) {
    OpenedKernels opened;
    for (const Choices::Contestant& contestant : state.choices.contestants) {
        const std::string& name = contestant.kernel;
        if (name == kHostBlasName || find_named(opened, name) != nullptr) continue;
        const OpenedKernel* known = find_named(opened_, name);
        if (known != nullptr && !again) {
            opened.push_back({name, *known});
            continue;
        }
        OpenedKernel read = open_kernel(name, EditedTexts(arrays_));
        if (KernelEntry* entry = find_entry(name)) {
            entry->error = read.error;
            if (read.kernel)
                entry->title = read.kernel->spec.title, entry->problem = read.kernel->spec.problem;
        }
        if (read.kernel) add_own_problem(*read.kernel);
        opened.push_back({name, std::move(read)});
    }
    opened_ = std::move(opened);
    repair(state.choices);  // a problem declared in a file may have different sizes now
    watch_files();
}

OpenedKernel Desk::Parts::open_kernel(const std::string& name, const EditedTexts& edited) const {
    OpenedKernel read;
    try {
        KernelFile file = open_kernel_file(path_of(name), name, edited);
        read.fingerprint = fingerprint(file, edited);
        // Not while the user types: then the judge reports errors when the kernel runs.
        if (edited.empty()) {
            const SourceText text = source_text_of(file);
            const Reading known = recall_source(text);
            if (known.program)
                read.functions = kernel_functions_of(*known.program);
            else if (known.failure.empty())
                reader_.ask(read.fingerprint, text);
            if (!file.spec.launches.empty()) check_names(file, read.functions);
        }
        read.kernel = std::move(file);
    } catch (const BadInput& error) {
        read.fingerprint = read.error = error.what();
    }
    const auto is_edited = [&](const fs::path& file) { return edited.find(file) != nullptr; };
    read.unsaved = std::ranges::any_of(files_of_kernel(name, read), is_edited);
    return read;
}

EditedTexts Desk::Parts::edited_texts() const {
    EditedTexts edited(arrays_);
    for (const auto& shown : state.documents)
        if (shown->is_modified()) edited.put(shown->path(), shown->buffer().file_text());
    return edited;
}

OpenedKernels Desk::Parts::kernels_as_they_stand() const {
    const EditedTexts edited = edited_texts();
    OpenedKernels kernels = opened_;
    if (edited.empty()) return kernels;
    for (auto& [name, opened] : kernels) {
        // A kernel that cannot be read may depend on any of the edited files.
        const auto is_edited = [&](const fs::path& file) { return edited.find(file) != nullptr; };
        if (opened.kernel && std::ranges::none_of(files_of_kernel(name, opened), is_edited)) continue;
        OpenedKernel again = open_kernel(name, edited);
        again.functions = std::move(opened.functions);
        opened = std::move(again);
    }
    return kernels;
}

std::vector<fs::path> Desk::Parts::files_of_kernel(const std::string& name,
                                                   const OpenedKernel& opened) const {
    if (opened.kernel) return files_of(*opened.kernel);
    return {path_of(name), path_of(name).string() + ".toml"};
}

void Desk::Parts::watch_files() {
    std::vector<fs::path> files;
    const auto add = [&](const fs::path& file) {
        if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
    };
    for (const auto& shown : state.documents) add(shown->path());
    for (const auto& [name, opened] : opened_) {
        for (const fs::path& file : files_of_kernel(name, opened)) add(file);
    }
    watch_.watch(files);
}

void Desk::Parts::take_readings() {
    if (!reader_.take_finished()) return;
    read_kernels(true);
    refresh_preview();
}

void Desk::Parts::take_file_changes() {
    const std::vector<fs::path> changes = watch_.take_changes();
    if (changes.empty()) return;
    for (const auto& shown : state.documents)
        if (std::find(changes.begin(), changes.end(), shown->path()) != changes.end()) {
            shown->look_at_disk();
            shown->refresh();
        }
    read_kernels(true);
    refresh_preview();
    run_if_live();
}

}  // namespace kwb
