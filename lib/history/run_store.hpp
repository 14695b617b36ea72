// Runs in one SQLite database.
#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "history/history.hpp"

namespace kwb {

/// The file is a database of another program.
class ForeignFile : public std::runtime_error {
public:
    ForeignFile() : std::runtime_error("it was made by another program") {}
};

class NewerFile : public std::runtime_error {
public:
    NewerFile() : std::runtime_error("it was made by a newer kwb") {}
};

/// The content of the file is at fault, not its place, the disk or another program.
bool is_damage(const SQLite::Exception& error);

/// Tables: run 1—n result 1—1 record, run 1—n source n—1 source_text. `result` holds what can be searched,
/// `record` the results as JSON and the cells of their error maps. Version 1 knew no sweeps and had no
/// run.steps; such a file is read as it is, and gets the column with the first run that is added.
/// Every function throws SQLite::Exception.
class RunStore {
public:
    static constexpr int kVersion = 2;

    /// @param path      made if missing; empty: in memory. Write-protected files are opened for reading.
    /// @param first_id  of the first run of a new database
    /// @throws ForeignFile, NewerFile  nothing was written
    explicit RunStore(const std::filesystem::path& path, HistoryLimits limits, std::int64_t first_id = 1);

    /// Add a run and remove the oldest ones beyond the limits, or, if it throws, neither.
    std::int64_t add(const PastRun& run);
    std::vector<RunSummary> list(std::size_t limit, const HistoryFilter& filter);
    /// @throws ProtocolError  the record is not what this workbench writes
    std::optional<PastRun> load(std::int64_t id);
    bool remove(std::int64_t id);
    bool is_read_only() const;

private:
    std::int64_t number(const std::string& question);
    template <class... Values>
    void execute(const char* statement, const Values&... values);
    void prepare_tables(std::int64_t first_id);
    void require_tables();
    void upgrade_tables();
    std::string steps_column();
    void add_result(std::int64_t run, std::int64_t position, const KernelResult& result);
    void add_source(std::int64_t run, std::int64_t position, const SourceTexts& texts);
    void erase(std::int64_t id);
    void remove_oldest(std::int64_t keep);

    SQLite::Database database_;
    HistoryLimits limits_;
};

}  // namespace kwb
