#include <doctest/doctest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

#include "judge/processes/device_pool.hpp"

using namespace kwb;
namespace fs = std::filesystem;

namespace {

/// A folder with driver files and other things.
struct IcdFolder {
    IcdFolder() {
        std::string pattern = (fs::temp_directory_path() / "kwb-icd-XXXXXX").string();
        REQUIRE(::mkdtemp(pattern.data()) != nullptr);
        path = pattern;
    }
    ~IcdFolder() { fs::remove_all(path); }
    fs::path touch(const std::string& name) const {
        std::ofstream(path / name) << "libx.so\n";
        return path / name;
    }
    fs::path path;
};

}  // namespace

TEST_CASE("driver files are the .icd files of the folder, sorted") {
    const IcdFolder folder;
    const fs::path second = folder.touch("nvidia.icd");
    const fs::path first = folder.touch("amd.icd");
    folder.touch("readme.txt");
    folder.touch("old.icd.bak");
    CHECK(find_driver_files(folder.path.c_str()) == std::vector<fs::path>{first, second});
}

TEST_CASE("a setting may be one file, whatever its name") {
    const IcdFolder folder;
    const fs::path file = folder.touch("pocl.icd");
    const fs::path odd = folder.touch("odd.txt");
    CHECK(find_driver_files(file.c_str()) == std::vector<fs::path>{file});
    CHECK(find_driver_files(odd.c_str()) == std::vector<fs::path>{odd});
}

TEST_CASE("an empty or missing folder has no driver files, and no setting means the system's") {
    const IcdFolder folder;
    CHECK(find_driver_files(folder.path.c_str()).empty());
    CHECK(find_driver_files((folder.path / "missing").c_str()).empty());
    CHECK(find_driver_files(nullptr) == find_driver_files(""));
    CHECK(find_driver_files(nullptr) == find_driver_files("/etc/OpenCL/vendors"));
}
