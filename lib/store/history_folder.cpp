// SPDX-License-Identifier: Apache-2.0
// The folder of the history: what is there, and its index.
#include <dirent.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/user_folders.hpp"
#include "model/result_fields.hpp"
#include "report/documents.hpp"
#include "store/history.hpp"
#include "store/keyed_file.hpp"

namespace kwb {
namespace fs = std::filesystem;

template <class Fields>
void describe(Fields& f, PastKernel& kernel) {
    f("kernel", kernel.kernel);
    f("source_sha256", kernel.source_sha256);
    f("verdict", kernel.verdict);
    f("as_expected", kernel.as_expected);
    f("median_ms", kernel.median_ms, kDuration);
}

template <class Fields>
void describe(Fields& f, RunSummary& run) {
    f("when_ms", run.when);
    f("device", run.device);
    f("driver", run.driver);
    f("problem", run.problem);
    f("sizes", run.sizes);
    f("steps", run.steps);
    f("kernels", run.kernels);
}

template <class Fields>
void describe(Fields& f, StoredRun& run) {
    f("summary", run.summary);
    f("bytes", run.bytes);
}

namespace {

constexpr const char* kIndex = "index.jsonl";
constexpr std::uintmax_t kMostDocumentBytes = 256u << 20;

/// The document is no run that this version can show.
struct NoRun : BadInput {
    using BadInput::BadInput;
};

/// 12 for "12.json".
std::optional<std::int64_t> id_of(const std::string& name) {
    std::int64_t id = 0;
    const char* const end = name.data() + name.size();
    const auto error = std::from_chars(name.data(), end, id).ec;
    const bool is_id = error == std::errc() && id > 0 && id < kFirstIdInMemory;
    if (!is_id || std::to_string(id) + ".json" != name) return std::nullopt;
    return id;
}

}  // namespace

History::History(const fs::path& folder, HistoryLimits limits) : limits_(limits) {
    if (folder.empty()) return;
    const std::string name = "the history of runs, " + folder.string() + ", ";
    try {
        make_private_folders(folder);
        folder_ = folder;
        index_ = std::make_unique<KeyedFile<StoredRun>>(
            folder_ / kIndex, KeyedFormat{"summaries of runs", std::to_string(kSchemaVersion), false});
        refresh(nullptr);
        kept_ = ::faccessat(AT_FDCWD, folder_.c_str(), W_OK, AT_EACCESS) == 0;
        if (!kept_) notices_.push_back(name + "cannot be written" + kInMemory);
    } catch (const BadInput& error) {
        folder_.clear();
        notices_.push_back(name + "cannot be used: " + error.what() + kInMemory);
    }
}

History::History(History&&) noexcept = default;
History& History::operator=(History&&) noexcept = default;
History::~History() = default;

fs::path History::file_of(std::int64_t id) const {
    return folder_ / (std::to_string(id) + ".json");
}

std::optional<PastRun> History::read(std::int64_t id) const {
    std::error_code error;
    if (fs::status(file_of(id), error).type() == fs::file_type::not_found) return std::nullopt;
    const std::string text = read_file(file_of(id), kMostDocumentBytes);
    try {
        PastRun run = parse_run(text);
        run.id = id;
        return run;
    } catch (const ProtocolError& fault) {
        throw NoRun(file_of(id).string() + ": " + fault.what());
    }
}

std::int64_t History::add_to_folder(const PastRun& run) {
    make_private_folders(folder_);
    const FolderLock lock(folder_);
    refresh(&lock);
    skip_used_ids();
    const std::string text = run_document(run);
    write_file(file_of(last_id_ + 1), text, {.sync = true});
    const std::int64_t id = ++last_id_;
    runs_[id] = {summary_of(run), text.size()};
    remove_oldest(id, limits_.bytes);
    index(lock, {id});
    return id;
}

/// The index remembers the last id, also of a run that was removed.
void History::skip_used_ids() try {
    for (const auto& [key, run] : index_->read())
        if (const auto id = id_of(key + ".json")) last_id_ = std::max(last_id_, *id);
} catch (const BadInput&) {  // index() replaces it
}

/// Bring runs_ up to date with the folder, which other processes and people change.
void History::refresh(const FolderLock* lock) {
    std::vector<std::int64_t> there;
    // Not std::filesystem, which takes ten times as long for a folder of thousands.
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(folder_.c_str()), ::closedir);
    if (!folder && errno != ENOENT)
        throw BadInput(folder_.string() + ": cannot read: " + std::strerror(errno));
    while (const dirent* const entry = folder ? ::readdir(folder.get()) : nullptr) {
        const std::string name = entry->d_name;
        if (const auto id = id_of(name)) {
            there.push_back(*id);
        } else if (lock != nullptr && name.starts_with(".kwb-")) {
            std::error_code ignored;
            fs::remove(folder_ / name, ignored);  // from a process that was killed while it wrote
        } else if (name != kIndex && name[0] != '.') {
            put_aside(name, (folder_ / name).string() + ": the name is not that of a run");
        }
    }
    std::ranges::sort(there);
    if (!there.empty()) last_id_ = std::max(last_id_, there.back());
    std::erase_if(runs_, [&](const auto& run) {
        return !is_in_memory(run.first) && !std::ranges::binary_search(there, run.first);
    });
    std::erase_if(there, [&](std::int64_t id) {
        return runs_.contains(id) || foreign_.contains(file_of(id).filename());
    });
    if (!there.empty()) add_found(there, lock);
}

/// Take summaries from the index, or else from the documents.
void History::add_found(const std::vector<std::int64_t>& ids, const FolderLock* lock) {
    try {
        index_->read();
    } catch (const BadInput&) {  // index() replaces it
    }
    std::vector<std::int64_t> missing;
    for (const std::int64_t id : ids) try {
            const auto known = index_->entries().find(std::to_string(id));
            if (known != index_->entries().end()) {
                runs_[id] = known->second;
            } else if (const auto run = read(id)) {
                std::error_code error;
                runs_[id] = {summary_of(*run), fs::file_size(file_of(id), error)};
                missing.push_back(id);
            }
        } catch (const NoRun& fault) {
            put_aside(file_of(id).filename(), fault.what());
        } catch (const BadInput&) {  // removed meanwhile, or unreadable now: the next refresh() tries again
        }
    if (missing.empty()) return;
    if (lock != nullptr) return index(*lock, missing);
    try {
        index(FolderLock(folder_), missing);
    } catch (const BadInput&) {  // another process holds the folder
    }
}

void History::put_aside(const std::string& name, const std::string& reason) {
    if (foreign_.insert(name).second) new_foreign_.push_back(reason);
}

/// Add runs to the index. Where it cannot be written, the next process reads their documents.
void History::index(const FolderLock& lock, const std::vector<std::int64_t>& ids) try {
    try {
        index_->read();
    } catch (const BadInput&) {
        index_->clear(lock);
    }
    for (const std::int64_t id : ids) index_->put(lock, std::to_string(id), runs_.at(id));
    // Removed runs stay in the index until they are the majority.
    if (index_->read().size() > 2 * (runs_.size() - texts_.size()) + 100)
        index_->keep_only(lock, [&](const std::string& key) {
            const auto id = id_of(key + ".json");
            return id && (runs_.contains(*id) || *id == last_id_);
        });
} catch (const BadInput&) {
}

}  // namespace kwb
