// SPDX-License-Identifier: Apache-2.0
// Kernels, the problems that they declare, and the files that they consist of.

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/sha256.hpp"
#include "base/text.hpp"
#include "catalog/catalogue.hpp"
#include "catalog/kernel_folders.hpp"
#include "desk/desk.hpp"
#include "experiment/check_names.hpp"
#include "experiment/own_kernel.hpp"
#include "experiment/own_words.hpp"
#include "experiment/side_car.hpp"
#include "problems/problem.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

/// Hash of everything that makes up a kernel.
/// @param side_car  the content that its side-car would have; empty: as on disk
std::string fingerprint(const KernelFile& kernel, const EditedTexts& edited,
                        const std::string& side_car = {}) {
    std::string all = kernel.spec.source_text;
    for (const auto& [name, text] : kernel.includes) all += '\0' + name + '\0' + text;
    if (!side_car.empty()) {
        all += '\0' + side_car;
    } else if (kernel.declared_in != kernel.spec.file) {
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
            const std::string* text = edited.find(file);
            all += '\0' + file.string() + '\0' +
                   (text ? *text : std::to_string(missing ? 0 : changed.time_since_epoch().count()));
        }
    }
    return sha256_hex(all);
}

NamedList<std::string> numbers_of(const Problem& problem) {
    NamedList<std::string> numbers;
    const std::string base(split_typed_name(problem.name()).first);
    if (find_problem(base) == nullptr || find_problem(problem.name()) != &problem) return numbers;
    for (const char* width : {"", "2", "4", "8", "16"})
        for (const char* scalar : {"float", "double", "int", "uint"}) {
            const std::string type = std::string(scalar) + width;
            const Problem* const other = find_problem(base + ":" + type);
            if (other == nullptr) continue;
            const bool is_own = other->name() == base;
            numbers.insert(is_own ? numbers.begin() : numbers.end(), {type, other->name()});
        }
    return numbers;
}

ProblemEntry entry_of(const Problem& problem) {
    return {problem.name(), problem.title(), numbers_of(problem)};
}

/// The content of a side-car for a completed file; its problem by name, if it cannot be declared there.
KernelSpec kept_spec(const KernelFile& kernel) {
    KernelSpec spec = kernel.spec;
    try {
        spec.problem = problem_in_side_car(kernel);
    } catch (const BadInput&) {  // KeepLaunch reports it
    }
    return spec;
}

bool is_edited(const std::vector<fs::path>& files, const EditedTexts& edited) {
    return std::ranges::any_of(files, [&](const fs::path& file) { return edited.find(file) != nullptr; });
}

}  // namespace

bool KernelEntry::may_solve(std::string_view wanted) const {
    if (name != kHostBlasName) return problem.empty() || problem == wanted;
    const Problem* const known = find_problem(wanted);
    return known != nullptr && known->has_host_library();
}

void Desk::list_problems_and_kernels() {
    for (const Problem* problem : all_problems()) state_.problems.push_back(entry_of(*problem));
    const auto open = [&](const auto& open_folders) -> std::optional<Catalogue> {
        try {
            return open_folders();
        } catch (const BadInput& error) {
            notify(Notice::Kind::Error, error.what());
            return std::nullopt;
        }
    };
    std::vector<fs::path> folders;
    for (const fs::path& folder : options_.kernel_folders)
        if (open([&] { return Catalogue({folder}); })) folders.push_back(folder);
    std::optional<Catalogue> catalogue = open([&] { return open_catalogue(folders); });
    if (!catalogue) catalogue.emplace(folders);  // without the shipped kernels
    for (const CatalogueEntry& found : catalogue->entries()) {
        KernelEntry& entry = state_.kernels.emplace_back(
            KernelEntry{found.name, "", "", found.error, found.path, is_shipped(found.path)});
        if (found.kernel) describe(entry, *found.kernel);
    }
    state_.kernels.push_back({kHostBlasName, "The CPU's BLAS library", "", "", "", true});
}

const Problem* Desk::problem_named(const std::string& name) const {
    const auto own = std::ranges::find(own_problems_, name, &DeclaredProblem::name);
    return own != own_problems_.end() ? own->get() : find_problem(name);
}

