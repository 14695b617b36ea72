// SPDX-License-Identifier: Apache-2.0
// Stores runs, each as a JSON document, in one folder or in memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "store/history.hpp"
#include "store/keyed_file.hpp"

namespace kwb {

/// Ids of runs in memory start here; those of files are smaller.
inline constexpr std::int64_t kFirstIdInMemory = std::int64_t{1} << 40;

/// A run without its document.
struct StoredRun {
    RunSummary summary;
    std::uint64_t bytes = 0;  ///< of the document
};

/// The document that `kwb run --json` writes (schema/results.schema.json), with one more key, "history": what
/// the window shows besides the results. Error maps are coarsened to 128 x 128 cells, a quarter of the
/// resolution shown right after the run.
std::string run_document(const PastRun& run);

/// @return  without an id
/// @throws ProtocolError  not such a document
PastRun parse_run(std::string_view text);

/// Without an id.
RunSummary summary_of(const PastRun& run);

/// The folder has one document per run, `<id>.json`, and index.jsonl, the summaries of
/// them. The index only saves reading the documents: what it lacks is read from them.
/// Every function throws BadInput where the folder or a file cannot be read or written.
class RunStore {
public:
    /// @param folder    empty: in memory
    /// @param first_id  id of the first run in a new store
    RunStore(std::filesystem::path folder, HistoryLimits limits, std::int64_t first_id = 1);

    /// Add a run, then remove the oldest runs beyond the limits; if it throws, the run was not added.
    std::int64_t add(const PastRun& run);
    std::vector<RunSummary> list(std::size_t limit, const HistoryFilter& filter);
    std::optional<PastRun> load(std::int64_t id);
    bool remove(std::int64_t id);

    /// A sentence about files that refresh() found to be no runs, each reported once; empty: none.
    std::string take_notice();

private:
    bool is_in_memory() const { return folder_.empty(); }
    std::filesystem::path file_of(std::int64_t id) const;
    void refresh(const FolderLock* lock);
    void skip_used_ids();
    void add_found(const std::vector<std::int64_t>& ids, const FolderLock* lock);
    void put_aside(const std::string& name, const std::string& reason);
    void index(const FolderLock& lock, const std::vector<std::int64_t>& ids);
    bool erase(std::int64_t id);
    void remove_oldest(std::int64_t keep);

    std::filesystem::path folder_;
    HistoryLimits limits_;
    std::int64_t last_id_;
    KeyedFile<StoredRun> index_;
    std::map<std::int64_t, StoredRun> runs_;
    std::map<std::int64_t, std::string> texts_;  ///< documents in memory
    std::set<std::string> foreign_;              ///< names of files that are no runs
    std::vector<std::string> new_foreign_;       ///< "path: reason", for take_notice()
};

}  // namespace kwb
