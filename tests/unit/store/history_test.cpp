// SPDX-License-Identifier: Apache-2.0
#include "store/history.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "base/error.hpp"
#include "base/fd.hpp"
#include "report/documents.hpp"
#include "support/temp_folder.hpp"
#include "unit/store/sample.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

std::vector<std::int64_t> ids(History& history, const HistoryFilter& filter = {}) {
    std::vector<std::int64_t> list;
    for (const RunSummary& run : history.list(100, filter)) list.push_back(run.id);
    return list;
}

}  // namespace

TEST_CASE("a run is loaded as it was added, in this session and in the next") {
    const TempFolder folder;
    const fs::path runs = folder / "new/kwb/history";
    const PastRun run = sample_run();
    std::int64_t id = 0;
    {
        History history = History::open(runs);
        CHECK(history.is_kept());
        id = history.add(run);
        REQUIRE(history.load(id));
        CHECK(history.load(id)->id == id);
        CHECK(same(*history.load(id), run));
        CHECK(history.take_notices().empty());
    }
    History history = History::open(runs);
    REQUIRE(history.load(id));
    CHECK(same(*history.load(id), run));
    CHECK(!history.load(id + 1));
    CHECK(history.take_notices().empty());
    CHECK(fs::status(runs).permissions() == fs::perms(0700));
}

TEST_CASE("a run that has got more results is written again under its id, unless it is gone") {
    const TempFolder folder;
    const auto check = [](History history) {
        PastRun run = sample_run();
        run.id = history.add(run);
        run.results.front().median_ms = 77;
        history.replace(run);
        CHECK(ids(history) == std::vector<std::int64_t>{run.id});
        CHECK(history.load(run.id)->results.front().median_ms == 77);
        CHECK(history.list(1).front().kernels.front().median_ms == 77);
        history.remove(run.id);
        history.replace(run);
        CHECK(ids(history).empty());
        CHECK(history.take_notices().empty());
    };
    check(History::open(folder.path()));
    check(History::in_memory());
}

TEST_CASE("a run is the document that kwb run --json writes, with the keys of the history") {
    const TempFolder folder;
    const PastRun run = sample_run();
    History::open(folder.path()).add(run);
    Json kept = parse_json(read_text(folder / "1.json"));
    CHECK(kept.at("history").at("problem") == "matmul");
    CHECK(kept.at("history").at("sources").at(0).at("files").at("tile.h") == "neighbour");
    kept.erase("history");
    Json document = parse_json(results_to_json(run.environment, run.results));
    document.erase("answers");  // follow from the results
    CHECK(kept == document);
}

TEST_CASE("a run without sources and without results is kept too") {
    History history = History::in_memory();
    PastRun run = sample_run();
    run.sources.clear();
    CHECK(same(*history.load(history.add(run)), run));
    run.results.clear();
    CHECK(same(*history.load(history.add(run)), run));
    CHECK(!history.is_kept());
    run.sources.resize(1);
    CHECK_THROWS_AS(history.add(run), ContractError);
}

TEST_CASE(
    "a sweep is kept with its sizes, and listed with a line a contestant that tells of its worst size") {
    const TempFolder folder;
    History history = History::open(folder / "history");
    const PastRun sweep = sample_sweep();
    const std::int64_t id = history.add(sweep);
    REQUIRE(history.load(id));
    CHECK(same(*history.load(id), sweep));
    const auto list = history.list(10);
    REQUIRE(list.size() == 1);
    CHECK(list[0].is_sweep());
    CHECK(list[0].steps == sweep.steps);
    CHECK(to_string(list[0].sizes) == "64");
    REQUIRE(list[0].kernels.size() == 2);
    CHECK(list[0].kernels[0].kernel == "matmul/tiled");
    CHECK(list[0].kernels[0].median_ms == 8.0);
    CHECK(list[0].kernels[1].kernel == "matmul/naive");
    CHECK(list[0].kernels[1].verdict == Verdict::Wrong);
    PastRun half = sweep;
    half.results.pop_back();
    CHECK_THROWS_AS(history.add(half), ContractError);
}

TEST_CASE("the list has summaries, the newest first, as many as wanted") {
    History history = History::in_memory();
    const std::int64_t late = history.add(sample_run(9));
    const std::int64_t early = history.add(sample_run(1));
    const std::int64_t middle = history.add(sample_run(5));
    CHECK(ids(history) == std::vector{late, middle, early});
    const auto list = history.list(1);
    REQUIRE(list.size() == 1);
    CHECK(list[0].when == at_minute(9));
    CHECK(list[0].device == "Fast Device 9");
    CHECK(list[0].driver == "3.1+debian");
    CHECK(list[0].problem == "matmul");
    CHECK(to_string(list[0].sizes) == "M=512 N=256 K=1024");
    REQUIRE(list[0].kernels.size() == 2);
    CHECK(list[0].kernels[0].kernel == "matmul/tiled");
    CHECK(list[0].kernels[0].source_sha256 == sha256_hex("tiled source"));
    CHECK(list[0].kernels[0].as_expected);
    CHECK(list[0].kernels[0].median_ms == 1.25);
    CHECK(list[0].kernels[1].verdict == Verdict::Wrong);
    CHECK(!list[0].kernels[1].as_expected);
    CHECK(!list[0].kernels[1].median_ms);
}