/// Lists a problem that the kernel declares, in place of an older one of the same name, because its file may
/// have changed; or a shipped one with other numbers than its own.
void Desk::add_problem_of(const KernelFile& kernel) {
    const Problem* const problem = find_problem_of(kernel);
    if (problem == nullptr) return;
    const ProblemEntry entry = entry_of(*problem);
    if (kernel.own_problem) {
        std::erase_if(own_problems_, [&](const auto& known) { return known->name() == entry.name; });
        own_problems_.push_back(kernel.own_problem);
    }
    const auto listed = std::ranges::find(state_.problems, entry.name, &ProblemEntry::name);
    if (listed != state_.problems.end())
        *listed = entry;
    else
        state_.problems.push_back(entry);
}

/// Updates listed problems from unsaved texts. Does not add problems: their names may still be incomplete.
void Desk::take_edited_problems(const OpenedKernels& kernels) {
    bool any = false;
    for (const auto& [name, opened] : kernels) {
        if (!opened.unsaved || !opened.kernel || !opened.kernel->own_problem) continue;
        const std::string problem = opened.kernel->own_problem->name();
        if (std::ranges::find(own_problems_, problem, &DeclaredProblem::name) == own_problems_.end())
            continue;
        add_problem_of(*opened.kernel);
        any = true;
    }
    if (any) repair(state_.choices);
}

void Desk::describe(KernelEntry& entry, const KernelFile& kernel) {
    entry.title = kernel.spec.title;
    entry.problem = kernel.spec.problem;
    add_problem_of(kernel);
}

KernelEntry* Desk::find_entry(const std::string& kernel) {
    const auto found = std::ranges::find(state_.kernels, kernel, &KernelEntry::name);
    return found != state_.kernels.end() ? &*found : nullptr;
}

KernelEntry& Desk::add_entry(const std::string& kernel) {
    if (KernelEntry* known = find_entry(kernel)) return *known;
    KernelEntry& entry =
        state_.kernels.emplace_back(KernelEntry{kernel, "", "", "", kernel, is_shipped(kernel)});
    try {
        describe(entry, read_kernel_file(entry.path, kernel));
    } catch (const BadInput& error) {
        entry.error = error.what();
    }
    return entry;
}

fs::path Desk::path_of(const std::string& kernel) const {
    const auto entry = std::ranges::find(state_.kernels, kernel, &KernelEntry::name);
    return entry != state_.kernels.end() ? entry->path : fs::path(kernel);
}

void Desk::read_kernels(bool again) {
    OpenedKernels opened;
    for (const Experiment::Contestant& contestant : state_.choices.contestants) {
        const std::string& name = contestant.kernel;
        if (name == kHostBlasName || find_named(opened, name) != nullptr) continue;
        const OpenedKernel* known = find_named(kernels_, name);
        // The choices supply what a bare file lacks.
        if (known != nullptr && !again && !known->is_bare) {
            opened.push_back({name, *known});
            continue;
        }
        OpenedKernel read = open_kernel(name, EditedTexts(arrays_));
        if (KernelEntry* entry = find_entry(name)) {
            entry->error = read.error;
            if (read.kernel) describe(*entry, *read.kernel);
            if (read.problem_is_chosen) entry->problem.clear();
        }
        opened.push_back({name, std::move(read)});
    }
    kernels_ = std::move(opened);
    repair(state_.choices);  // a problem declared in a file may have different sizes now
    watch_files();
}

OpenedKernel Desk::open_kernel(const std::string& name, const EditedTexts& edited) {
    OpenedKernel read;
    try {
        KernelFile file = open_kernel_file(path_of(name), name, edited);
        read.fingerprint = fingerprint(file, edited);
        if (file.spec.launches.empty() && !file.refusal)
            return open_bare(std::move(file), std::move(read), name, edited);
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
        if (error.place() != nullptr) read.place = *error.place();
    }
    read.unsaved = is_edited(files_of_kernel(name, read), edited);
    return read;
}

