// SPDX-License-Identifier: Apache-2.0
#include "store/keyed_file.hpp"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/bad_places.hpp"
#include "support/temp_folder.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

struct Mark {
    int points = 0;
    std::string remark;
    std::string ink = "blue";
};

void describe(auto& f, Mark& mark) {
    f("points", mark.points);
    f("remark", mark.remark);
    f.defaulted("ink", mark.ink);
}

using Marks = KeyedFile<Mark>;

Marks marks(const fs::path& file, const char* version = "1") {
    return {file, {"marks", version}};
}

}  // namespace

TEST_CASE("entries are read as they were put, and the last of a key counts") {
    const TempFolder folder;
    const fs::path file = folder / "new/marks.jsonl";
    CHECK(marks(file).read().empty());
    CHECK(!fs::exists(file));
    marks(file).put("ada", {3, "a\nb"});
    marks(file).put("bob", {4, ""});
    marks(file).change("ada", [](Mark& mark) { ++mark.points; });
    Marks read = marks(file);
    REQUIRE(read.read().size() == 2);
    CHECK(read.entries().at("ada").points == 4);
    CHECK(read.entries().at("ada").remark == "a\nb");
    CHECK(read.damage().empty());
    CHECK(read_text(file).starts_with("{\"kwb\":\"marks\",\"version\":\"1\"}\n{\"key\":\"ada\","));
}

TEST_CASE("a reader sees what others add, remove and replace") {
    const TempFolder folder;
    const fs::path file = folder / "marks";
    Marks mine = marks(file), other = marks(file);
    mine.put("a", {1, ""});
    CHECK(other.read().size() == 1);
    mine.put("b", {2, ""});
    CHECK(other.read().size() == 2);
    mine.keep_only(FolderLock(folder.path()), [](const std::string& key) { return key == "b"; });
    CHECK(other.read().size() == 1);
    mine.clear();
    CHECK(other.read().empty());
    other.put("c", {3, ""});
    fs::remove(file);
    CHECK(mine.read().empty());
}

TEST_CASE("a crash in the very first line costs nothing") {
    const TempFolder folder;
    const fs::path file = folder / "marks";
    marks(file).put("a", {1, ""});
    const std::string whole = read_text(file);
    for (std::size_t bytes = 0; bytes <= whole.find('\n'); ++bytes) {
        CAPTURE(bytes);
        folder.write("marks", whole.substr(0, bytes));
        Marks cut = marks(file);
        CHECK(cut.read().empty());
        cut.put("a", {1, ""});
        CHECK(read_text(file) == whole);
    }
}

TEST_CASE("a line that a crash cut off is dropped, and damage elsewhere costs only its line") {
    const TempFolder folder;
    const fs::path file = folder / "marks";
    for (const char* key : {"a", "b", "c"}) marks(file).put(key, {1, key});
    const std::string whole = read_text(file);
    folder.write("marks", whole.substr(0, whole.size() - 5));
    Marks read = marks(file);
    CHECK(read.read().size() == 2);
    CHECK(read.damage().empty());
    read.put("d", {4, ""});
    CHECK(marks(file).read().size() == 3);

    std::string text = read_text(file);
    text[text.find("points", text.find("\"b\""))] = 'j';
    folder.write("marks", text);
    Marks damaged = marks(file);
    CHECK(damaged.read().size() == 2);
    REQUIRE(damaged.damage().size() == 1);
    CHECK(damaged.damage()[0] == file.string() + ":3: entry.record.points is missing");
}

TEST_CASE("a line that was written before a field existed has the field's default") {
    const TempFolder folder;
    Marks read = marks(folder.write("marks", R"({"kwb":"marks","version":"1"})"
                                             "\n"
                                             R"({"key":"a","record":{"points":3,"remark":"r"}})"
                                             "\n"));
    REQUIRE(read.read().size() == 1);
    CHECK(read.entries().at("a").points == 3);
    CHECK(read.entries().at("a").ink == "blue");
    CHECK(read.damage().empty());
    read.change("a", [](Mark& mark) { mark.ink = "red"; });
    CHECK(marks(folder / "marks").read().at("a").ink == "red");
}

TEST_CASE("a file of another content or version is refused and stays as it is, until it is cleared") {
    const TempFolder folder;
    for (const char* text : {"a letter", "{\"kwb\":\"marks\",\"version\":\"2\"}\n", "\n\n\n"}) {
        const fs::path file = folder.write("marks", text);
        Marks read = marks(file);
        CHECK_THROWS_WITH_AS(read.read(), (file.string() + ": not a file of marks of version 1").c_str(),
                             BadInput);
        CHECK_THROWS_AS(read.put("a", {}), BadInput);
        CHECK(read_text(file) == text);
        read.clear();
        read.put("a", {});
        CHECK(marks(file).read().size() == 1);
    }
    CHECK(marks(folder.write("marks", "")).read().empty());
    CHECK_THROWS_AS(marks(folder.path()).read(), BadInput);
}

TEST_CASE("a file whose lines are mostly outdated is written anew") {
    const TempFolder folder;
    Marks written = marks(folder / "marks");
    for (int i = 0; i < 1000; ++i) written.put("a", {i, ""});
    CHECK(fs::file_size(folder / "marks") < 150 * 50);
    CHECK(marks(folder / "marks").read().at("a").points == 999);
}

TEST_CASE("several programs change one entry and none of the changes is lost") {
    const TempFolder folder;
    constexpr int kPrograms = 4, kChanges = 60;
    std::vector<pid_t> programs;
    for (int program = 0; program < kPrograms; ++program) {
        const pid_t pid = ::fork();
        if (pid == 0) {
            Marks mine = marks(folder / "marks");
            for (int i = 0; i < kChanges; ++i) mine.change("a", [](Mark& mark) { ++mark.points; });
            ::_exit(0);
        }
        programs.push_back(pid);
    }
    for (const pid_t pid : programs) {
        int status = -1;
        REQUIRE(::waitpid(pid, &status, 0) == pid);
        CHECK(status == 0);
    }
    CHECK(marks(folder / "marks").read().at("a").points == kPrograms * kChanges);
}

TEST_CASE("where an entry cannot be written the others stay, and the message names the file and the cause") {
    const TempFolder folder;
    const fs::path file = folder / "marks";
    Marks written = marks(file);
    written.put("a", {1, ""});
    const std::string before = read_text(file);
    {
        const FileSizeLimit limit(before.size() + 5);
        CHECK_THROWS_WITH_AS(written.put("b", {}), (file.string() + ": cannot write: File too large").c_str(),
                             BadInput);
    }
    CHECK(read_text(file) == before);
    fs::permissions(file, fs::perms(0444));
    {
        const WithoutPrivileges me;
        CHECK_THROWS_AS(marks(file).put("b", {}), BadInput);
    }
    fs::permissions(file, fs::perms(0644));
    written.put("b", {2, ""});
    CHECK(marks(file).read().size() == 2);
}
