// SPDX-License-Identifier: Apache-2.0
#include "desk/folder_listing.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstdlib>

#include "support/temp_folder.hpp"

using namespace kwb;
using test::TempFolder;
namespace fs = std::filesystem;
using Purpose = FolderListing::Purpose;

namespace {

std::vector<std::string> names_in(const FolderListing& listing) {
    std::vector<std::string> names;
    for (const FolderEntry& entry : listing.entries)
        names.push_back(entry.name + (entry.is_folder ? "/" : ""));
    return names;
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("folders come first, and numbers are sorted as numbers") {
    const TempFolder folder;
    for (const char* name :
         {"10_b.cl", "2_a.cl", "B.cl", "a.CL", "sub10/x", "sub9/x", "note.txt", ".hidden.cl"})
        folder.write(name, "12345");
    const FolderListing listing = list_folder(folder.path(), Purpose::OpenKernels, false, {".cl"});
    CHECK(listing.error == "");
    CHECK(names_in(listing) == Names{"sub9/", "sub10/", "2_a.cl", "10_b.cl", "a.CL", "B.cl"});
    CHECK(listing.entries[2].path == folder / "2_a.cl");
    CHECK(names_in(list_folder(folder.path(), Purpose::OpenKernels, true)).size() == 8);
}

TEST_CASE("the order is one: nothing is before itself, and never both before each other") {
    const Names names = {"", "a", "A", "a1", "a01", "a2", "a10", "a10b", "a٣", "9", "10", "09", "-1", "z"};
    for (const auto& a : names)
        for (const auto& b : names) {
            CAPTURE(a);
            CAPTURE(b);
            CHECK(sorts_before(a, b) + sorts_before(b, a) == (a != b));
            for (const auto& c : names)
                if (sorts_before(a, b) && sorts_before(b, c)) CHECK(sorts_before(a, c));
        }
    CHECK(sorts_before("a2", "a10"));
    CHECK(sorts_before("99999999999999999999999", "100000000000000000000000"));
}

TEST_CASE("a folder that cannot be listed is told in a sentence") {
    const TempFolder folder;
    const fs::path file = folder.write("a.cl", "x");
    const FolderListing missing = list_folder(folder / "none", Purpose::ExportFile);
    CHECK(missing.error ==
          (folder / "none").string() + " does not exist; go to a folder above it or to another place.");
    CHECK(missing.entries.empty());
    CHECK(list_folder(file, Purpose::ExportFile).error.find("is a file") != std::string::npos);
    CHECK(list_folder(std::string(5000, 'x'), Purpose::ExportFile).error.find("cannot be listed") !=
          std::string::npos);
}

TEST_CASE("folders are named in full, from the home and the present folder") {
    const TempFolder folder;
    folder.write("sub/a.cl", "x");
    CHECK(list_folder(folder / "sub/../sub/./", Purpose::OpenKernels).folder == folder / "sub");
    CHECK(list_folder("", Purpose::OpenKernels).folder == fs::current_path());
    CHECK(list_folder("/", Purpose::OpenKernels).folder == "/");
    CHECK(list_folder("/..", Purpose::OpenKernels).folder == "/");
    const char* home = std::getenv("HOME");
    const std::string former = home != nullptr ? home : "";
    ::setenv("HOME", folder.path().c_str(), 1);
    const FolderListing listing = list_folder("~/sub", Purpose::OpenKernels);
    CHECK(listing.folder == folder / "sub");
    CHECK(names_in(listing) == Names{"a.cl"});
    CHECK(list_folder("~", Purpose::OpenKernels).folder == folder.path());
    CHECK(list_folder("/usr/lib/~/sub", Purpose::OpenKernels).folder == folder / "sub");
    CHECK(list_folder("/usr/lib/~", Purpose::OpenKernels).folder == folder.path());
    CHECK(list_folder("/usr/lib/" + (folder / "sub").string(), Purpose::OpenKernels).folder ==
          folder / "sub");
    CHECK(list_folder("//", Purpose::OpenKernels).folder == "/");
    CHECK(listing.places == std::vector<fs::path>{folder.path(), fs::current_path()});
    home != nullptr ? ::setenv("HOME", former.c_str(), 1) : ::unsetenv("HOME");
}

TEST_CASE("odd entries are shown as what they are, or not at all") {
    const TempFolder folder;
    folder.write("real/a.cl", "x");
    fs::create_directory_symlink("real", folder / "link");
    fs::create_symlink("nowhere", folder / "broken.cl");
    REQUIRE(::mkfifo((folder / "pipe.cl").c_str(), 0600) == 0);
    folder.write("two\nlines.cl", "x");
    folder.write("latin\xE9.cl", "x");
    const FolderListing listing = list_folder(folder.path(), Purpose::OpenKernels, false, {".cl"});
    CHECK(names_in(listing) == Names{"link/", "real/", "broken.cl", "latin\xEF\xBF\xBD.cl", "two?lines.cl"});
    CHECK(listing.entries[3].path == folder / "latin\xE9.cl");
}

TEST_CASE("of a huge folder the rest is counted") {
    const TempFolder folder;
    for (std::size_t i = 0; i < FolderListing::kMostEntries + 3; ++i) folder.write(std::to_string(i), "");
    const FolderListing listing = list_folder(folder.path(), Purpose::OpenKernels);
    CHECK(listing.entries.size() == FolderListing::kMostEntries);
    CHECK(listing.left_out == 3);
}