/// Completes a file that does not define its launch, once its source has been parsed.
OpenedKernel Desk::open_bare(KernelFile file, OpenedKernel read, const std::string& name,
                             const EditedTexts& edited) {
    read.is_bare = true;
    read.may_keep = file.places.empty();
    read.unsaved = is_edited(files_of(file), edited);
    const SourceText text = source_text_of(file);
    const Reading known = recall_source(text);
    if (known.program)
        read.functions = kernel_functions_of(*known.program);
    else if (known.failure.empty())
        reader_.ask(read.fingerprint, text);
    try {
        const OwnText* own = find_named(state_.choices.own, name);
        OwnOptions options = own != nullptr ? read_own_text(*own) : OwnOptions{};
        if (known.program) read.missing_macros = missing_macros(*known.program, file);
        std::erase_if(read.missing_macros, [&](const std::string& macro) {
            return find_named(options.defines, macro) != nullptr;
        });
        read.problem_is_chosen = file.spec.problem.empty();
        if (read.problem_is_chosen) {
            const auto declared =
                std::ranges::find(own_problems_, state_.choices.problem, &DeclaredProblem::name);
            options.problem =
                declared != own_problems_.end() ? (*declared)->file().string() : state_.choices.problem;
        }
        // Without a reading this would wait for the compiler.
        if (!known.program && known.failure.empty()) throw BadInput(name + ": its source is being read");
        file = complete_kernel(std::move(file), options, read.notes);
        read.kernel = std::move(file);
    } catch (const BadInput& error) {
        read.error = error.what();
        if (read.problem_is_chosen && known.program) {
            read.assumed_problem = "It is assumed to solve " + state_.choices.problem +
                                   "; if it solves another problem, choose that one.";
            read.error += "\n" + read.assumed_problem;
        }
    }
    // Results of a differently completed launch are outdated; those of the kept launch are not.
    if (read.kernel && !read.kernel->spec.launches.empty())
        read.fingerprint = fingerprint(*read.kernel, edited, side_car_text(kept_spec(*read.kernel)));
    return read;
}

EditedTexts Desk::texts_on_screen() const {
    EditedTexts edited(arrays_);
    for (const auto& shown : state_.documents)
        if (shown->is_modified()) edited.put(shown->path(), shown->buffer().file_text());
    return edited;
}

OpenedKernels Desk::kernels_on_screen() {
    const EditedTexts edited = texts_on_screen();
    OpenedKernels kernels = kernels_;
    if (edited.empty()) return kernels;
    for (auto& [name, opened] : kernels) {
        // A kernel that cannot be read may depend on any of the edited files.
        if (opened.kernel && !is_edited(files_of_kernel(name, opened), edited)) continue;
        OpenedKernel again = open_kernel(name, edited);
        again.functions = std::move(opened.functions);
        opened = std::move(again);
    }
    return kernels;
}

std::vector<fs::path> Desk::files_of_kernel(const std::string& name, const OpenedKernel& opened) const {
    if (opened.kernel) return files_of(*opened.kernel);
    return {path_of(name), path_of(name).string() + ".toml"};
}

void Desk::watch_files() {
    std::vector<fs::path> files;
    for (const auto& shown : state_.documents) files.push_back(shown->path());
    for (const auto& [name, opened] : kernels_)
        for (const fs::path& file : files_of_kernel(name, opened)) files.push_back(file);
    watch_.watch(files);
}

void Desk::take_parsed_sources() {
    if (!reader_.take_finished()) return;
    read_kernels(true);
    refresh_preview();
}

void Desk::take_file_changes() {
    const std::vector<fs::path> changes = watch_.take_changes();
    if (changes.empty()) return;
    for (const auto& shown : state_.documents)
        if (std::ranges::find(changes, shown->path()) != changes.end()) {
            shown->look_at_disk();
            shown->refresh();
        }
    after_files_changed();
    for (const fs::path& file : changes) check_saved(file);
}

void Desk::handle(const command::KeepLaunch& command) {
    const OpenedKernel* opened = find_named(kernels_, command.kernel);
    if (opened == nullptr || !opened->may_keep || !opened->kernel || opened->kernel->spec.launches.empty())
        return notify(Notice::Kind::Warning, fs::path(command.kernel).filename().string() +
                                                 ": its launch is incomplete and cannot be kept");
    const fs::path side_car = side_car_of(path_of(command.kernel));
    try {
        std::error_code missing;
        // The user may have written the existing file, and it may contain more than this.
        if (fs::exists(fs::symlink_status(side_car, missing)))
            throw BadInput(side_car.string() + " already exists; complete it in an editor, or move it away");
        (void)problem_in_side_car(*opened->kernel);  // throws if a side-car must not refer to it
        write_file(side_car, side_car_text(kept_spec(*opened->kernel)), {.sync = true});
    } catch (const std::runtime_error& error) {
        return notify(Notice::Kind::Error, error.what());
    }
    std::erase_if(state_.choices.own, [&](const auto& one) { return one.name == command.kernel; });
    notify(Notice::Kind::Information, side_car.string() + " was written; it defines this kernel's launch",
           side_car);
    read_kernels(true);
    refresh_preview();
}

}  // namespace kwb