TEST_CASE("filters choose by device, problem and text") {
    History history = History::in_memory();
    const std::int64_t usual = history.add(sample_run(1));
    PastRun run = sample_run(2);
    run.environment.device = "Other_100%";
    run.environment.driver = "550.1";
    run.problem = "transpose";
    run.sizes = {{"M", 64}};
    run.results = {sample_result("mine.cl", "other source")};
    run.sources.clear();
    const std::int64_t other = history.add(run);
    const auto found = [&](auto member, auto value) {
        HistoryFilter filter;
        filter.*member = value;
        return ids(history, filter);
    };
    using Ids = std::vector<std::int64_t>;
    CHECK(found(&HistoryFilter::device, "fast DEVICE") == Ids{usual});
    CHECK(found(&HistoryFilter::device, "_100%") == Ids{other});
    CHECK(found(&HistoryFilter::device, "%") == Ids{other});
    CHECK(found(&HistoryFilter::problem, "trans") == Ids{other});
    CHECK(found(&HistoryFilter::text, "mine") == Ids{other});
    CHECK(found(&HistoryFilter::text, "BLAS") == Ids{usual});
    CHECK(found(&HistoryFilter::text, "matmul") == Ids{usual});
    CHECK(found(&HistoryFilter::text, "e") == Ids{other, usual});
    CHECK(found(&HistoryFilter::text, "nowhere").empty());
    HistoryFilter both;
    both.device = "fast";
    both.problem = "transpose";
    CHECK(ids(history, both).empty());
}

TEST_CASE("a removed run is gone, and an id is never used again") {
    const TempFolder folder;
    History history = History::open(folder / "h");
    const std::int64_t id = history.add(sample_run());
    CHECK(history.remove(id));
    CHECK(!history.remove(id));
    CHECK(!history.load(id));
    CHECK(history.list(10).empty());
    History again = History::open(folder / "h");
    CHECK(again.add(sample_run()) > id);
    CHECK(history.list(10).size() == 1);
    CHECK(history.take_notices().empty());
    CHECK(again.take_notices().empty());
}

TEST_CASE("a history can be moved") {
    History history = History::in_memory();
    const std::int64_t id = history.add(sample_run());
    History other = std::move(history);
    CHECK(other.load(id));
}

TEST_CASE("several programs add to one folder at once and none of the runs is lost") {
    const TempFolder folder;
    const fs::path runs = folder / "history";
    constexpr int kPrograms = 4, kRuns = 10;
    std::vector<pid_t> programs;
    for (int program = 0; program < kPrograms; ++program) {
        const pid_t pid = ::fork();
        if (pid == 0) {
            // All processes also try to create the folder at the same time.
            History history = History::open(runs);
            for (int i = 0; i < kRuns; ++i) history.add(sample_run(i));
            ::_exit(history.is_kept() && history.take_notices().empty() ? 0 : 1);
        }
        programs.push_back(pid);
    }
    for (const pid_t pid : programs) {
        int status = -1;
        REQUIRE(::waitpid(pid, &status, 0) == pid);
        CHECK(status == 0);
    }
    History history = History::open(runs);
    CHECK(history.list(1000).size() == kPrograms * kRuns);
    CHECK(history.take_notices().empty());
}

TEST_CASE("a program that is killed amid its writing leaves a history of whole runs") {
    const TempFolder folder;
    const fs::path runs = folder / "history";
    for (int i = 0; i < 5; ++i) {
        Pipe pipe = make_pipe();
        const pid_t pid = ::fork();
        if (pid == 0) {
            History history = History::open(runs);
            for (;;) {
                history.add(sample_run());
                if (::write(pipe.write.get(), "x", 1) != 1) ::_exit(1);
            }
        }
        char byte = 0;
        for (int run = 0; run <= i; ++run) REQUIRE(::read(pipe.read.get(), &byte, 1) == 1);
        ::kill(pid, SIGKILL);
        ::waitpid(pid, nullptr, 0);
        History history = History::open(runs);
        const auto list = history.list(1000);
        CHECK(list.size() >= static_cast<std::size_t>(i + 1));
        for (const RunSummary& run : list) {
            REQUIRE(history.load(run.id));
            CHECK(same(*history.load(run.id), sample_run()));
        }
        CHECK(history.take_notices().empty());
    }
}
