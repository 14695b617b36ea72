// The runs of earlier sessions.
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

/// The texts of one contestant: its file first, then the neighbours that it includes; name → text.
/// Empty for cpu:blas.
using SourceTexts = NamedList<std::string>;

/// All results of one request, or of the requests of one sweep, and everything needed to show them again.
struct PastRun {
    std::int64_t id = 0;                         ///< given by History::add()
    std::chrono::system_clock::time_point when;  ///< UTC, kept to the millisecond
    Environment environment;
    std::string problem;
    Sizes sizes;               ///< of a sweep: its last step
    std::vector<Sizes> steps;  ///< of a sweep: what was measured, in that order; empty: a run, no sweep
    /// In the order of the request; error maps with their cells. Of a sweep: all of the first step, then all
    /// of the second, as many for each.
    std::vector<KernelResult> results;
    std::vector<SourceTexts> sources;  ///< one for each of `results`, or empty: not known

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

/// A run for a list: without samples, logs and texts; a few hundred bytes.
struct RunSummary {
    std::int64_t id = 0;
    std::chrono::system_clock::time_point when;  ///< UTC
    std::string device;
    std::string driver;
    std::string problem;
    Sizes sizes;  ///< of a sweep: its last step
    /// Of a sweep: each contestant at the last step, or at the first one where it was not as expected.
    std::vector<PastKernel> kernels;
    std::vector<Sizes> steps = {};  ///< as in PastRun

    bool is_sweep() const { return !steps.empty(); }
};

/// Which runs to list: those that meet every condition given. Texts may occur anywhere in the value; the case
/// of ASCII letters does not matter.
struct HistoryFilter {
    std::string text;     ///< in the device, the problem or the name of a kernel
    std::string device;   ///< in the device's name
    std::string driver;   ///< in the driver's version
    std::string kernel;   ///< in the name of one of the kernels
    std::string problem;  ///< in the problem's name
    std::optional<Sizes> sizes;
    std::optional<std::string> source_sha256;  ///< one of the kernels had exactly this source
    std::optional<Verdict> verdict;            ///< of one of the kernels
};

/// How much is kept. The oldest runs are removed first; the newest always stays.
struct HistoryLimits {
    std::size_t runs = 5000;             ///< at least 1
    std::uint64_t bytes = 256ull << 20;  ///< of the file, without free pages
};

/// Runs in an SQLite file or, if it cannot be used, in memory until this object ends.
///
/// No function throws because of the file: what went wrong becomes a notice, a sentence for the user. A
/// damaged file, or one of another program, is renamed to `<path>.damaged-N` and a new one is begun, even if
/// the damage shows only later. A file that cannot be written is still read, and new runs are kept in memory;
/// one of a newer workbench is left alone. Several programs may use one file: each waits up to two seconds
/// for the others.
///
/// For one thread at a time. Calls usually take milliseconds (`add` waits for the disk).
class History {
public:
    /// @param path  made if missing, with its folders (mode 0700)
    static History open(const std::filesystem::path& path, HistoryLimits limits = {});

    /// history.sqlite in data_folder().
    static History open_default();

    /// Keeps nothing after this object ends.
    static History in_memory(HistoryLimits limits = {});

    History(History&&) noexcept;
    History& operator=(History&&) noexcept;
    ~History();

    /// Keep a run. Its `id` is not read.
    /// @return  the run's id, for load() and remove(). Valid for this object, and, if the run went into the
    ///          file, for others too
    /// @throws ContractError  `sources` is neither empty nor as long as `results`, or a sweep has not as many
    ///                        results for each step
    std::int64_t add(const PastRun& run);

    /// The newest runs, newest first, including those that other programs have added.
    std::vector<RunSummary> list(std::size_t limit, const HistoryFilter& filter = {});

    /// @return  nothing if there is no such run (any more), or, with a notice, if it cannot be read
    std::optional<PastRun> load(std::int64_t id);

    /// @return  false if there was no such run, or, with a notice, if the file cannot be written
    bool remove(std::int64_t id);

    /// Whether runs added now outlast this object.
    bool is_kept() const;

    /// Notices since the last call, oldest first.
    std::vector<std::string> take_notices();

private:
    /// Which file a path leads to.
    struct FileId {
        std::uint64_t device = 0;
        std::uint64_t number = 0;
        friend bool operator==(const FileId&, const FileId&) = default;
    };

    /// @param path  empty: only memory
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
    std::unique_ptr<RunStore> file_;    ///< nullptr: the file cannot be used
    std::unique_ptr<RunStore> memory_;  ///< made when needed
    bool kept_ = false;                 ///< the last run went into the file, or the next one should
    bool listed_ = true;                ///< the last list was complete
    std::vector<std::string> notices_;
};

}  // namespace kwb
