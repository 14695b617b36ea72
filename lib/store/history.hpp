// SPDX-License-Identifier: Apache-2.0
// The history of runs, including those of earlier sessions.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
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
    std::uint64_t bytes = 256ull << 20;  ///< size of all documents
};

/// Stores runs in a folder, each as the JSON document that `kwb run --json` writes, or, if the folder cannot
/// be used, in memory for the lifetime of this object.
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
    /// @param folder  if empty, runs are only kept in memory
    History(std::filesystem::path folder, HistoryLimits limits);
    template <class Result, class Action>
    std::optional<Result> in_folder(const char* failure, bool tell, const Action& action);
    RunStore& memory();

    std::filesystem::path path_;
    HistoryLimits limits_;
    std::unique_ptr<RunStore> folder_;  ///< nullptr if the folder cannot be used
    std::unique_ptr<RunStore> memory_;  ///< created on demand
    bool kept_ = false;                 ///< the last run was stored in the folder, or the next one should be
    bool listed_ = true;                ///< the last call of list() succeeded in reading the folder
    std::vector<std::string> notices_;
};

}  // namespace kwb
