// SPDX-License-Identifier: Apache-2.0
#include "store/run_store.hpp"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <SQLiteCpp/VariadicBind.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "model/error_map.hpp"
#include "model/json.hpp"

namespace kwb {

namespace {

/// "kwbh": distinguishes our files from other programs' databases.
constexpr std::int64_t kApplicationId = 0x6B776268;

constexpr int kBusyTimeoutMs = 2000;

constexpr const char* kTables = R"(
    CREATE TABLE run(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        when_ms INTEGER NOT NULL,           -- since 1970, UTC
        device TEXT NOT NULL, driver TEXT NOT NULL, problem TEXT NOT NULL,
        size TEXT NOT NULL,                 -- as shown: "512", "M=1 N=2 K=3"
        sizes TEXT NOT NULL, environment TEXT NOT NULL,   -- JSON
        steps TEXT NOT NULL DEFAULT '[]');  -- JSON: the sizes of a sweep, in order
    CREATE INDEX run_by_age ON run(when_ms, id);
    CREATE TABLE result(
        run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, position INTEGER NOT NULL,
        kernel TEXT NOT NULL, source_sha256 TEXT NOT NULL, verdict TEXT NOT NULL,
        as_expected INTEGER NOT NULL, median_ms REAL,
        PRIMARY KEY(run, position)) WITHOUT ROWID;
    CREATE TABLE record(
        run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, position INTEGER NOT NULL,
        json TEXT NOT NULL,
        error_map BLOB NOT NULL,            -- as in model/error_map.hpp; empty: none
        UNIQUE(run, position));
    CREATE TABLE source_text(sha256 TEXT PRIMARY KEY, text TEXT NOT NULL);
    CREATE TABLE source(
        run INTEGER NOT NULL REFERENCES run(id) ON DELETE CASCADE, position INTEGER NOT NULL,
        number INTEGER NOT NULL,            -- 0: the kernel's own file, then its neighbours
        name TEXT NOT NULL, sha256 TEXT NOT NULL,
        PRIMARY KEY(run, position, number)) WITHOUT ROWID;
    CREATE INDEX source_by_text ON source(sha256);
)";

/// Limit on the cells per side of a stored map: at most 256 KiB for an output of floats, a quarter of the
/// resolution shown right after the run.
constexpr std::uint32_t kMostCellsKept = 128;

KernelResult kept_form(KernelResult result) {
    if (result.error_map && std::max(result.error_map->rows, result.error_map->columns) > kMostCellsKept)
        result.error_map = coarsened(*result.error_map, kMostCellsKept);
    return result;
}

/// One entry per contestant: its last result, or the first that was not as expected.
std::vector<PastKernel> summarized(std::vector<PastKernel> kernels, std::size_t steps) {
    if (steps < 2 || kernels.size() % steps != 0) return kernels;
    const std::size_t contestants = kernels.size() / steps;
    std::vector<PastKernel> last(kernels.end() - static_cast<std::ptrdiff_t>(contestants), kernels.end());
    for (std::size_t k = 0; k < contestants; ++k)
        for (std::size_t i = 0; i < steps; ++i)
            if (!kernels[i * contestants + k].as_expected) {
                last[k] = std::move(kernels[i * contestants + k]);
                break;
            }
    return last;
}

/// Members that an older version did not write get their default values.
template <class Record>
Json completed(const std::string& stored) {
    Json json = to_json(Record{});
    const Json known = parse_json(stored);
    if (!known.is_object()) throw ProtocolError("a record is not an object");
    json.update(known);
    // Versions without findings stored warnings only as sentences.
    if (known.contains("warnings") && !known.contains("warning_findings"))
        for (const Json& sentence : known.at("warnings"))
            if (sentence.is_string()) json["warning_findings"].push_back(to_json(remark(sentence)));
    return json;
}

std::int64_t to_ms(std::chrono::system_clock::time_point when) {
    return std::chrono::floor<std::chrono::milliseconds>(when.time_since_epoch()).count();
}

std::chrono::system_clock::time_point from_ms(std::int64_t ms) {
    return std::chrono::system_clock::time_point(std::chrono::milliseconds(ms));
}

}  // namespace

bool is_damage(const SQLite::Exception& error) {
    const int code = error.getErrorCode() & 0xff;
    return code == SQLITE_CORRUPT || code == SQLITE_NOTADB;
}

