// SPDX-License-Identifier: Apache-2.0
// The history of runs, including those of earlier sessions.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/named.hpp"
#include "model/result.hpp"

namespace kwb {

class RunStore;

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
    std::uint64_t bytes = 256ull << 20;  ///< size of the file, without free pages
};

/// Stores runs in an SQLite file or, if that cannot be used, in memory for the lifetime of this object.
///
/// No function throws because of the file: problems are reported as notices, which are sentences for the
/// user. A file that is damaged or belongs to another program is renamed to `<path>.damaged-N` and replaced
/// with a new one, even if the damage is detected only later. A read-only file is still read, and new runs
/// are kept in memory; a file from a newer version of the workbench is not touched. Several processes may
/// share one file: each waits up to two seconds for the others.
///
/// Not thread-safe. Calls usually take milliseconds (`add` waits for the disk).
class History {
public:
    /// @param path  created if it does not exist, together with its folders (mode 0700)
    static History open(const std::filesystem::path& path, HistoryLimits limits = {});

    /// Keeps runs only for the lifetime of this object.
    static History in_memory(HistoryLimits limits = {});

    History(History&&) noexcept;
    History& operator=(History&&) noexcept;
    ~History();

    /// Add a run. Its `id` is ignored.
    /// @return  the run's id, for load() and remove(). Valid for this object and, if the run was stored in
    ///          the file, for others
    /// @throws ContractError  `sources` is neither empty nor as long as `results`, or the steps of a sweep
    ///          differ in their number of results
    std::int64_t add(const PastRun& run);

    /// The newest runs, newest first, including those that other processes have added.
    std::vector<RunSummary> list(std::size_t limit, const HistoryFilter& filter = {});

    /// @return  empty if the run does not exist (any more), or, with a notice, if it cannot be read
    std::optional<PastRun> load(std::int64_t id);

    /// @return  false if the run did not exist, or, with a notice, if the file cannot be written
    bool remove(std::int64_t id);

    /// Whether runs added now are stored in the file.
    bool is_kept() const;

    /// Notices since the last call, oldest first.
    std::vector<std::string> take_notices();

private:
    using FileId = std::pair<std::uint64_t, std::uint64_t>;  ///< the device, and the file's number on it

    /// @param path  if empty, runs are only kept in memory
    History(std::filesystem::path path, HistoryLimits limits);
    static std::optional<FileId> find_file(const std::filesystem::path& path);
    template <class Result, class Action>
    std::optional<Result> in_file(const char* failure, const char* consequence, bool tell,
                                  const Action& action);
    void open_file();
    bool try_to_open();
    void replace_damaged(const std::string& damage);
    void put_aside(const std::string& damage);
    std::filesystem::path folder() const;
    RunStore& memory();

    std::filesystem::path path_;
    HistoryLimits limits_;
    std::optional<FileId> file_id_;     ///< of the file that is open
    std::unique_ptr<RunStore> file_;    ///< nullptr if the file cannot be used
    std::unique_ptr<RunStore> memory_;  ///< created on demand
    bool kept_ = false;                 ///< the last run was stored in the file, or the next one should be
    bool listed_ = true;                ///< the last call of list() succeeded in reading the file
    std::vector<std::string> notices_;
};

}  // namespace kwb
