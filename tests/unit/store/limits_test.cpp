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

TEST_CASE("beyond the number of bytes the oldest go, and the file does not grow on") {
    const TempFolder folder;
    const fs::path file = folder / "history.sqlite";
    constexpr std::uint64_t kLimit = 1 << 20;
    History history = History::open(file, {.runs = 5000, .bytes = kLimit});
    for (int i = 0; i < 60; ++i) {
        PastRun run = sample_run(i);
        run.results[0].log = random_text(100'000, i);
        history.add(run);
    }
    const auto list = history.list(100);
    CHECK(list.size() >= 7);
    CHECK(list.size() <= 10);
    CHECK(list[0].when == at_minute(59));
    CHECK(fs::file_size(file) <= kLimit + 200'000);
    CHECK(history.take_notices().empty());
}

TEST_CASE(
    "the largest error map costs the history a quarter of a megabyte, and still tells its worst elements") {
    const TempFolder folder;
    const fs::path file = folder / "history.sqlite";
    History history = History::open(file);
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
    CHECK(number_in(file, "SELECT max(length(error_map)) FROM record") == 256 * 1024);
}

TEST_CASE("a source text is kept once, and goes with the last run that shows it") {
    const TempFolder folder;
    const fs::path file = folder / "history.sqlite";
    History history = History::open(file);
    const auto texts = [&] { return number_in(file, "SELECT count(*) FROM source_text"); };
    const std::int64_t first = history.add(sample_run(1));
    const std::int64_t second = history.add(sample_run(2));
    CHECK(texts() == 2);
    PastRun changed = sample_run(3);
    changed.sources[0][1].value = "an edited neighbour";
    const std::int64_t third = history.add(changed);
    CHECK(texts() == 3);
    history.remove(first);
    CHECK(texts() == 3);
    history.remove(second);
    CHECK(texts() == 2);
    CHECK(same(*history.load(third), changed));
    history.remove(third);
    CHECK(texts() == 0);
    for (const char* table : {"run", "result", "record", "source"})
        CHECK(number_in(file, "SELECT count(*) FROM " + std::string(table)) == 0);
}
