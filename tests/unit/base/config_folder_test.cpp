#include "base/user_folders.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "support/bad_places.hpp"
#include "support/temp_folder.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

/// A variable of the environment, set or (nullptr) removed as long as this lives.
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
    CHECK_THROWS_WITH_AS(make_private_folders(folder / "a/b"),
                         ((folder / "a").string() + ": the folder cannot be made: Permission denied").c_str(),
                         BadInput);
}
