// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "store/history.hpp"
#include "support/temp_folder.hpp"
#include "unit/store/sample.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

std::string random_text(std::size_t bytes, int seed) {
    std::string text;
    for (std::uint32_t x = static_cast<std::uint32_t>(seed) * 2654435761u + 1; text.size() < bytes;
         x = x * 1664525u + 1013904223u)
        text += static_cast<char>('a' + (x >> 24) % 26);
    return text;
}

}  // namespace

TEST_CASE("beyond the number of runs the oldest go") {
    History history = History::in_memory({.runs = 3});
    for (const int minute : {5, 1, 2, 3, 4}) history.add(sample_run(minute));
    const auto list = history.list(100);
    REQUIRE(list.size() == 3);
    CHECK(list[0].when == at_minute(5));
    CHECK(list[1].when == at_minute(4));
    CHECK(list[2].when == at_minute(3));
}

TEST_CASE(
    "the newest addition stays, also where a clock that was wrong makes it the oldest or it is too large") {
    History history = History::in_memory({.runs = 2, .bytes = 200'000});
    history.add(sample_run(100));
    history.add(sample_run(101));
    const std::int64_t id = history.add(sample_run(-1000));
    CHECK(history.load(id));
    PastRun large = sample_run(102);
    large.results[0].log = random_text(1'000'000, 1);
    const std::int64_t large_id = history.add(large);
    CHECK(history.load(large_id));
    CHECK(history.list(10).size() == 1);
}

TEST_CASE("beyond the number of bytes the oldest go, and the folder does not grow on") {
    const TempFolder folder;
    constexpr std::uint64_t kLimit = 1 << 20;
    History history = History::open(folder.path(), {.runs = 5000, .bytes = kLimit});
    for (int i = 0; i < 60; ++i) {
        PastRun run = sample_run(i);
        run.results[0].log = random_text(100'000, i);
        history.add(run);
    }
    const auto list = history.list(100);
    CHECK(list.size() >= 7);
    CHECK(list.size() <= 10);
    CHECK(list[0].when == at_minute(59));
    CHECK(folder.count_files() == list.size() + 1);
    CHECK(history.take_notices().empty());
}

TEST_CASE("the index does not grow on with the runs that have gone") {
    const TempFolder folder;
    const auto index_bytes = [&] { return fs::file_size(folder / "index.jsonl"); };
    History history = History::open(folder.path(), {.runs = 2});
    history.add(sample_run());
    const std::uintmax_t before = index_bytes();
    for (int i = 0; i < 250; ++i) history.add(sample_run(i));
    CHECK(index_bytes() < 110 * before);
    CHECK(history.list(10).size() == 2);
}

TEST_CASE("the largest error map is kept at half its resolution, and still tells its worst elements") {
    const TempFolder folder;
    History history = History::open(folder.path());
    PastRun run = sample_run(1);
    ErrorMap& map = run.results[1].error_map.emplace(ErrorMap{"C", 256, 256, {}, MapExtents{256, 256}});
    for (std::uint64_t i = 0; i < 65536; ++i) {
        map.worst_share.push_back(i == 777 ? 9.0f : 2.0f);
        map.worst_elements.push_back({i, 1, static_cast<double>(i)});
    }
    const auto past = history.load(history.add(run));
    REQUIRE(past);
    const ErrorMap& kept = *past->results[1].error_map;
    CHECK(kept.rows == 128);
    CHECK(kept.columns == 128);
    CHECK(kept.extents->rows == 256);
    CHECK(kept.worst_elements.at(cell_of(kept, 777)).element == 777);
    CHECK(fs::file_size(folder / "1.json") < 530 * 1024);
}

TEST_CASE("a source text is kept once for all results of a sweep") {
    const TempFolder folder;
    History history = History::open(folder.path());
    PastRun sweep = sample_sweep();
    const SourceTexts text = {{"/k/tiled.cl", random_text(50'000, 1)}};
    sweep.sources.assign(sweep.results.size(), text);
    sweep.sources[3] = {{"/k/naive.cl", "another"}};
    const std::int64_t id = history.add(sweep);
    CHECK(same(*history.load(id), sweep));
    CHECK(fs::file_size(folder / "1.json") < 90'000);
}
