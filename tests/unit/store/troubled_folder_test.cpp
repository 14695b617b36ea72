// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>

#include "base/fd.hpp"
#include "store/history.hpp"
#include "store/keyed_file.hpp"
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

fs::path folder_with_runs(const TempFolder& folder, int runs) {
    const fs::path path = folder / "history";
    History history = History::open(path);
    for (int i = 0; i < runs; ++i) history.add(sample_run(i));
    return path;
}

/// Replace the first `old` in the document of run 2.
void edit_run_2(const TempFolder& folder, const std::string& old, const std::string& text) {
    std::string document = read_text(folder / "history/2.json");
    REQUIRE(holds(document, old));
    document.replace(document.find(old), old.size(), text);
    folder.write("history/2.json", document);
}

/// Let several processes, which start at once, each do the same; all must succeed.
template <class Action>
void in_processes(int count, const Action& action) {
    std::vector<pid_t> programs;
    Pipe gate = make_pipe();
    for (int i = 0; i < count; ++i) {
        const pid_t pid = ::fork();
        if (pid == 0) {
            gate.write.reset();
            char byte = 0;
            if (::read(gate.read.get(), &byte, 1) != 0) ::_exit(2);
            ::_exit(action(i) ? 0 : 1);
        }
        programs.push_back(pid);
    }
    gate.write.reset();
    for (const pid_t pid : programs) {
        int status = -1;
        REQUIRE(::waitpid(pid, &status, 0) == pid);
        CHECK(status == 0);
    }
}

constexpr const char* kKept = ". Runs of this session are kept in memory until kwb ends";

}  // namespace

