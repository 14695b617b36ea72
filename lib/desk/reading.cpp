// Kernels and other files as they are on disk.
#include <algorithm>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/sha256.hpp"
#include "desk/parts.hpp"

namespace kwb {
namespace fs = std::filesystem;

namespace {

/// All that a kernel is made of, in short.
std::string fingerprint(const KernelFile& kernel) {
    std::string all = kernel.spec.source_text;
    for (const auto& [name, text] : kernel.includes) all += '\0' + name + '\0' + text;
    if (kernel.declared_in != kernel.spec.file) {
        try {
            all += '\0' + read_file(kernel.declared_in);
        } catch (const BadInput&) {  // it went since: the next look at the files says so
        }
    }
    if (kernel.own_problem) {
        std::vector<fs::path> files = kernel.own_problem->neighbours();
        files.push_back(kernel.own_problem->file());
        for (const fs::path& file : files) {
            std::error_code missing;
            const auto changed = fs::last_write_time(file, missing);
            all += '\0' + file.string() + std::to_string(missing ? 0 : changed.time_since_epoch().count());
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

fs::path Desk::Parts::path_of(const std::string& kernel) {
    const KernelEntry* entry = find_entry(kernel);
    return entry != nullptr ? entry->path : fs::path(kernel);
}

void Desk::Parts::read_kernels(bool again) {
    OpenedKernels opened;
    NamedList<std::string> prints;
    for (const ContestantChoice& contestant : state.choices.contestants) {
        const std::string& name = contestant.kernel;
        if (name == kHostBlasName || find_named(opened, name) != nullptr) continue;
        const OpenedKernel* known = find_named(opened_, name);
        if (known != nullptr && !again) {
            opened.push_back({name, *known});
            prints.push_back({name, *find_named(fingerprints_, name)});
            continue;
        }
        OpenedKernel read;
        std::string print;
        try {
            read.kernel = open_kernel_file(path_of(name), name);
            print = fingerprint(*read.kernel);
        } catch (const BadInput& error) {
            print = read.error = error.what();
        }
        if (KernelEntry* entry = find_entry(name)) {
            entry->error = read.error;
            if (read.kernel)
                entry->title = read.kernel->spec.title, entry->problem = read.kernel->spec.problem;
        }
        if (read.kernel) add_own_problem(*read.kernel);
        opened.push_back({name, std::move(read)});
        prints.push_back({name, std::move(print)});
    }
    opened_ = std::move(opened);
    fingerprints_ = std::move(prints);
    repair(state.choices);  // a problem of one's own may have other sizes now
    watch_files();
}

OpenedKernels Desk::Parts::edited_kernels() const {
    OpenedKernels kernels = opened_;
    for (auto& [name, opened] : kernels) {
        const fs::path file = opened.kernel ? fs::path(opened.kernel->spec.file) : fs::path(name);
        const auto shown = document_of(file);
        // A shipped one runs as it is on disk; edits of it go to a copy.
        if (!shown || !shown->is_modified() || shown->read_only()) continue;
        try {
            opened = {open_kernel_text(file, name, shown->buffer().file_text()), ""};
        } catch (const BadInput& error) {
            opened = {std::nullopt, error.what()};
        }
    }
    return kernels;
}

void Desk::Parts::watch_files() {
    std::vector<fs::path> files;
    const auto add = [&](const fs::path& file) {
        if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
    };
    for (const auto& shown : state.documents) add(shown->path());
    for (const auto& [name, opened] : opened_) {
        add(path_of(name));
        if (opened.kernel)
            for (const fs::path& file : files_of(*opened.kernel)) add(file);
    }
    watch_.watch(files);
}

void Desk::Parts::take_file_changes() {
    const std::vector<fs::path> changes = watch_.take_changes();
    for (std::string& sentence : watch_.take_notices()) notify(Notice::Kind::Warning, std::move(sentence));
    waiter_.resume();
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
