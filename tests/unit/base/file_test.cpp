// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/user_folders.hpp"
#include "support/bad_places.hpp"
#include "support/temp_folder.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

// --- base/file.hpp ---

namespace {

/// A temporary folder for each test, removed at its end.
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

TEST_CASE("an unwritable path is reported before anything is written, with the same message") {
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

TEST_CASE("a file written with fsync has the same content") {
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

// --- base/user_folders.hpp ---

namespace {

/// Sets or (nullptr) removes an environment variable while it exists.
class Variable {
public:
    Variable(const char* name, const char* value) : name_(name) {
        if (const char* old = std::getenv(name)) old_ = old;
        set(value);
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;
    ~Variable() { set(old_ ? old_->c_str() : nullptr); }

private:
    void set(const char* value) {
        if (value != nullptr)
            ::setenv(name_, value, 1);
        else
            ::unsetenv(name_);
    }
    const char* name_;
    std::optional<std::string> old_;
};

}  // namespace

TEST_CASE("the XDG variables say where settings and data are kept") {
    const Variable config("XDG_CONFIG_HOME", "/a/config");
    const Variable data("XDG_DATA_HOME", "/a/data");
    CHECK(config_folder() == fs::path("/a/config/kwb"));
    CHECK(data_folder() == fs::path("/a/data/kwb"));
}

TEST_CASE(
    "without XDG variables, or with relative ones, it is the folder below home that the standard names") {
    const Variable home("HOME", "/home/she");
    for (const char* value : {static_cast<const char*>(nullptr), "", "relative/path"}) {
        const Variable config("XDG_CONFIG_HOME", value);
        const Variable data("XDG_DATA_HOME", value);
        CHECK(config_folder() == fs::path("/home/she/.config/kwb"));
        CHECK(data_folder() == fs::path("/home/she/.local/share/kwb"));
    }
}

TEST_CASE("without HOME the password database knows the home") {
    const Variable config("XDG_CONFIG_HOME", nullptr);
    const Variable home("HOME", nullptr);
    CHECK(config_folder().is_absolute());
    CHECK(config_folder().string().ends_with("/.config/kwb"));
}

TEST_CASE("the cache, too, is below the home that the password database knows") {
    const Variable chosen("KWB_CACHE_DIR", nullptr);
    const Variable xdg("XDG_CACHE_HOME", nullptr);
    const Variable config("XDG_CONFIG_HOME", nullptr);
    const Variable home("HOME", nullptr);
    const fs::path known = config_folder().parent_path().parent_path();
    if (!fs::is_directory(known) || ::access(known.c_str(), W_OK) != 0) return;  // a user without a real home
    CHECK(cache_folder() == known / ".cache/kwb");
}

TEST_CASE("missing folders are made for this user alone, and those that are there are left alone") {
    const TempFolder folder;
    fs::permissions(folder.path(), fs::perms(0755));
    make_private_folders(folder / "a/b/c/");
    make_private_folders(folder / "a/b/c");
    CHECK(fs::status(folder / "a").permissions() == fs::perms(0700));
    CHECK(fs::status(folder / "a/b/c").permissions() == fs::perms(0700));
    CHECK(fs::status(folder.path()).permissions() == fs::perms(0755));
}

TEST_CASE("a folder that cannot be made is told with the cause") {
    const TempFolder folder;
    folder.write("file", "");
    CHECK_THROWS_AS(make_private_folders(folder / "file"), BadInput);
    CHECK_THROWS_AS(make_private_folders(folder / "file/a"), BadInput);
    const ReadOnlyFolder read_only(folder.path());
    const WithoutPrivileges me;
    CHECK_THROWS_WITH_AS(
        make_private_folders(folder / "a/b"),
        ((folder / "a").string() + ": the folder cannot be created: Permission denied").c_str(), BadInput);
}

// --- base/file.hpp ---

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
        CHECK_THROWS_WITH_AS(copy_damaged_aside(file),
                             (file.string() + ": cannot be set aside: Permission denied").c_str(), BadInput);
    }
    {
        const FileSizeLimit limit(3);
        CHECK_THROWS_AS(copy_damaged_aside(file), BadInput);
    }
    CHECK_THROWS_AS(copy_damaged_aside(folder / "none"), BadInput);
    CHECK(folder.count_files() == 1);
}
