// Runs in one SQLite database.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "history/history.hpp"
#include "history/past_run.hpp"
#include "history/sqlite.hpp"

namespace kwb {

/// The file is a database, but not one of these.
class ForeignFile : public std::runtime_error {
public:
    ForeignFile() : std::runtime_error("it was made by another program") {}
};

/// The file is of a workbench that this one does not know yet.
class NewerFile : public std::runtime_error {
public:
    NewerFile() : std::runtime_error("it was made by a newer kwb") {}
};

/// Tables: run 1—n result 1—1 record, run 1—n source n—1 source_text. `result` holds what is asked by,
/// `record` the results as JSON with the error maps' cells beside them. Version 1 had no run.steps, for it
/// knew no sweeps; such a file is read as it is, and gets the column with the first run that is added.
/// Every function throws SqliteError.
class RunStore {
public:
    static constexpr int kVersion = 2;

    /// @param path      made if missing; empty: in memory
    /// @param first_id  of the first run of a new database
    /// @throws ForeignFile, NewerFile  nothing was written
    explicit RunStore(const std::filesystem::path& path, HistoryLimits limits, std::int64_t first_id = 1);

    /// Add a run and remove the oldest ones beyond the limits, or nothing of both.
    std::int64_t add(const PastRun& run);
    std::vector<RunSummary> list(std::size_t limit, const HistoryFilter& filter);
    /// @throws ProtocolError  the record is not what this workbench writes
    std::optional<PastRun> load(std::int64_t id);
    bool remove(std::int64_t id);
    bool is_read_only() const { return database_.is_read_only(); }

private:
    void prepare_tables(std::int64_t first_id);
    void require_tables();
    /// Inside of a transaction, for another program may do so, too.
    void upgrade_tables();
    std::string steps_column();
    void add_source(std::int64_t run, std::int64_t position, const SourceTexts& texts);
    void erase(std::int64_t id);
    void remove_oldest(std::int64_t keep);

    Database database_;
    HistoryLimits limits_;
};

}  // namespace kwb
