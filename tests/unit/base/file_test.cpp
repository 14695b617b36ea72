#include "base/file.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>

#include "base/error.hpp"

using namespace kwb;
namespace fs = std::filesystem;

namespace {

/// A folder of its own for each test, gone at its end.
struct OwnFolder {
    fs::path path;

    OwnFolder() {
        std::string name = (fs::temp_directory_path() / "kwb-file-test-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        path = name;
    }
    ~OwnFolder() { fs::remove_all(path); }
};

template <class Action>
std::string complaint_of(Action&& action) {
    try {
        action();
        return "";
    } catch (const BadInput& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("what was written is read, any byte, and then replaced") {
    const OwnFolder folder;
    const fs::path file = folder.path / "x.bin";
    const std::string bytes("a\0b\xFF\r\n", 6);
    write_file(file, bytes);
    CHECK(read_file(file) == bytes);
    write_file(file, "");
    CHECK(read_file(file) == "");
    CHECK(std::distance(fs::directory_iterator(folder.path), fs::directory_iterator()) == 1);
}

TEST_CASE("a file that cannot be read is told with its path and the cause") {
    const OwnFolder folder;
    CHECK(complaint_of([&] { read_file(folder.path / "none"); }) ==
          (folder.path / "none").string() + ": cannot read: No such file or directory");
    CHECK(complaint_of([&] { read_file(folder.path); }).find("Is a directory") != std::string::npos);
    write_file(folder.path / "large", std::string(1001, 'x'));
    CHECK(read_file(folder.path / "large", 1001).size() == 1001);
    CHECK(complaint_of([&] { read_file(folder.path / "large", 1000); }).find("larger than 1000 bytes") !=
          std::string::npos);
}

TEST_CASE("what cannot be written is told before anything is written, in the same words") {
    const OwnFolder folder;
    write_file(folder.path / "file", "kept");
    for (const fs::path& path :
         {folder.path, folder.path / "none" / "x", folder.path / "file" / "x", fs::path(""),
          folder.path / std::string(300, 'n'), folder.path / std::string(5000, 'n')}) {
        CAPTURE(path.string());
        const std::string first = complaint_of([&] { require_writable(path); });
        CHECK(first != "");
        CHECK(complaint_of([&] { write_file(path, "lost"); }) == first);
    }
    CHECK(read_file(folder.path / "file") == "kept");
    CHECK(complaint_of([&] { require_writable(folder.path / "new"); }) == "");
    CHECK(!fs::exists(folder.path / "new"));
}

TEST_CASE("a folder without permission is refused" * doctest::skip(::geteuid() == 0)) {
    const OwnFolder folder;
    fs::permissions(folder.path, fs::perms::owner_read | fs::perms::owner_exec);
    CHECK(complaint_of([&] { require_writable(folder.path / "x"); }).find("Permission denied") !=
          std::string::npos);
    fs::permissions(folder.path, fs::perms::owner_all);
}

TEST_CASE("a full device is told") {
    CHECK(complaint_of([] { write_file("/dev/full", "x"); }).find("No space left on device") !=
          std::string::npos);
    CHECK(complaint_of([] { write_file("/dev/null", "x"); }) == "");
    CHECK(fs::is_character_file("/dev/null"));
}

TEST_CASE("a file written with the disk waited for is the same file") {
    const OwnFolder folder;
    write_file(folder.path / "x", "old");
    write_file(folder.path / "x", "new", {.sync = true});
    CHECK(read_file(folder.path / "x") == "new");
}

TEST_CASE("a link stays a link, and what it points to is replaced") {
    const OwnFolder folder;
    write_file(folder.path / "target", "old");
    fs::create_symlink("target", folder.path / "link");
    write_file(folder.path / "link", "new");
    CHECK(fs::is_symlink(folder.path / "link"));
    CHECK(read_file(folder.path / "target") == "new");
}

TEST_CASE("a replaced file keeps its permissions") {
    const OwnFolder folder;
    const fs::path file = folder.path / "private";
    write_file(file, "old");
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write);
    write_file(file, "new");
    CHECK(fs::status(file).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
}
