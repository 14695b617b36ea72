// SPDX-License-Identifier: Apache-2.0
// The history of runs, including those of earlier sessions.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/named.hpp"
#include "model/result.hpp"

namespace kwb {

class FolderLock;
template <class Record>
class KeyedFile;

/// The source texts of one contestant by file name: its own file first, then the files that it includes.
/// Empty for cpu:blas.
using SourceTexts = NamedList<std::string>;

/// All results of one request, or of all requests of one sweep, with everything needed to show them again.
struct PastRun {
    std::int64_t id = 0;                         ///< assigned by History::add()
    std::chrono::system_clock::time_point when;  ///< UTC, stored with millisecond precision
    Environment environment;
    std::string problem;
    Sizes sizes;               ///< for a sweep: those of its last step
    std::vector<Sizes> steps;  ///< for a sweep: the sizes measured, in order; empty for a run
    /// In the order of the request; error maps include their cells. For a sweep: all results of the first
    /// step, then all of the second, the same number for each step.
    std::vector<KernelResult> results;
    std::vector<SourceTexts> sources;  ///< one for each of `results`, or empty if unknown

    bool is_sweep() const { return !steps.empty(); }
};

/// One contestant in the summary of a run.
struct PastKernel {
    std::string kernel;
    std::string source_sha256;
    Verdict verdict = Verdict::Skipped;
    bool as_expected = false;  ///< see KernelResult::as_expected()
    std::optional<double> median_ms;
};

/// A run as listed: without samples, logs and texts; a few hundred bytes.
struct RunSummary {
    std::int64_t id = 0;
    std::chrono::system_clock::time_point when;  ///< UTC
    std::string device;
    std::string driver;
    std::string problem;
    Sizes sizes;  ///< for a sweep: those of its last step
    /// For a sweep: each contestant at the last step, or at the first step where its verdict was not as
    /// expected.
    std::vector<PastKernel> kernels;
    std::vector<Sizes> steps = {};  ///< like PastRun::steps

    bool is_sweep() const { return !steps.empty(); }
};

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

/// Selects the runs to list: those that meet every given condition. Texts match anywhere in the value; the
/// case of ASCII letters is ignored.
struct HistoryFilter {
    std::string text;     ///< in the device, the problem or the name of a kernel
    std::string device;   ///< in the device's name
    std::string problem;  ///< in the problem's name

    friend bool operator==(const HistoryFilter&, const HistoryFilter&) = default;
};

/// Limits on what is stored. The oldest runs are removed first; the newest always stays.
struct HistoryLimits {
    std::size_t runs = 5000;             ///< at least 1
    std::uint64_t bytes = 256ull << 20;  ///< size of all documents
};

/// Stores runs in a folder, each as its document, `<id>.json`, or, if the folder cannot be used, in memory
/// for the lifetime of this object. index.jsonl has the summaries of the documents, and only saves reading
/// them.
///
/// No function throws because of the folder: problems are reported as notices, which are sentences for the
/// user. Files that are not runs, or of another version of the workbench, are reported once and left alone. A
/// read-only folder is still read, and new runs are kept in memory. Several processes may share one folder:
/// each waits up to two seconds for the others.
///
/// Not thread-safe. Calls usually take milliseconds (`add` waits for the disk).
class History {
public:
    /// @param folder  created if it does not exist, together with its parents (mode 0700)
    static History open(const std::filesystem::path& folder, HistoryLimits limits = {});

    /// Keeps runs only for the lifetime of this object.
    static History in_memory(HistoryLimits limits = {});

    History(History&&) noexcept;
    History& operator=(History&&) noexcept;
    ~History();

    /// Add a run. Its `id` is ignored.
    /// @return  the run's id, for load() and remove(). Valid for this object and, if the run was stored in
    ///          the folder, for others
    /// @throws ContractError  `sources` is neither empty nor as long as `results`, or the steps of a sweep
    ///          differ in their number of results
    std::int64_t add(const PastRun& run);

    /// Write a run again that has more results than when it was added; its `id` names it. Without it:
    /// nothing.
    void replace(const PastRun& run);

    /// The newest runs, newest first, including those that other processes have added.
    std::vector<RunSummary> list(std::size_t limit, const HistoryFilter& filter = {});

    /// @return  empty if the run does not exist (any more), or, with a notice, if it cannot be read
    std::optional<PastRun> load(std::int64_t id);

    /// @return  false if the run did not exist, or, with a notice, if it cannot be removed
    bool remove(std::int64_t id);

    /// Whether runs added now are stored in the folder.
    bool is_kept() const;

    /// Notices since the last call, oldest first.
    std::vector<std::string> take_notices();

private:
    static constexpr const char* kInMemory = ". Runs of this session are kept in memory until kwb ends";
    static bool is_in_memory(std::int64_t id) { return id >= kFirstIdInMemory; }

    /// @param folder  if empty, runs are only kept in memory
    History(const std::filesystem::path& folder, HistoryLimits limits);
    template <class Action>
    bool try_folder(const char* failure, bool tell, const Action& action);
    std::int64_t add_to_folder(const PastRun& run);
    bool erase(std::int64_t id);
    void remove_oldest(std::int64_t keep, std::uint64_t most_bytes);

    // The folder, which other processes and people change. These throw BadInput where it, or a file, cannot
    // be read or written.
    std::filesystem::path file_of(std::int64_t id) const;
    std::optional<PastRun> read(std::int64_t id) const;
    void refresh(const FolderLock* lock);
    void skip_used_ids();
    void add_found(const std::vector<std::int64_t>& ids, const FolderLock* lock);
    void put_aside(const std::string& name, const std::string& reason);
    void index(const FolderLock& lock, const std::vector<std::int64_t>& ids);

    std::filesystem::path folder_;  ///< empty: it cannot be used
    HistoryLimits limits_;
    std::unique_ptr<KeyedFile<StoredRun>> index_;
    std::map<std::int64_t, StoredRun> runs_;     ///< of the folder, then those in memory
    std::map<std::int64_t, std::string> texts_;  ///< documents in memory
    std::int64_t last_id_ = 0;                   ///< in the folder
    std::int64_t last_id_in_memory_ = kFirstIdInMemory - 1;
    std::set<std::string> foreign_;         ///< names of files that are no runs
    std::vector<std::string> new_foreign_;  ///< "path: reason" of those that are not reported yet
    bool kept_ = false;   ///< the last run was stored in the folder, or the next one should be
    bool listed_ = true;  ///< the folder could be read by the last call of list()
    std::vector<std::string> notices_;
};

}  // namespace kwb
