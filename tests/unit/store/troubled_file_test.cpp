// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <optional>

#include "base/fd.hpp"
#include "store/history.hpp"
#include "support/bad_places.hpp"
#include "support/skip.hpp"
#include "support/temp_folder.hpp"
#include "unit/store/sample.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

/// The only notice; if there is not exactly one, a text with their number.
std::string notice_of(History& history) {
    const auto notices = history.take_notices();
    return notices.size() == 1 ? notices[0] : std::to_string(notices.size()) + " notices";
}

bool holds(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

bool works(History& history) {
    const std::int64_t id = history.add(sample_run(1'000'000));
    const auto list = history.list(1);
    return history.load(id) && same(*history.load(id), sample_run(1'000'000)) && list.size() == 1 &&
           list[0].id == id && history.remove(id) && !history.load(id);
}

void overwrite(const fs::path& file, std::size_t from, std::string_view bytes) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(static_cast<std::streamoff>(from));
    stream << bytes;
}

fs::path file_with_runs(const TempFolder& folder, int runs) {
    const fs::path file = folder / "history.sqlite";
    History history = History::open(file);
    for (int i = 0; i < runs; ++i) {
        PastRun run = sample_run(i);
        run.results[0].log = std::string(20'000, static_cast<char>('a' + i % 26));
        history.add(run);
    }
    return file;
}

}  // namespace

