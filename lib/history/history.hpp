// Runs kept across sessions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "history/past_run.hpp"

namespace kwb {

/// How much is kept: the oldest runs go first. The newest run always stays.
struct HistoryLimits {
    std::size_t runs = 5000;             ///< at least 1
    std::uint64_t bytes = 256ull << 20;  ///< of the file, without pages that are free again
};

/// An SQLite file of past runs, and, where it cannot be used, memory that stands in until this object ends.
///
/// No function throws because of the file: what went wrong is a notice, a sentence for the person. A damaged
/// file, or one of another program, is renamed to `<path>.damaged-N` and a new one begun, also if the damage
/// shows only later. A file that cannot be written is still read, and new runs are kept in memory; one of a
/// newer workbench is left alone. Several programs may use one file: each waits up to two seconds for the
/// others.
///
/// Not for use by several threads at once. Calls take milliseconds as a rule (`add` waits for the disk).
class History {
public:
    /// @param path  made if missing, with its folders (mode 0700)
    static History open(const std::filesystem::path& path, HistoryLimits limits = {});

    /// history.sqlite in data_folder().
    static History open_default();

    /// For sessions that keep nothing, and for tests.
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

    /// The newest runs, the newest first, also those that other programs added meanwhile.
    std::vector<RunSummary> list(std::size_t limit, const HistoryFilter& filter = {});

    /// @return  nothing if there is no such run (any more), or, with a notice, if it cannot be read
    std::optional<PastRun> load(std::int64_t id);

    /// @return  false if there was no such run, or, with a notice, if the file cannot be written
    bool remove(std::int64_t id);

    /// True if runs added now outlast this object.
    bool is_kept() const;

    /// Sentences for the person that came up since the last call, oldest first.
    std::vector<std::string> take_notices();

private:
    class Parts;
    explicit History(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> parts_;
};

}  // namespace kwb