RunStore::RunStore(const std::filesystem::path& path, HistoryLimits limits, std::int64_t first_id)
    : database_(path.empty() ? ":memory:" : path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE,
                kBusyTimeoutMs),
      limits_(limits) {
    // The file may come from anyone: do not call functions from its schema, and check cells for corruption.
    sqlite3_db_config(database_.getHandle(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(database_.getHandle(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    // Ignore failures: prepare_tables() detects whether the file is a database.
    database_.tryExec("PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY; PRAGMA foreign_keys = ON");
    prepare_tables(first_id);
}

bool RunStore::is_read_only() const {
    return sqlite3_db_readonly(database_.getHandle(), "main") == 1;
}

std::int64_t RunStore::number(const std::string& question) {
    return database_.execAndGet(question).getInt64();
}

template <class... Values>
void RunStore::execute(const char* statement, const Values&... values) {
    SQLite::Statement prepared(database_, statement);
    SQLite::bind(prepared, values...);
    prepared.exec();
}

std::string RunStore::steps_column() {
    return number("PRAGMA user_version") < 2 ? "'[]'" : "steps";
}

/// Call inside a transaction, because another process may upgrade the file at the same time.
void RunStore::upgrade_tables() {
    if (number("PRAGMA user_version") >= kVersion) return;
    database_.exec("ALTER TABLE run ADD COLUMN steps TEXT NOT NULL DEFAULT '[]'");
    database_.exec("PRAGMA user_version = " + std::to_string(kVersion));
}

void RunStore::prepare_tables(std::int64_t first_id) {
    const auto is_empty = [&] {
        return number("PRAGMA application_id") == 0 && number("SELECT count(*) FROM sqlite_master") == 0;
    };
    if (is_empty()) {
        SQLite::Transaction transaction(database_, SQLite::TransactionBehavior::IMMEDIATE);
        // Check again: another process may have created the tables meanwhile.
        if (is_empty()) {
            database_.exec(kTables);
            database_.exec("PRAGMA application_id = " + std::to_string(kApplicationId));
            database_.exec("PRAGMA user_version = " + std::to_string(kVersion));
            execute("INSERT INTO sqlite_sequence(name, seq) VALUES ('run', ?)", first_id - 1);
        }
        transaction.commit();
    }
    if (number("PRAGMA application_id") != kApplicationId) throw ForeignFile();
    if (number("PRAGMA user_version") > kVersion) throw EnvironmentError("it was made by a newer kwb");
    require_tables();
}

/// Read a little of every table, so that wrong tables and obvious damage are detected at once.
void RunStore::require_tables() {
    try {
        for (const RunSummary& run : list(1, {})) load(run.id);
    } catch (const SQLite::Exception& error) {
        // The statements do not match the tables.
        if ((error.getErrorCode() & 0xff) == SQLITE_ERROR) throw ForeignFile();
        throw;
    } catch (const ProtocolError&) {
        // Only this run is affected; load() reports it when it is requested.
    }
}

std::int64_t RunStore::add(const PastRun& run) {
    SQLite::Transaction transaction(database_, SQLite::TransactionBehavior::IMMEDIATE);
    upgrade_tables();
    execute(
        "INSERT INTO run(when_ms, device, driver, problem, size, sizes, environment, steps) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        to_ms(run.when), run.environment.device, run.environment.driver, run.problem, to_string(run.sizes),
        dump_json(to_json(run.sizes)), dump_json(to_json(run.environment)), dump_json(to_json(run.steps)));
    const std::int64_t id = database_.getLastInsertRowid();
    for (std::size_t i = 0; i < run.results.size(); ++i) {
        const auto position = static_cast<std::int64_t>(i);
        add_result(id, position, kept_form(run.results[i]));
        if (!run.sources.empty()) add_source(id, position, run.sources[i]);
    }
    remove_oldest(id);
    transaction.commit();
    return id;
}

void RunStore::add_result(std::int64_t run, std::int64_t position, const KernelResult& result) {
    SQLite::Statement searched(database_, "INSERT INTO result VALUES (?, ?, ?, ?, ?, ?, ?)");
    SQLite::bind(searched, run, position, result.kernel, result.source_sha256,
                 std::string(to_string(result.verdict)), int{result.as_expected()});
    if (result.median_ms) searched.bind(7, *result.median_ms);
    searched.exec();

    SQLite::Statement record(database_, "INSERT INTO record VALUES (?, ?, ?, ?)");
    SQLite::bind(record, run, position, dump_json(to_json(result)));
    const std::string cells = result.error_map ? cell_bytes(*result.error_map) : "";
    record.bind(4, cells.data(), static_cast<int>(cells.size()));
    record.exec();
}

void RunStore::add_source(std::int64_t run, std::int64_t position, const SourceTexts& texts) {
    std::int64_t number = 0;
    for (const auto& [name, text] : texts) {
        const std::string sha256 = sha256_hex(text);
        execute("INSERT OR IGNORE INTO source_text VALUES (?, ?)", sha256, text);
        execute("INSERT INTO source VALUES (?, ?, ?, ?, ?)", run, position, number++, name, sha256);
    }
}

std::vector<RunSummary> RunStore::list(std::size_t limit, const HistoryFilter& filter) {
    const SQLite::Transaction transaction(database_);
    // Every text contains the empty one. The kernels' names are looked up only for a text.
    SQLite::Statement runs(
        database_, "SELECT id, when_ms, device, driver, problem, sizes, " + steps_column() +
                       " FROM run WHERE instr(lower(device), lower(?1)) AND instr(lower(problem), lower(?2)) "
                       "AND (?3 = '' OR instr(lower(device || char(10) || problem || char(10) || coalesce("
                       "(SELECT group_concat(kernel, char(10)) FROM result WHERE run = run.id), '')), "
                       "lower(?3))) ORDER BY when_ms DESC, id DESC LIMIT ?4");
    SQLite::bind(runs, filter.device, filter.problem, filter.text,
                 static_cast<std::int64_t>(std::min<std::size_t>(limit, INT32_MAX)));

    SQLite::Statement kernels(database_,
                              "SELECT kernel, source_sha256, verdict, as_expected, median_ms FROM result "
                              "WHERE run = ? ORDER BY position");
    std::vector<RunSummary> list;
    while (runs.executeStep()) {
        RunSummary summary;
        summary.id = runs.getColumn(0);
        summary.when = from_ms(runs.getColumn(1));
        summary.device = runs.getColumn(2).getString();
        summary.driver = runs.getColumn(3).getString();
        summary.problem = runs.getColumn(4).getString();
        try {
            summary.sizes = from_json<Sizes>(parse_json(runs.getColumn(5).getString()));
            summary.steps = from_json<std::vector<Sizes>>(parse_json(runs.getColumn(6).getString()));
        } catch (const ProtocolError&) {
            // List the run without its sizes rather than not at all.
        }
        for (kernels.bind(1, summary.id); kernels.executeStep();) {
            const SQLite::Column median = kernels.getColumn(4);
            summary.kernels.push_back(
                {kernels.getColumn(0), kernels.getColumn(1),
                 parse_enum<Verdict>(kernels.getColumn(2).getString()).value_or(Verdict::Skipped),
                 kernels.getColumn(3).getInt() != 0,
                 median.isNull() ? std::nullopt : std::optional(median.getDouble())});
        }
        kernels.reset();
        summary.kernels = summarized(std::move(summary.kernels), summary.steps.size());
        list.push_back(std::move(summary));
    }
    return list;
}

std::optional<PastRun> RunStore::load(std::int64_t id) {
    const SQLite::Transaction transaction(database_);
    SQLite::Statement runs(database_, "SELECT when_ms, problem, sizes, environment, " + steps_column() +
                                          " FROM run WHERE id = ?");
    runs.bind(1, id);
    if (!runs.executeStep()) return std::nullopt;
    PastRun run;
    run.id = id;
    run.when = from_ms(runs.getColumn(0));
    run.problem = runs.getColumn(1).getString();
    run.sizes = from_json<Sizes>(parse_json(runs.getColumn(2).getString()));
    run.environment = from_json<Environment>(completed<Environment>(runs.getColumn(3)));
    run.steps = from_json<std::vector<Sizes>>(parse_json(runs.getColumn(4).getString()));

    SQLite::Statement records(database_,
                              "SELECT json, error_map FROM record WHERE run = ? ORDER BY position");
    for (records.bind(1, id); records.executeStep();) {
        run.results.push_back(from_json<KernelResult>(completed<KernelResult>(records.getColumn(0))));
        if (auto& map = run.results.back().error_map) put_cell_bytes(*map, records.getColumn(1).getString());
    }
    if (run.is_sweep() && run.results.size() % run.steps.size() != 0)
        throw ProtocolError("the sizes of a sweep differ in their number of results");

    SQLite::Statement sources(
        database_,
        "SELECT position, name, text FROM source JOIN source_text USING (sha256) WHERE run = ? "
        "ORDER BY position, number");
    for (sources.bind(1, id); sources.executeStep();) {
        const auto position = static_cast<std::size_t>(sources.getColumn(0).getInt64());
        if (position >= run.results.size()) throw ProtocolError("a source without a result");
        run.sources.resize(run.results.size());
        run.sources[position].push_back({sources.getColumn(1), sources.getColumn(2)});
    }
    return run;
}

bool RunStore::remove(std::int64_t id) {
    SQLite::Transaction transaction(database_, SQLite::TransactionBehavior::IMMEDIATE);
    SQLite::Statement known(database_, "SELECT 1 FROM run WHERE id = ?");
    known.bind(1, id);
    if (!known.executeStep()) return false;
    known.reset();
    erase(id);
    transaction.commit();
    return true;
}

/// Delete a run, and the texts that no other run uses.
void RunStore::erase(std::int64_t id) {
    execute(
        "DELETE FROM source_text WHERE sha256 IN (SELECT sha256 FROM source WHERE run = ?1) AND NOT EXISTS "
        "(SELECT 1 FROM source WHERE source.sha256 = source_text.sha256 AND source.run <> ?1)",
        id);
    execute("DELETE FROM run WHERE id = ?", id);
}

void RunStore::remove_oldest(std::int64_t keep) {
    const auto too_many = [&] {
        if (static_cast<std::uint64_t>(number("SELECT count(*) FROM run")) > limits_.runs) return true;
        const std::int64_t pages = number("PRAGMA page_count") - number("PRAGMA freelist_count");
        return static_cast<std::uint64_t>(pages * number("PRAGMA page_size")) > limits_.bytes;
    };
    while (too_many()) {
        SQLite::Statement oldest(database_, "SELECT id FROM run WHERE id <> ? ORDER BY when_ms, id LIMIT 1");
        oldest.bind(1, keep);
        if (!oldest.executeStep()) return;
        const std::int64_t id = oldest.getColumn(0);
        oldest.reset();
        erase(id);
    }
}

}  // namespace kwb
