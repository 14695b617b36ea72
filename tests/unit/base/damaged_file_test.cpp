#include "base/file.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"
#include "support/bad_places.hpp"
#include "support/temp_folder.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

TEST_CASE("a copy put aside leaves the file, and takes the first free number") {
    const TempFolder folder;
    const fs::path file = folder.write("x.toml", "broken");
    folder.write("x.toml.damaged-1", "an earlier one");
    const fs::path copy = copy_damaged_aside(file);
    CHECK(copy == folder / "x.toml.damaged-2");
    CHECK(read_text(copy) == "broken");
    CHECK(read_text(file) == "broken");
    CHECK(read_text(folder / "x.toml.damaged-1") == "an earlier one");
}

TEST_CASE("a file moved aside is gone from its place") {
    const TempFolder folder;
    const fs::path file = folder.write("x.sqlite", "broken");
    CHECK(read_text(move_damaged_aside(file)) == "broken");
    CHECK(!fs::exists(file));
}

TEST_CASE("after 99 files aside the last one is replaced, so that they do not grow without bound") {
    const TempFolder folder;
    const fs::path file = folder.write("x", "the hundredth");
    for (int i = 1; i <= 99; ++i) folder.write("x.damaged-" + std::to_string(i), "earlier");
    CHECK(copy_damaged_aside(file) == folder / "x.damaged-99");
    CHECK(read_text(folder / "x.damaged-99") == "the hundredth");
    CHECK(folder.count_files() == 100);
}

TEST_CASE("where nothing can be put aside the cause is told, and nothing is left") {
    const TempFolder folder;
    const fs::path file = folder.write("x", "broken");
    {
        const ReadOnlyFolder read_only(folder.path());
        const WithoutPrivileges me;
        CHECK_THROWS_WITH_AS(move_damaged_aside(file),
                             (file.string() + ": cannot be put aside: Permission denied").c_str(), BadInput);
        CHECK_THROWS_AS(copy_damaged_aside(file), BadInput);
    }
    {
        const FileSizeLimit limit(3);
        CHECK_THROWS_AS(copy_damaged_aside(file), BadInput);
    }
    CHECK_THROWS_AS(move_damaged_aside(folder / "none"), BadInput);
    CHECK(folder.count_files() == 1);
}
