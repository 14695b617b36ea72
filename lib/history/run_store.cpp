#include "history/run_store.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <string>

#include "base/error.hpp"
#include "base/sha256.hpp"
#include "model/error_map.hpp"
#include "model/json.hpp"

namespace kwb {

namespace {

/// "kwbh": tells our files from those of other programs.
constexpr std::int64_t kApplicationId = 0x6B776268;

constexpr const char* kTables = R"(
    CREATE TABLE run(
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        when_ms INTEGER NOT NULL,           -- since 1970, UTC
        device TEXT NOT NULL, driver TEXT NOT NULL, problem TEXT NOT NULL,
        size TEXT NOT NULL,                 -- as people read it: "512", "M=1 N=2 K=3"
        sizes TEXT NOT NULL, environment TEXT NOT NULL,   -- JSON
        steps TEXT NOT NULL DEFAULT '[]');  -- JSON: the sizes of a sweep, one after the other
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

/// Cells a side of a map that is kept: 256 KiB at most for an output of floats, a quarter of what is shown
/// while the run is fresh.
constexpr std::uint32_t kMostCellsKept = 128;

/// As it is kept.
KernelResult kept_form(KernelResult result) {
    if (result.error_map && std::max(result.error_map->rows, result.error_map->columns) > kMostCellsKept)
        result.error_map = coarsened(*result.error_map, kMostCellsKept);
    return result;
}

Json steps_to_json(const std::vector<Sizes>& steps) {
    Json list = Json::array();
    for (const Sizes& sizes : steps) list.push_back(to_json(sizes));
    return list;
}

/// @throws ProtocolError  they are none
std::vector<Sizes> steps_from_json(const std::string& stored) {
    const Json list = parse_json(stored);
    if (!list.is_array()) throw ProtocolError("the sizes of a sweep that are no list");
    std::vector<Sizes> steps;
    for (const Json& sizes : list) steps.push_back(from_json<Sizes>(sizes));
    return steps;
}

/// A line a contestant: its last one, unless an earlier one was not as expected.
std::vector<PastKernel> in_short(std::vector<PastKernel> kernels, std::size_t steps) {
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

/// What an older workbench did not write yet is as in a fresh record.
template <class Record>
Json completed(const std::string& stored) {
    Json json = to_json(Record{});
    const Json known = parse_json(stored);
    if (!known.is_object()) throw ProtocolError("a record that is no object");
    json.update(known);
    return json;
}

std::int64_t to_ms(std::chrono::system_clock::time_point when) {
    return std::chrono::floor<std::chrono::milliseconds>(when.time_since_epoch()).count();
}

std::chrono::system_clock::time_point from_ms(std::int64_t ms) {
    return std::chrono::system_clock::time_point(std::chrono::milliseconds(ms));
}

/// The conditions of a filter as SQL, and the values for their question marks.
struct Conditions {
    std::string sql = "1";
    std::vector<std::string> values;

    explicit Conditions(const HistoryFilter& filter) {
        contains(filter.device, "instr(lower(device), lower(?))");
        contains(filter.driver, "instr(lower(driver), lower(?))");
        contains(filter.problem, "instr(lower(problem), lower(?))");
        contains(filter.kernel, of_a_result("instr(lower(kernel), lower(?))"));
        contains(filter.text,
                 "(instr(lower(device || char(10) || problem || char(10) || coalesce((SELECT "
                 "group_concat(kernel, char(10)) FROM result WHERE run = run.id), '')), lower(?)))");
        if (filter.sizes) add("size = ?", to_string(*filter.sizes));
        if (filter.source_sha256) add(of_a_result("source_sha256 = ?"), *filter.source_sha256);
        if (filter.verdict) add(of_a_result("verdict = ?"), to_string(*filter.verdict));
    }

private:
    void add(const std::string& condition, const std::string& value) {
        sql += " AND " + condition;
        values.push_back(value);
    }
    void contains(const std::string& text, const std::string& condition) {
        if (!text.empty()) add(condition, text);
    }
    static std::string of_a_result(const std::string& condition) {
        return "EXISTS (SELECT 1 FROM result WHERE result.run = run.id AND " + condition + ")";
    }
};

}  // namespace

RunStore::RunStore(const std::filesystem::path& path, HistoryLimits limits, std::int64_t first_id)
    : database_(path), limits_(limits) {
    prepare_tables(first_id);
}

std::string RunStore::steps_column() {
    return database_.number("PRAGMA user_version") < 2 ? "'[]'" : "steps";
}

void RunStore::upgrade_tables() {
    if (database_.number("PRAGMA user_version") >= kVersion) return;
    database_.execute("ALTER TABLE run ADD COLUMN steps TEXT NOT NULL DEFAULT '[]'");
    database_.execute(("PRAGMA user_version = " + std::to_string(kVersion)).c_str());
}

void RunStore::prepare_tables(std::int64_t first_id) {
    const auto is_empty = [&] {
        return database_.number("PRAGMA application_id") == 0 &&
               database_.number("SELECT count(*) FROM sqlite_master") == 0;
    };
    if (is_empty()) {
        Transaction transaction(database_, Transaction::Kind::Write);
        // Unless another program was faster.
        if (is_empty()) {
            database_.execute(kTables);
            database_.execute(("PRAGMA application_id = " + std::to_string(kApplicationId)).c_str());
            database_.execute(("PRAGMA user_version = " + std::to_string(kVersion)).c_str());
            Statement(database_, "INSERT INTO sqlite_sequence(name, seq) VALUES ('run', ?)")
                .with(first_id - 1)
                .run();
        }
        transaction.commit();
    }
    if (database_.number("PRAGMA application_id") != kApplicationId) throw ForeignFile();
    if (database_.number("PRAGMA user_version") > kVersion) throw NewerFile();
    require_tables();
}

/// Read a little of every table: misfits and the coarser damage show at once.
void RunStore::require_tables() {
    try {
        for (const RunSummary& run : list(1, {})) load(run.id);
    } catch (const SqliteError& error) {
        if (error.is_misfit()) throw ForeignFile();
        throw;
    } catch (const ProtocolError&) {
        // Of this one run; said when somebody asks for it.
    }
}

std::int64_t RunStore::add(const PastRun& run) {
    Transaction transaction(database_, Transaction::Kind::Write);
    upgrade_tables();
    Statement(database_,
              "INSERT INTO run(when_ms, device, driver, problem, size, sizes, environment, steps) "
              "VALUES (?, ?, ?, ?, ?, ?, ?, ?)")
        .with(to_ms(run.when))
        .with(run.environment.device)
        .with(run.environment.driver)
        .with(run.problem)
        .with(to_string(run.sizes))
        .with(dump_json(to_json(run.sizes)))
        .with(dump_json(to_json(run.environment)))
        .with(dump_json(steps_to_json(run.steps)))
        .run();
    const std::int64_t id = database_.last_id();
    for (std::size_t i = 0; i < run.results.size(); ++i) {
        const KernelResult result = kept_form(run.results[i]);
        const auto position = static_cast<std::int64_t>(i);
        Statement(database_, "INSERT INTO result VALUES (?, ?, ?, ?, ?, ?, ?)")
            .with(id)
            .with(position)
            .with(result.kernel)
            .with(result.source_sha256)
            .with(to_string(result.verdict))
            .with(std::int64_t{result.as_expected()})
            .with(result.median_ms)
            .run();
        Statement(database_, "INSERT INTO record VALUES (?, ?, ?, ?)")
            .with(id)
            .with(position)
            .with(dump_json(to_json(result)))
            .with_blob(result.error_map ? cell_bytes(*result.error_map) : "")
            .run();
        if (!run.sources.empty()) add_source(id, position, run.sources[i]);
    }
    remove_oldest(id);
    transaction.commit();
    return id;
}

void RunStore::add_source(std::int64_t run, std::int64_t position, const SourceTexts& texts) {
    std::int64_t number = 0;
    for (const auto& [name, text] : texts) {
        const std::string sha256 = sha256_hex(text);
        Statement(database_, "INSERT OR IGNORE INTO source_text VALUES (?, ?)").with(sha256).with(text).run();
        Statement(database_, "INSERT INTO source VALUES (?, ?, ?, ?, ?)")
            .with(run)
            .with(position)
            .with(number++)
            .with(name)
            .with(sha256)
            .run();
    }
}

std::vector<RunSummary> RunStore::list(std::size_t limit, const HistoryFilter& filter) {
    const Transaction transaction(database_, Transaction::Kind::Read);
    const Conditions conditions(filter);
    Statement runs(database_, "SELECT id, when_ms, device, driver, problem, sizes, " + steps_column() +
                                  " FROM run WHERE " + conditions.sql +
                                  " ORDER BY when_ms DESC, id DESC LIMIT ?");
    for (const std::string& value : conditions.values) runs.with(value);
    runs.with(static_cast<std::int64_t>(std::min<std::size_t>(limit, INT32_MAX)));

    Statement kernels(database_,
                      "SELECT kernel, source_sha256, verdict, as_expected, median_ms FROM result "
                      "WHERE run = ? ORDER BY position");
    std::vector<RunSummary> list;
    while (runs.step()) {
        RunSummary summary{
            runs.integer(0), from_ms(runs.integer(1)), runs.text(2), runs.text(3), runs.text(4), {}, {}};
        try {
            summary.sizes = from_json<Sizes>(parse_json(runs.text(5)));
            summary.steps = steps_from_json(runs.text(6));
        } catch (const ProtocolError&) {
            // A list with one size missing is better than none.
        }
        kernels.with(summary.id);
        while (kernels.step())
            summary.kernels.push_back({kernels.text(0), kernels.text(1),
                                       parse_enum<Verdict>(kernels.text(2)).value_or(Verdict::Skipped),
                                       kernels.integer(3) != 0, kernels.number(4)});
        kernels.reset();
        summary.kernels = in_short(std::move(summary.kernels), summary.steps.size());
        list.push_back(std::move(summary));
    }
    return list;
}

std::optional<PastRun> RunStore::load(std::int64_t id) {
    const Transaction transaction(database_, Transaction::Kind::Read);
    Statement runs(database_, "SELECT when_ms, problem, sizes, environment, " + steps_column() +
                                  " FROM run WHERE id = ?");
    if (!runs.with(id).step()) return std::nullopt;
    PastRun run;
    run.id = id;
    run.when = from_ms(runs.integer(0));
    run.problem = runs.text(1);
    run.sizes = from_json<Sizes>(parse_json(runs.text(2)));
    run.environment = from_json<Environment>(completed<Environment>(runs.text(3)));
    run.steps = steps_from_json(runs.text(4));

    Statement records(database_, "SELECT json, error_map FROM record WHERE run = ? ORDER BY position");
    records.with(id);
    while (records.step()) {
        run.results.push_back(from_json<KernelResult>(completed<KernelResult>(records.text(0))));
        if (auto& map = run.results.back().error_map) put_cell_bytes(*map, records.text(1));
    }
    if (run.is_sweep() && run.results.size() % run.steps.size() != 0)
        throw ProtocolError("a sweep whose sizes differ in the number of results");

    Statement sources(database_,
                      "SELECT position, name, text FROM source JOIN source_text USING (sha256) WHERE run = ? "
                      "ORDER BY position, number");
    sources.with(id);
    while (sources.step()) {
        const auto position = static_cast<std::size_t>(sources.integer(0));
        if (position >= run.results.size()) throw ProtocolError("a source without a result");
        run.sources.resize(run.results.size());
        run.sources[position].push_back({sources.text(1), sources.text(2)});
    }
    return run;
}

bool RunStore::remove(std::int64_t id) {
    Transaction transaction(database_, Transaction::Kind::Write);
    if (!Statement(database_, "SELECT 1 FROM run WHERE id = ?").with(id).step()) return false;
    erase(id);
    transaction.commit();
    return true;
}

/// A run, and the texts that no other run has.
void RunStore::erase(std::int64_t id) {
    Statement(
        database_,
        "DELETE FROM source_text WHERE sha256 IN (SELECT sha256 FROM source WHERE run = ?1) AND NOT EXISTS "
        "(SELECT 1 FROM source WHERE source.sha256 = source_text.sha256 AND source.run <> ?1)")
        .with(id)
        .run();
    Statement(database_, "DELETE FROM run WHERE id = ?").with(id).run();
}

void RunStore::remove_oldest(std::int64_t keep) {
    const auto too_many = [&] {
        if (static_cast<std::uint64_t>(database_.number("SELECT count(*) FROM run")) > limits_.runs)
            return true;
        const std::int64_t pages =
            database_.number("PRAGMA page_count") - database_.number("PRAGMA freelist_count");
        return static_cast<std::uint64_t>(pages * database_.number("PRAGMA page_size")) > limits_.bytes;
    };
    while (too_many()) {
        Statement oldest(database_, "SELECT id FROM run WHERE id <> ? ORDER BY when_ms, id LIMIT 1");
        if (!oldest.with(keep).step()) return;
        const std::int64_t id = oldest.integer(0);
        oldest.reset();
        erase(id);
    }
}

}  // namespace kwb
