// SPDX-License-Identifier: Apache-2.0
#include "store/run_store.hpp"

#include <dirent.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>
#include <tuple>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "model/result_fields.hpp"
#include "report/documents.hpp"

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

bool contains(const std::string& text, const std::string& lower_part) {
    return to_lower(text).find(lower_part) != std::string::npos;
}

/// @param filter  in lower case
bool matches(const RunSummary& run, const HistoryFilter& filter) {
    return contains(run.device, filter.device) && contains(run.problem, filter.problem) &&
           (contains(run.device, filter.text) || contains(run.problem, filter.text) ||
            std::ranges::any_of(
                run.kernels, [&](const PastKernel& kernel) { return contains(kernel.kernel, filter.text); }));
}

}  // namespace

RunStore::RunStore(fs::path folder, HistoryLimits limits, std::int64_t first_id)
    : folder_(std::move(folder)),
      limits_(limits),
      last_id_(first_id - 1),
      index_(folder_ / kIndex, {"summaries of runs", std::to_string(kSchemaVersion), false}) {}

fs::path RunStore::file_of(std::int64_t id) const {
    return folder_ / (std::to_string(id) + ".json");
}

std::int64_t RunStore::add(const PastRun& run) {
    std::string text = run_document(run);
    const StoredRun stored{summary_of(run), text.size()};
    std::optional<FolderLock> lock;
    if (is_in_memory()) {
        texts_[last_id_ + 1] = std::move(text);
    } else {
        make_private_folders(folder_);
        lock.emplace(folder_);
        refresh(&*lock);
        skip_used_ids();
        write_file(file_of(last_id_ + 1), text, {.sync = true});
    }
    const std::int64_t id = ++last_id_;
    runs_[id] = stored;
    remove_oldest(id);
    if (lock) index(*lock, {id});
    return id;
}

/// The index remembers the last id, also of a run that was removed.
void RunStore::skip_used_ids() try {
    for (const auto& [key, run] : index_.read())
        if (const auto id = id_of(key + ".json")) last_id_ = std::max(last_id_, *id);
} catch (const BadInput&) {  // index() replaces it
}

std::vector<RunSummary> RunStore::list(std::size_t limit, const HistoryFilter& filter) {
    if (!is_in_memory()) refresh(nullptr);
    const HistoryFilter lower{to_lower(filter.text), to_lower(filter.device), to_lower(filter.problem)};
    std::vector<decltype(runs_)::const_pointer> found;
    for (const auto& entry : runs_)
        if (matches(entry.second.summary, lower)) found.push_back(&entry);
    std::ranges::sort(found, std::greater(),
                      [](const auto* entry) { return std::pair(entry->second.summary.when, entry->first); });
    std::vector<RunSummary> list;
    for (const auto* entry : found) {
        if (list.size() == limit) break;
        list.push_back(entry->second.summary);
        list.back().id = entry->first;
    }
    return list;
}

std::optional<PastRun> RunStore::load(std::int64_t id) {
    std::string text;
    std::error_code error;
    if (is_in_memory()) {
        if (!texts_.contains(id)) return std::nullopt;
        text = texts_[id];
    } else if (fs::status(file_of(id), error).type() != fs::file_type::not_found) {
        text = read_file(file_of(id), kMostDocumentBytes);
    } else {
        return std::nullopt;
    }
    try {
        PastRun run = parse_run(text);
        run.id = id;
        return run;
    } catch (const ProtocolError& fault) {
        throw NoRun(file_of(id).string() + ": " + fault.what());
    }
}

bool RunStore::remove(std::int64_t id) {
    std::optional<FolderLock> lock;
    if (!is_in_memory()) lock.emplace(folder_);
    return erase(id);
}

bool RunStore::erase(std::int64_t id) {
    std::error_code error;
    const bool existed = is_in_memory() ? texts_.erase(id) > 0 : fs::remove(file_of(id), error);
    if (error) throw BadInput(file_of(id).string() + ": cannot remove: " + error.message());
    runs_.erase(id);
    return existed;
}

void RunStore::remove_oldest(std::int64_t keep) {
    std::uint64_t bytes = 0;
    for (const auto& [id, run] : runs_) bytes += run.bytes;
    while (runs_.size() > 1 && (runs_.size() > limits_.runs || bytes > limits_.bytes)) {
        const auto age = [&](const auto& entry) {
            return std::tuple(entry.first == keep, entry.second.summary.when, entry.first);
        };
        const auto oldest = std::ranges::min_element(runs_, {}, age);
        bytes -= oldest->second.bytes;
        try {
            erase(oldest->first);
        } catch (const BadInput&) {  // it stays, and the next add() tries again
            return;
        }
    }
}

std::string RunStore::take_notice() {
    if (new_foreign_.empty()) return "";
    std::string notice = "Not a run, and left alone: " + new_foreign_.front();
    if (const std::size_t more = new_foreign_.size() - 1; more > 0)
        notice += ", and " + counted(more, "more file") + " like it";
    new_foreign_.clear();
    return notice;
}

/// Bring runs_ up to date with the folder, which other processes and people change.
void RunStore::refresh(const FolderLock* lock) {
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
    std::erase_if(runs_, [&](const auto& run) { return !std::ranges::binary_search(there, run.first); });
    std::erase_if(there, [&](std::int64_t id) {
        return runs_.contains(id) || foreign_.contains(file_of(id).filename());
    });
    if (!there.empty()) add_found(there, lock);
}

/// Take summaries from the index, or else from the documents.
void RunStore::add_found(const std::vector<std::int64_t>& ids, const FolderLock* lock) {
    try {
        index_.read();
    } catch (const BadInput&) {  // index() replaces it
    }
    std::vector<std::int64_t> missing;
    for (const std::int64_t id : ids) try {
            const auto known = index_.entries().find(std::to_string(id));
            if (known != index_.entries().end()) {
                runs_[id] = known->second;
            } else if (const auto run = load(id)) {
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

void RunStore::put_aside(const std::string& name, const std::string& reason) {
    if (foreign_.insert(name).second) new_foreign_.push_back(reason);
}

/// Add runs to the index. Where it cannot be written, the next process reads their documents.
void RunStore::index(const FolderLock& lock, const std::vector<std::int64_t>& ids) try {
    try {
        index_.read();
    } catch (const BadInput&) {
        index_.clear(lock);
    }
    for (const std::int64_t id : ids) index_.put(lock, std::to_string(id), runs_.at(id));
    // Removed runs stay in the index until they are the majority.
    if (index_.read().size() > 2 * runs_.size() + 100)
        index_.keep_only(lock, [&](const std::string& key) {
            const auto id = id_of(key + ".json");
            return id && (runs_.contains(*id) || *id == last_id_);
        });
} catch (const BadInput&) {
}

}  // namespace kwb
