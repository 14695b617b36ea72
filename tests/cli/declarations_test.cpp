// SPDX-License-Identifier: Apache-2.0
// Errors in a user's declarations: rejected before anything runs, or reported with the result.
#include <fmt/format.h>

#include <filesystem>

#include "base/npy.hpp"
#include "cli/kwb.hpp"

using namespace kwb::test;

namespace {

/// y = x · x for floats with this fill; the kernel is wrong unless the expected values are infinite.
std::string squared(TempFolder& folder, const std::string& fill) {
    folder.write("mine.cl",
                 fmt::format("/*+++\n[problem]\nsizes = {{N = 100}}\n"
                             "reference = {{launch = {{kernel = \"squared\", global = [\"N\"]}}}}\n"
                             "[problem.buffers]\nx = {{shape = [\"N\"], fill = {}}}\n"
                             "y = {{shape = [\"N\"], output = true, tolerance = {{relative = 1e-6}}}}\n"
                             "[launch]\nkernel = \"tripled\"\nglobal = [\"N\"]\n+++*/\n"
                             "__kernel void squared(__global const float* x, __global float* y) {{\n"
                             "    int i = get_global_id(0);\n    y[i] = x[i] * x[i];\n}}\n"
                             "__kernel void tripled(__global const float* x, __global float* y) {{\n"
                             "    int i = get_global_id(0);\n    y[i] = 3 * x[i] * x[i];\n}}\n",
                             fill));
    return (folder / "mine.cl").string();
}

}  // namespace

TEST_CASE("expected values that are not finite are reported with the verdict that depends on them") {
    TempFolder folder;
    std::string nans;
    for (int i = 0; i < 100; ++i) nans += std::string("\x00\x00\xC0\x7F", 4);
    folder.write("x.npy", kwb::make_npy({'f', 4}, {100}, nans));
    const auto json = kwb_json({"run", squared(folder, "\"x.npy\""), "--rounds", "1", "--json", "-"});
    CHECK(json["results"][0]["verdict"] == "correct");
    CHECK_SAYS(json["results"][0]["warnings"].dump(), "100 of 100 expected values of y are not finite");
    const auto checked = kwb_json({"check", squared(folder, "\"x.npy\""), "--size", "100", "--json", "-"});
    CHECK_SAYS(checked["results"][0]["warnings"].dump(), "100 of 100 expected values of y are not finite");
    CHECK_TELLS(run_kwb({"run", squared(folder, "2"), "--rounds", "1"}), 1, "wrong");
}

TEST_CASE("an unknown name is rejected by every verb before anything runs") {
    TempFolder folder;
    folder.write("copy.cl", "__kernel void f(__global const float* X, __global float* Y) {}\n");
    const std::string file = (folder / "copy.cl").string();
    const std::string head = "problem = \"copy\"\n[launch]\n";
    for (const char* verb : {"show", "run", "check"}) {
        folder.write("copy.cl.toml", head + "kernel = \"nope\"\nglobal = [\"N\"]\n");
        CHECK_REFUSED(run_kwb({verb, file}), 2, "copy.cl.toml:3:1: ", "no kernel function `nope`; it has f");
        folder.write("copy.cl.toml", head + "kernel = \"f\"\nglobal = [\"Q\"]\n");
        CHECK_REFUSED(run_kwb({verb, file}), 2, "copy.cl.toml:4:12: unknown name `Q`. Known");
        folder.write("copy.cl.toml", head + "kernel = \"f\"\nglobal = [\"N\"]\nargs = {Z = \"X\"}\n");
        CHECK_REFUSED(run_kwb({verb, file}), 2,
                      "copy.cl.toml:5:14: ", "not an argument of f; it has X and Y");
    }
}

TEST_CASE("'kwb new' says what to do instead, whatever was wrong") {
    TempFolder folder;
    const auto path = [&](const char* name) { return (folder / name).string(); };
    CHECK_REFUSED(run_kwb({"new", "reduce", path("r.cl")}), 2, "'reduce' is a folder of kernels",
                  "sum or max");
    CHECK_REFUSED(run_kwb({"new", "mine.toml", path("r.cl")}), 2, "a copy of its reference",
                  "problem = \"mine.toml\"");
    CHECK_REFUSED(run_kwb({"new", "copy", "."}), 2, "'.' cannot be the name", "my_kernel.cl");
    CHECK_REFUSED(run_kwb({"new", "copy", ""}), 2, "'' cannot be the name", "e.g. my_kernel.cl");
    CHECK_REFUSED(run_kwb({"new", "copy", path("nodir/x.cl")}), 2, "make it: mkdir -p ", "nodir");
}

TEST_CASE("'kwb adopt --force' leaves alone what a link points to") {
    TempFolder folder;
    folder.write("copy.cl", "__kernel void f(__global const float* X, __global float* Y) {}\n");
    folder.write("precious", "title = \"mine\"\n");
    std::filesystem::create_symlink(folder / "precious", folder / "copy.cl.toml");
    CHECK_REFUSED(run_kwb({"adopt", (folder / "copy.cl").string(), "--problem", "copy", "--force"}), 2,
                  "copy.cl.toml: is a link");
    CHECK(read_text(folder / "precious") == "title = \"mine\"\n");
}

TEST_CASE("a negative work-group size is reported as negative") {
    TempFolder folder;
    folder.write("copy.cl", "__kernel void f(__global const float* X, __global float* Y) {}\n");
    CHECK_REFUSED(run_kwb({"show", (folder / "copy.cl").string(), "--problem", "copy", "--global", "N,1",
                           "--local=-4"}),
                  2, "--local -4: give 1 to 3 sizes above 0");
}

TEST_CASE("text from an array file is escaped before it reaches the terminal") {
    TempFolder folder;
    const std::string mine = squared(folder, "\"x.npy\"");
    std::string header = "{'descr': '\x1b]0;owned\x07', 'fortran_order': False, 'shape': (100,), }";
    header.resize(117, ' ');
    header += '\n';
    folder.write("x.npy", std::string("\x93NUMPY\x01\x00\x76\x00", 10) + header + std::string(400, '\0'));
    const Finished done = run_kwb({"run", mine});
    CHECK_REFUSED(done, 2, "its numbers are of type '\\x1b]0;owned\\x07'");
    CHECK(done.err.find('\x1b') == std::string::npos);
}

TEST_CASE("a fill of zeros is shown as 0") {
    TempFolder folder;
    CHECK_TELLS(run_kwb({"show", squared(folder, "\"zeros\"")}), 0, "filled: 0\n");
    CHECK_TELLS(run_kwb({"show", squared(folder, "5")}), 0, "filled: 5\n");
    CHECK_TELLS(run_kwb({"show", squared(folder, "{uniform = [0, 3]}")}), 0, "filled: uniform 0, 3\n");
}
