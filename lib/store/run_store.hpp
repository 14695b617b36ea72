// SPDX-License-Identifier: Apache-2.0
// Stores runs in one SQLite database.
#pragma once

#include <SQLiteCpp/Database.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "store/history.hpp"

namespace kwb {

/// The file is another program's database.
class ForeignFile : public std::runtime_error {
public:
    ForeignFile() : std::runtime_error("it was made by another program") {}
};

/// Whether an error is caused by the file's content rather than by its path, the disk or another process.
bool is_damage(const SQLite::Exception& error);

/// Tables: run 1—n result 1—1 record, run 1—n source n—1 source_text. `result` contains the searchable
/// values, `record` the results as JSON and the cells of their error maps. Version 1 had no sweeps and no
/// column run.steps; such a file is read without changes, and the column is added together with the first new
/// run.
/// Every function throws SQLite::Exception.
class RunStore {
public:
    static constexpr int kVersion = 2;

    /// @param path      created if it does not exist; empty: in memory. Write-protected files are opened
    ///         read-only
    /// @param first_id  id of the first run in a new database
    /// @throws ForeignFile, or EnvironmentError for a newer version; without having written anything
    explicit RunStore(const std::filesystem::path& path, HistoryLimits limits, std::int64_t first_id = 1);

    /// Add a run and remove the oldest runs beyond the limits; if it throws, neither has happened.
    std::int64_t add(const PastRun& run);
    std::vector<RunSummary> list(std::size_t limit, const HistoryFilter& filter);
    /// @throws ProtocolError  if the record is not in the workbench's format
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
