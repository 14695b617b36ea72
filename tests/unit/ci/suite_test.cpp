// SPDX-License-Identifier: Apache-2.0
#include "ci/suite.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"
#include "support/temp_folder.hpp"

namespace kwb::test {
namespace {

/// Why a kwb.toml is refused, from the line on.
std::string fault_of(const std::string& text) {
    const TempFolder folder;
    const std::string file = folder.write("kwb.toml", text).string();
    try {
        read_suite(file);
    } catch (const BadInput& error) {
        return std::string(error.what()).substr(file.size());
    }
    return "";
}

std::vector<std::string> matched(const TempFolder& folder, const std::vector<std::string>& entries) {
    std::vector<std::string> names;
    for (const std::string& kernel :
         kernels_of({.name = "all", .kernels = entries}, {folder / "kwb.toml", {}}))
        names.push_back(std::filesystem::path(kernel).lexically_relative(folder.path()).string());
    return names;
}

}  // namespace

TEST_CASE("a suite is read with all its keys") {
    const TempFolder folder;
    const CiSuite suite = read_suite(folder.write("kwb.toml", R"(
[[case]]
name = "gemm"
kernels = ["src/*.cl", "matmul/tiled"]
problem = "matmul"
sizes = ["64", "100x30x7"]
time_at = "512"
params = {TILE = [8, 16], T = "float4"}
devices = ["cpu", "gpu"]
expect = "wrong"
timeout_s = 5
tags = ["quick"]
[[case]]
name = "all of them"
kernels = "*.cl"
params = "all"
)"));
    REQUIRE(suite.cases.size() == 2);
    const CiCase& gemm = suite.cases[0];
    CHECK(gemm.kernels == std::vector<std::string>{"src/*.cl", "matmul/tiled"});
    CHECK(gemm.sizes == std::vector<std::string>{"64", "100x30x7"});
    CHECK(gemm.time_at == "512");
    REQUIRE(gemm.params.size() == 2);
    CHECK(find_named(gemm.params, "TILE")->size() == 2);
    CHECK(find_named(gemm.params, "T")->front() == "float4");
    CHECK(gemm.devices.size() == 2);
    CHECK(gemm.expect == Verdict::Wrong);
    CHECK(gemm.timeout_ms == 5000);
    CHECK_FALSE(gemm.has_all_params);
    CHECK(suite.cases[1].has_all_params);
    CHECK(suite.folder() == folder.path());
}

TEST_CASE("a faulty suite is refused at its place, with the remedy") {
    CHECK(fault_of("") == ":1:1: the key case is missing");
    CHECK(fault_of("case = 3\n") == ":1:8: case must be a table: [[case]]");
    CHECK(fault_of("[[case]]\nname = \"a\"\n") == ":1:1: the key kernels is missing");
    CHECK(fault_of("[[case]]\nname = \" \"\nkernels = \"a.cl\"\n") == ":2:8: name must not be empty");
    CHECK(fault_of("[[case]]\nname = \"a\"\nkernels = []\n") == ":3:11: kernels must not be empty");
    CHECK(fault_of("[[case]]\nname = \"a\"\nkernels = \"a.cl\"\nparams = \"most\"\n") ==
          ":4:10: params must be \"all\", or a table: {TILE = [8, 16]}");
    CHECK(fault_of("[[case]]\nname = \"a\"\nkernels = \"a.cl\"\nparams = {TILE = []}\n") ==
          ":4:11: TILE has no value");
    CHECK(fault_of("[[case]]\nname = \"a\"\nkernels = \"a.cl\"\n[[case]]\nname = \"a\"\nkernels = \"b.cl\"\n")
              .starts_with(":4:1: there is another case \"a\""));
    CHECK(fault_of("[[case]]\nname = \"a\"\nkernels = \"a.cl\"\nexpect = \"bad\"\n").find("correct") !=
          std::string::npos);
    CHECK(
        fault_of("[[case]]\nname = \"a\"\nkernels = \"a.cl\"\nsize = \"64\"\n").find("Did you mean sizes?") !=
        std::string::npos);
}

TEST_CASE("wildcards match within a folder, ** in all, hidden files never") {
    const TempFolder folder;
    for (const char* file :
         {"src/b.cl", "src/a.cl", "src/deep/er/c.cl", "src/notes.txt", ".git/d.cl", "e.cl"})
        folder.write(file, "x");
    CHECK(matched(folder, {"src/*.cl"}) == std::vector<std::string>{"src/a.cl", "src/b.cl"});
    CHECK(matched(folder, {"src/**/*.cl"}) ==
          std::vector<std::string>{"src/a.cl", "src/b.cl", "src/deep/er/c.cl"});
    CHECK(matched(folder, {"**/*.cl"}).size() == 4);
    CHECK(matched(folder, {"e.cl", "?.cl"}) == std::vector<std::string>{"e.cl"});
    CHECK(kernels_of({.name = "all", .kernels = {"matmul/tiled"}}, {folder / "kwb.toml", {}}) ==
          std::vector<std::string>{"matmul/tiled"});
    CHECK_THROWS_WITH_AS(matched(folder, {"none/*.cl"}), doctest::Contains("matches no file"), BadInput);
}

TEST_CASE("the suite of a folder is found from below; what --init writes can be read") {
    const TempFolder folder;
    folder.write("kwb.toml", suite_text({{"a.cl", "matmul"}, {"b \"c\".cl", "matmul"}, {"d.cl", ""}}));
    folder.write("src/deep/a.cl", "x");
    CHECK(find_suite(folder / "src/deep") == folder / "kwb.toml");
    const CiSuite suite = read_suite(folder / "kwb.toml");
    REQUIRE(suite.cases.size() == 1);
    CHECK(suite.cases[0].kernels == std::vector<std::string>{"a.cl", "b \"c\".cl"});
    CHECK_THROWS_WITH_AS(find_suite("/"), doctest::Contains("kwb ci --init"), BadInput);
}

}  // namespace kwb::test