TEST_CASE("files that are not runs are reported once, in one sentence, and left alone") {
    const TempFolder folder;
    const fs::path runs = folder_with_runs(folder, 1);
    folder.write("history/5.json", "this is a letter\n");
    folder.write("history/6.json", std::string(100'000, '\xA5'));
    folder.write("history/notes.txt", "mine");
    folder.write("history/.hidden", "mine");
    History history = History::open(runs);
    const std::string notice = notice_of(history);
    CAPTURE(notice);
    CHECK(holds(notice, runs.string() + "/"));
    CHECK(holds(notice, "Not a run, and left alone: "));
    CHECK(holds(notice, ", and 2 more files like it"));
    CHECK(works(history));
    CHECK(history.list(10).size() == 1);
    CHECK(history.add(sample_run()) > 6);
    CHECK(history.is_kept());
    CHECK(history.take_notices().empty());
    CHECK(read_text(runs / "5.json") == "this is a letter\n");
    CHECK(read_text(runs / "notes.txt") == "mine");
}

TEST_CASE("a document of a newer workbench is left alone to the last byte") {
    const TempFolder folder;
    const fs::path runs = folder_with_runs(folder, 2);
    edit_run_2(folder, "\"schema_version\": 1", "\"schema_version\": 2");
    fs::remove(runs / "index.jsonl");
    const std::string before = read_text(runs / "2.json");
    History history = History::open(runs);
    CHECK(notice_of(history) ==
          "Not a run, and left alone: " + (runs / "2.json").string() + ": run.schema_version must be 1");
    CHECK(history.list(10).size() == 1);
    CHECK(works(history));
    CHECK(read_text(runs / "2.json") == before);
}

TEST_CASE("an index that is missing, damaged or of another program is made again from the documents") {
    const TempFolder folder;
    const fs::path runs = folder_with_runs(folder, 3), index = runs / "index.jsonl";
    const auto expected = History::open(runs).list(10);
    const std::string whole = read_text(index);
    std::string holed = whole;
    holed.replace(whole.find("\"2\""), 3, "\"2 ");
    for (const std::string& text : {std::string(), std::string("this is a letter\n"),
                                    std::string(5'000, '\0'), whole.substr(0, whole.size() - 9), holed}) {
        text.empty() ? void(fs::remove(index)) : void(folder.write("history/index.jsonl", text));
        History history = History::open(runs);
        const auto list = history.list(10);
        REQUIRE(list.size() == 3);
        CHECK(list[1].id == 2);
        CHECK(list[1].when == expected[1].when);
        CHECK(list[1].kernels.size() == 2);
        CHECK(history.take_notices().empty());
        for (const char* key : {"\"1\"", "\"2\"", "\"3\""}) CHECK(holds(read_text(index), key));
        CHECK(works(history));
    }
}

TEST_CASE("a run that was copied into the folder or removed from it is listed or not, accordingly") {
    const TempFolder folder;
    const fs::path runs = folder_with_runs(folder, 3);
    History history = History::open(runs);
    fs::copy(runs / "2.json", runs / "9.json");
    fs::remove(runs / "1.json");
    const auto list = history.list(10);
    REQUIRE(list.size() == 3);
    CHECK(history.load(9));
    CHECK(!history.load(1));
    CHECK(history.add(sample_run()) == 10);
    CHECK(history.take_notices().empty());
}

TEST_CASE("in a read-only folder earlier runs are shown and new ones kept in memory") {
    const TempFolder folder;
    const fs::path runs = folder_with_runs(folder, 2);
    fs::permissions(folder.path(), fs::perms(0755));
    const ReadOnlyFolder read_only(runs);
    const WithoutPrivileges me;
    History history = History::open(runs);
    CHECK(notice_of(history) == "the history of runs, " + runs.string() + ", cannot be written" + kKept);
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
    CHECK(holds(notice_of(history), "the run cannot be removed: " + (runs / "1.json").string()));
    CHECK(history.remove(id));
    CHECK(History::open(runs).list(10).size() == 2);
}

TEST_CASE("where no folder can be made or read the history is in memory, with the cause") {
    const TempFolder folder;
    fs::permissions(folder.path(), fs::perms(0755));
    const fs::path runs = folder / "history";
    const char* cause = "";
    std::optional<ReadOnlyFolder> read_only;
    SUBCASE("a read-only folder") {
        read_only.emplace(folder.path());
        cause = "Permission denied";
    }
    SUBCASE("a file in its place") {
        folder.write("history", "mine");
        cause = "File exists";
    }
    SUBCASE("a folder that is not ours to read") {
        fs::create_directory(runs);
        fs::permissions(runs, fs::perms::none);
        cause = "Permission denied";
    }
    const WithoutPrivileges me;
    History history = History::open(runs);
    const std::string notice = notice_of(history);
    CAPTURE(notice);
    CHECK(holds(notice, "the history of runs, " + runs.string() + ", cannot be used: "));
    CHECK(holds(notice, std::string(cause) + kKept));
    CHECK(!history.is_kept());
    CHECK(works(history));
    CHECK(history.take_notices().empty());
}

TEST_CASE("when no file can grow, runs go into memory, told once, and back once there is room") {
    const TempFolder folder;
    const fs::path runs = folder_with_runs(folder, 2);
    History history = History::open(runs);
    PastRun large = sample_run(7);
    large.results[0].log = std::string(200'000, 'x');
    std::int64_t in_memory = 0;
    {
        const FileSizeLimit limit(50'000);
        in_memory = history.add(large);
        CHECK(notice_of(history) == "the run cannot be saved: " + (runs / "3.json").string() +
                                        ": cannot write: File too large" + kKept);
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
    CHECK(History::open(runs).list(10).size() == 3);
}

TEST_CASE("on a full disk runs go into memory and what was there stays whole") {
    const TempFolder folder;
    const TinyDisk disk(folder.path(), 256 << 10);
    if (!disk.is_there()) return kwb::test::skip("no small disk can be mounted here");
    const fs::path runs = folder_with_runs(folder, 2);
    History history = History::open(runs);
    folder.write("filler", std::string(1 << 20, 'x'));
    const std::int64_t id = history.add(sample_run(9));
    CHECK(holds(notice_of(history), "No space left on device"));
    CHECK(history.load(id));
    CHECK(history.list(10).size() == 3);
    CHECK(History::open(runs).list(10).size() == 2);
    // Without an index, which cannot be written either, the documents are read.
    fs::remove(runs / "index.jsonl");
    folder.write("filler", std::string(1 << 20, 'x'));
    CHECK(History::open(runs).list(10).size() == 2);
}

TEST_CASE("an unreadable document loses only its own run") {
    const TempFolder folder;
    const fs::path runs = folder_with_runs(folder, 3);
    const struct {
        const char *old, *text;
    } kFaults[] = {{"{", "["},
                   {"\"correct\"", "\"splendid\""},
                   {"\"cells\": \"", "\"cells\": \"x"},
                   {"\"cells\": \"", "\"cells\": \"0000"},
                   {"\"sizes\": {", "\"sizes\": 7, \"x\": {"},
                   {"\"when_ms\": ", "\"when_ms\": \"x\", \"x\": "},
                   {"\"steps\": []", "\"steps\": [{\"M\": 1}, {\"M\": 2}, {\"M\": 3}]"},
                   {"\"sources\": [\n", "\"sources\": [{\"results\": [2], \"files\": {}},\n"}};
    for (const auto& fault : kFaults) {
        const std::string whole = read_text(runs / "2.json");
        History history = History::open(runs);
        edit_run_2(folder, fault.old, fault.text);
        CAPTURE(fault.text);
        CHECK(!history.load(2));
        CHECK(holds(notice_of(history), "the run cannot be read: " + (runs / "2.json").string() + ": "));
        CHECK(history.list(10).size() == 3);
        CHECK(history.load(1));
        CHECK(history.is_kept());
        folder.write("history/2.json", whole);
        CHECK(history.load(2));
    }
}

TEST_CASE("a folder that another program removed or renamed is begun again, so that no run is lost") {
    const TempFolder folder;
    const fs::path runs = folder_with_runs(folder, 3);
    History history = History::open(runs);
    fs::rename(runs, folder / "elsewhere");
    history.add(sample_run(1));
    CHECK(history.list(10).size() == 1);
    fs::remove_all(runs);
    CHECK(history.list(10).empty());
    history.add(sample_run(2));
    CHECK(history.list(10).size() == 1);
    CHECK(History::open(runs).list(10).size() == 1);
    CHECK(history.take_notices().empty());
}

TEST_CASE("while another program holds the folder, a run waits, and then goes into memory with a notice") {
    const TempFolder folder;
    const fs::path runs = folder_with_runs(folder, 1);
    History history = History::open(runs);
    std::optional<FolderLock> other(runs);
    history.add(sample_run(1));
    CHECK(notice_of(history) == "the run cannot be saved: " + runs.string() +
                                    ": another program is writing there. Try again later" + kKept);
    CHECK(history.list(10).size() == 2);
    other.reset();
    history.add(sample_run(2));
    CHECK(history.is_kept());
    CHECK(history.list(10).size() == 3);
}

TEST_CASE("several programs that find a damaged index at once make it again together") {
    const TempFolder folder;
    const fs::path runs = folder_with_runs(folder, 2);
    folder.write("history/index.jsonl", std::string(50'000, 'd'));
    in_processes(6, [&](int i) {
        History history = History::open(runs);
        history.add(sample_run(i));
        return history.is_kept() && history.take_notices().empty();
    });
    CHECK(History::open(runs).list(100).size() == 8);
    CHECK(fs::file_size(runs / "index.jsonl") < 50'000);
}

TEST_CASE("what a killed program left half written is removed by the next run") {
    const TempFolder folder;
    const fs::path runs = folder_with_runs(folder, 1);
    folder.write("history/.kwb-a1b2c3", "{\"schema_ver");
    History history = History::open(runs);
    CHECK(history.list(10).size() == 1);
    history.add(sample_run());
    CHECK(!fs::exists(runs / ".kwb-a1b2c3"));
    CHECK(history.take_notices().empty());
}