TEST_CASE("a file that is no database, or that of another program, is put aside and a new one begun") {
    const TempFolder folder;
    const fs::path file = folder / "history.sqlite";
    const fs::path other = folder / "other";
    execute_in(other, "CREATE TABLE bookmarks(url TEXT); INSERT INTO bookmarks VALUES ('x')");
    const std::string foreign = read_text(other);
    // A database with our application ID, but with other tables.
    execute_in(other, "PRAGMA application_id = 1802986088; PRAGMA user_version = 1");
    const std::string impostor = read_text(other);
    int number = 0;
    for (const std::string& text :
         {std::string("this is a letter\n"), std::string(100'000, '\xA5'), foreign, impostor}) {
        folder.write("history.sqlite", text);
        History history = History::open(file);
        const fs::path aside = file.string() + ".damaged-" + std::to_string(++number);
        const std::string notice = notice_of(history);
        CAPTURE(notice);
        CHECK(holds(notice, "the history of runs, " + file.string() + ", could not be read ("));
        CHECK(holds(notice, "); it was renamed to " + aside.string() + ", and a new one was created"));
        CHECK(read_text(aside) == text);
        CHECK(history.is_kept());
        CHECK(works(history));
        CHECK(History::open(file).take_notices().empty());
    }
}

TEST_CASE("an empty file becomes a history without a word") {
    const TempFolder folder;
    History history = History::open(folder.write("history.sqlite", ""));
    CHECK(works(history));
    CHECK(history.is_kept());
    CHECK(history.take_notices().empty());
}

TEST_CASE("a file that was cut off is put aside") {
    const TempFolder folder;
    const fs::path file = file_with_runs(folder, 8);
    fs::resize_file(file, fs::file_size(file) / 2 / 4096 * 4096);
    History history = History::open(file);
    history.list(100);
    for (int i = 1; i <= 8; ++i) history.load(i);
    CHECK(works(history));
    CHECK(history.is_kept());
    CHECK(fs::exists(file.string() + ".damaged-1"));
    CHECK(!fs::exists(file.string() + ".damaged-2"));
}

TEST_CASE("a file found damaged while open is set aside, and the current run is kept") {
    const TempFolder folder;
    const fs::path file = file_with_runs(folder, 8);
    History history = History::open(file);
    CHECK(history.take_notices().empty());
    // A write by another process makes this one read the pages again.
    const std::size_t size = fs::file_size(file);
    { History::open(file).add(sample_run(50)); }
    overwrite(file, 4096, std::string(size - 4096, '\x55'));
    SUBCASE("when a run is added") {
        const std::int64_t id = history.add(sample_run(99));
        CHECK(history.is_kept());
        CHECK(same(*history.load(id), sample_run(99)));
        CHECK(history.list(10).size() == 1);
    }
    SUBCASE("when runs are listed") {
        CHECK(history.list(10).empty());
    }
    SUBCASE("when a run is loaded") {
        CHECK(!history.load(1));
    }
    SUBCASE("when a run is removed") {
        CHECK(!history.remove(1));
    }
    CHECK(holds(notice_of(history), "it was renamed to " + file.string() + ".damaged-1"));
    CHECK(works(history));
    CHECK(history.is_kept());
}

TEST_CASE("a file of a newer workbench is left alone to the last byte") {
    const TempFolder folder;
    const fs::path file = file_with_runs(folder, 1);
    execute_in(file, "PRAGMA user_version = 3; ALTER TABLE run RENAME TO runs");
    const std::string before = read_text(file);
    {
        History history = History::open(file);
        CHECK(notice_of(history) == "the history of runs, " + file.string() +
                                        ", cannot be used: it was made by a newer kwb; runs of this session "
                                        "are kept in memory until kwb ends");
        CHECK(!history.is_kept());
        CHECK(history.list(10).empty());
        CHECK(works(history));
        CHECK(history.take_notices().empty());
    }
    CHECK(read_text(file) == before);
    CHECK(folder.count_files() == 1);
}

TEST_CASE("in a read-only folder earlier runs are shown and new ones kept in memory") {
    const TempFolder folder;
    const fs::path file = file_with_runs(folder, 2);
    for (const auto permissions : {fs::perms(0666), fs::perms(0444)}) {
        fs::permissions(file, permissions);
        const ReadOnlyFolder read_only(folder.path());
        const WithoutPrivileges me;
        History history = History::open(file);
        CHECK(notice_of(history) == "the history of runs, " + file.string() +
                                        ", cannot be written; runs of this session are kept in memory until "
                                        "kwb ends");
        CHECK(!history.is_kept());
        const std::int64_t id = history.add(sample_run(1));
        const auto list = history.list(10);
        REQUIRE(list.size() == 3);
        CHECK(list[0].id == id);  // from the same minute as run 2
        CHECK(list[1].id == 2);
        CHECK(list[2].id == 1);
        CHECK(history.load(1));
        CHECK(history.load(id));
        CHECK(history.list(1).size() == 1);
        CHECK(history.take_notices().empty());
        CHECK(!history.remove(1));
        CHECK(holds(notice_of(history), "the run cannot be removed (" + file.string() + ": "));
        CHECK(history.remove(id));
    }
    CHECK(History::open(file).list(10).size() == 2);
}

TEST_CASE("where no file can be made, read or put aside the history is in memory, with the cause") {
    const TempFolder folder;
    SUBCASE("a read-only folder") {
        const ReadOnlyFolder read_only(folder.path());
        const WithoutPrivileges me;
        for (const char* name : {"history.sqlite", "kwb/history.sqlite"}) {
            History history = History::open(folder / name);
            CHECK(holds(notice_of(history), "cannot be used: "));
            CHECK(!history.is_kept());
            CHECK(works(history));
            CHECK(history.take_notices().empty());
        }
    }
    SUBCASE("a folder in its place") {
        fs::create_directory(folder / "history.sqlite");
        History history = History::open(folder / "history.sqlite");
        CHECK(holds(notice_of(history), "cannot be used: unable to open database file"));
        CHECK(works(history));
    }
    SUBCASE("a damaged file in a read-only folder") {
        const fs::path file = folder.write("history.sqlite", "damaged");
        const ReadOnlyFolder read_only(folder.path());
        const WithoutPrivileges me;
        History history = History::open(file);
        CHECK(holds(notice_of(history), "cannot be set aside: Permission denied"));
        CHECK(works(history));
        CHECK(read_text(file) == "damaged");
    }
    SUBCASE("a file that is not ours to read") {
        fs::permissions(folder.path(), fs::perms(0777));
        const fs::path file = file_with_runs(folder, 1);
        fs::permissions(file, fs::perms::none);
        const WithoutPrivileges me;
        History history = History::open(file);
        CHECK(holds(notice_of(history), "cannot be used: unable to open database file"));
        CHECK(works(history));
    }
}

TEST_CASE("when the file can grow no more, runs go into memory, told once, and back once there is room") {
    const TempFolder folder;
    const fs::path file = file_with_runs(folder, 2);
    History history = History::open(file);
    PastRun large = sample_run(7);
    large.results[0].log = std::string(200'000, 'x');
    std::int64_t in_memory = 0;
    {
        const FileSizeLimit limit(fs::file_size(file) + 50'000);
        in_memory = history.add(large);
        CHECK(holds(notice_of(history), "the run cannot be saved (" + file.string() + ": "));
        CHECK(!history.is_kept());
        history.add(large);
        CHECK(history.take_notices().empty());
        CHECK(history.list(10).size() == 4);
    }
    const std::int64_t kept = history.add(large);
    CHECK(history.is_kept());
    CHECK(history.take_notices().empty());
    CHECK(same(*history.load(in_memory), large));
    CHECK(same(*history.load(kept), large));
    CHECK(History::open(file).list(10).size() == 3);
}

TEST_CASE("on a full disk runs go into memory and what was there stays whole") {
    const TempFolder folder;
    const TinyDisk disk(folder.path(), 256 << 10);
    if (!disk.is_there()) return kwb::test::skip("no small disk can be mounted here");
    const fs::path file = file_with_runs(folder, 2);
    History history = History::open(file);
    folder.write("filler", std::string(1 << 20, 'x'));
    const std::int64_t id = history.add(sample_run(9));
    CHECK(holds(notice_of(history), "database or disk is full"));
    CHECK(history.load(id));
    CHECK(history.list(10).size() == 3);
    CHECK(History::open(file).list(10).size() == 2);
    // The same if there is not even space for the tables.
    fs::remove(file);
    folder.write("filler", std::string(1 << 20, 'x'));
    History fresh = History::open(file);
    CHECK(holds(notice_of(fresh), "cannot be used: "));
    CHECK(works(fresh));
}

TEST_CASE("an unreadable record loses only its own run") {
    for (const char* fault :
         {"UPDATE record SET json = '{' WHERE run = 2", "UPDATE record SET json = '[]' WHERE run = 2",
          "UPDATE record SET json = '{\"verdict\": \"splendid\"}' WHERE run = 2",
          "UPDATE record SET error_map = x'00' WHERE run = 2", "UPDATE run SET sizes = 'x' WHERE id = 2",
          "UPDATE source SET position = 77 WHERE run = 2", "UPDATE run SET steps = '7' WHERE id = 2",
          "UPDATE run SET steps = '[{\"M\": 1}, {\"M\": 2}, {\"M\": 3}]' WHERE id = 2"}) {
        const TempFolder folder;
        const fs::path file = file_with_runs(folder, 3);
        History history = History::open(file);
        execute_in(file, fault);
        CAPTURE(fault);
        CHECK(!history.load(2));
        CHECK(holds(notice_of(history), "run 2 of " + file.string() + " cannot be read ("));
        CHECK(history.list(10).size() == 3);
        CHECK(history.load(1));
        CHECK(history.load(3));
        CHECK(history.is_kept());
    }
}

TEST_CASE("a record of an older workbench, which lacks a key, is completed with what a fresh one has") {
    const TempFolder folder;
    const fs::path file = file_with_runs(folder, 1);
    execute_in(file, "UPDATE record SET json = json_remove(json, '$.hints', '$.gflops')");
    execute_in(file, "UPDATE run SET environment = json_remove(environment, '$.sandbox')");
    History history = History::open(file);
    REQUIRE(history.load(1));
    CHECK(history.load(1)->results[0].kernel == "matmul/tiled");
}

TEST_CASE("an error map from before its cells told expected and got is read without them") {
    const TempFolder folder;
    const fs::path file = file_with_runs(folder, 1);
    execute_in(file, "UPDATE record SET error_map = substr(error_map, 1, 24) WHERE position = 1");
    History history = History::open(file);
    const auto run = history.load(1);
    REQUIRE(run);
    CHECK(run->results[1].error_map->worst_share == sample_run().results[1].error_map->worst_share);
    CHECK(run->results[1].error_map->worst_elements.empty());
}

namespace {

/// A file as written by a version of the workbench without sweeps.
fs::path file_of_version_1(const TempFolder& folder, int runs) {
    const fs::path file = file_with_runs(folder, runs);
    execute_in(file, "ALTER TABLE run DROP COLUMN steps; PRAGMA user_version = 1");
    return file;
}

}  // namespace

TEST_CASE("a history without sweeps is read to the last byte as it is, and takes a sweep with the next run") {
    const TempFolder folder;
    const fs::path file = file_of_version_1(folder, 2);
    const std::string before = read_text(file);
    History history = History::open(file), other = History::open(file);
    REQUIRE(history.list(10).size() == 2);
    CHECK(!history.list(10)[0].is_sweep());
    CHECK(history.load(1)->results.size() == 2);
    CHECK(read_text(file) == before);
    const std::int64_t id = history.add(sample_sweep(5));
    for (History* any : {&history, &other}) {
        REQUIRE(any->load(id));
        CHECK(same(*any->load(id), sample_sweep(5)));
        REQUIRE(any->list(10).size() == 3);
        CHECK(any->list(10)[0].is_sweep());
        CHECK(!any->list(10)[1].is_sweep());
        CHECK(any->load(2));
        CHECK(any->is_kept());
        CHECK(any->take_notices().empty());
    }
    CHECK(other.add(sample_run(6)) > id);
}

TEST_CASE("a history without sweeps that cannot be written is still read") {
    const TempFolder folder;
    const fs::path file = file_of_version_1(folder, 2);
    fs::permissions(file, fs::perms(0444));
    const ReadOnlyFolder read_only(folder.path());
    const WithoutPrivileges me;
    History history = History::open(file);
    CHECK(holds(notice_of(history), "cannot be written; runs of this session are kept in memory"));
    const std::int64_t id = history.add(sample_sweep(5));
    CHECK(history.list(10).size() == 3);
    CHECK(same(*history.load(id), sample_sweep(5)));
    CHECK(history.load(1));
}

TEST_CASE("a file that another program removed or put aside is begun again, so that no run is lost") {
    const TempFolder folder;
    const fs::path file = file_with_runs(folder, 3);
    History history = History::open(file);
    fs::rename(file, folder / "elsewhere");
    history.add(sample_run(1));
    fs::remove(file);
    history.add(sample_run(2));
    CHECK(history.list(10).size() == 1);
    CHECK(History::open(file).list(10).size() == 1);
    CHECK(history.take_notices().empty());
}

TEST_CASE("while another program holds the file, a run waits, and then goes into memory with a notice") {
    const TempFolder folder;
    const fs::path file = file_with_runs(folder, 1);
    History history = History::open(file);
    std::optional<SQLite::Database> other(open_database(file));
    other->exec("BEGIN EXCLUSIVE");
    history.add(sample_run(1));
    CHECK(holds(notice_of(history), "database is locked"));
    other.reset();
    history.add(sample_run(2));
    CHECK(history.is_kept());
    CHECK(history.list(10).size() == 3);
}

TEST_CASE("several programs that find a damaged file at once put it aside once and share the new one") {
    const TempFolder folder;
    const fs::path file = folder.write("history.sqlite", std::string(50'000, 'd'));
    constexpr int kPrograms = 6;
    std::vector<pid_t> programs;
    Pipe gate = make_pipe();
    for (int i = 0; i < kPrograms; ++i) {
        const pid_t pid = ::fork();
        if (pid == 0) {
            // All processes start when the test closes its end of the pipe.
            gate.write.reset();
            char byte = 0;
            if (::read(gate.read.get(), &byte, 1) != 0) ::_exit(2);
            History history = History::open(file);
            history.add(sample_run(i));
            ::_exit(history.is_kept() ? 0 : 1);
        }
        programs.push_back(pid);
    }
    gate.write.reset();
    for (const pid_t pid : programs) {
        int status = -1;
        REQUIRE(::waitpid(pid, &status, 0) == pid);
        CHECK(status == 0);
    }
    CHECK(History::open(file).list(100).size() == kPrograms);
    CHECK(folder.count_files() == 2);
}
