// SPDX-License-Identifier: Apache-2.0
// Output of kwb never destroys a user's file, and failing to write it never loses measurements.
#include <sys/stat.h>

#include <cstring>
#include <filesystem>

#include "base/file.hpp"
#include "base/npy.hpp"
#include "cli/kwb.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

constexpr const char* kProblem =
    "[problem]\nname = \"sq\"\nsizes = {N = 16}\n[problem.buffers]\n"
    "x = {type = \"float\", shape = [\"N\"], fill = \"x.npy\"}\n"
    "y = {type = \"float\", shape = [\"N\"], output = true, tolerance = {absolute = 0.5}, expected = "
    "\"sq.y.npy\"}\n";
constexpr const char* kLaunch = "[launch]\nkernel = \"sq\"\nglobal = [\"N\"]\n";
constexpr const char* kBody =
    "__kernel void sq(__global const float* x, __global float* y) { int i = get_global_id(0); y[i] = x[i] * "
    "x[i]; }\n";
constexpr const char* kWrongBody =
    "__kernel void sq(__global const float* x, __global float* y) { int i = get_global_id(0); y[i] = x[i] + "
    "1; }\n";

std::string array_of(bool squares) {
    std::string data;
    for (int i = 0; i < 16; ++i) {
        const float value = static_cast<float>(squares ? i * i : i);
        char bytes[sizeof value];
        std::memcpy(bytes, &value, sizeof value);
        data.append(bytes, sizeof value);
    }
    return make_npy({'f', 4}, {16}, data);
}

std::string declared(const std::string& declarations, const std::string& body) {
    return "/*+++\n" + declarations + "+++*/\n" + body;
}

/// y = x * x, with both arrays in files; sq.cl is wrong, right.cl is correct.
struct Squares {
    TempFolder folder;
    std::string wrong = folder.write("sq.cl", declared(std::string(kProblem) + kLaunch, kWrongBody)).string();
    std::string right =
        folder.write("right.cl", declared(std::string("problem = \"sq.cl\"\n") + kLaunch, kBody)).string();
    fs::path x = folder.write("x.npy", array_of(false));
    fs::path truth = folder.write("sq.y.npy", array_of(true));

    std::string operator/(const char* name) const { return (folder / name).string(); }
};

/// A judge that runs this shell command first.
NamedList<std::string> judge_after(const TempFolder& folder, const std::string& command) {
    const fs::path script = folder.write(
        "judge.sh", "#!/bin/sh\n" + command + "\nexec '" + std::string(KWB_JUDGE_PROGRAM) + "' \"$@\"\n");
    fs::permissions(script, fs::perms::owner_all);
    return {{"KWB_JUDGE", "\"" + script.string() + "\""}};
}

const NamedList<std::string> kNoJudge = {{"KWB_JUDGE", "/nowhere/kwb-judge"}};

}  // namespace

TEST_CASE("saved outputs never replace an array that the result is compared with, so wrong stays wrong") {
    const Squares squares;
    const std::string folder = squares.folder.path().string();
    CHECK_REFUSED(run_kwb({"run", squares.wrong, "--save-outputs", folder}, kNoJudge), 2, "--save-outputs",
                  "would replace " + squares.truth.string(), "belongs to the kernel", "another");
    CHECK(read_file(squares.truth) == array_of(true));
    CHECK_TELLS(run_kwb({"run", squares.wrong, "--rounds", "1"}), 1, "wrong");
    // Whichever contestant the array belongs to, and whatever its name is.
    fs::create_directory(squares.folder / "links");
    fs::create_hard_link(squares.truth, squares.folder / "links/right.y.npy");
    CHECK_REFUSED(
        run_kwb({"run", squares.wrong, squares.right, "--save-outputs", squares / "links"}, kNoJudge), 2,
        "would replace " + squares.truth.string());
    fs::rename(squares.x, squares.folder / "right.y.npy");
    squares.folder.write(
        "sq.cl", replaced(declared(std::string(kProblem) + kLaunch, kWrongBody), "x.npy", "right.y.npy"));
    CHECK_REFUSED(run_kwb({"run", squares.right, "--save-outputs", folder}, kNoJudge), 2,
                  "right.y.npy would replace ");
    CHECK(read_file(squares.folder / "right.y.npy") == array_of(false));
}

TEST_CASE("what was saved before is replaced, beside the arrays that the problem has") {
    const Squares squares;
    for (int i = 0; i < 2; ++i)
        CHECK_TELLS(run_kwb({"run", squares.right, "--rounds", "1", "--save-outputs",
                             squares.folder.path().string()}),
                    0, "correct", "Outputs written: ", "right.y.npy");
    CHECK(read_file(squares.folder / "right.y.npy").size() == array_of(true).size());
}

TEST_CASE("whatever else has the name of a saved output is refused before a judge is started") {
    const Squares squares;
    const fs::path outside = squares.folder.write("outside", "kept");
    const fs::path out = squares.folder / "out";
    const fs::path taken = out / "sq.y.npy";
    const auto refused = [&](const std::string& what) {
        CHECK_REFUSED(run_kwb({"run", squares.wrong, "--save-outputs", out.string()}, kNoJudge), 2,
                      "--save-outputs: " + taken.string(), what, "remove it");
        fs::remove(taken);
    };
    fs::create_directory(out);
    fs::create_symlink(outside, taken);
    refused("is a link");
    fs::create_symlink(squares.folder / "not yet", taken);
    refused("is a link");
    fs::create_directory(taken);
    refused("is a folder");
    REQUIRE(::mkfifo(taken.c_str(), 0600) == 0);
    refused("is not a regular file");
    CHECK(read_file(outside) == "kept");
    CHECK(!fs::exists(squares.folder / "not yet"));
}

TEST_CASE("a saved output and another output have names of their own") {
    const Squares squares;
    for (const char* option : {"--json", "--csv", "--report"})
        CHECK_REFUSED(run_kwb({"run", squares.right, option, squares / "right.y.npy", "--save-outputs",
                               squares.folder.path().string()},
                              kNoJudge),
                      2, option, "--save-outputs", "are the same file");
    CHECK(!fs::exists(squares.folder / "right.y.npy"));
}

TEST_CASE("outputs that cannot be saved after all cost no measurement") {
    const Squares squares;
    const fs::path taken = squares.folder / "out/right.y.npy";
    const Args args = {"run", squares.right, "--rounds", "1", "--save-outputs", squares / "out"};
    // Writing may fail only after the kernels have run: the disk is full, or, as here, the path is taken
    // meanwhile.
    const Finished folder = run_kwb(args, judge_after(squares.folder, "mkdir -p '" + taken.string() + "'"));
    CHECK(folder.exit_code == 2);
    CHECK_SAYS(folder.out, "right.cl", "correct");
    CHECK_SAYS(folder.err, "kwb: --save-outputs: " + taken.string(), "is a folder");
    fs::remove(taken);

    const fs::path outside = squares.folder.write("outside", "kept");
    const Finished link = run_kwb(
        args, judge_after(squares.folder, "ln -sf '" + outside.string() + "' '" + taken.string() + "'"));
    CHECK(link.exit_code == 2);
    CHECK_SAYS(link.out, "right.cl", "correct");
    CHECK_SAYS(link.err, taken.string(), "is a link");
    CHECK(read_file(outside) == "kept");
}

TEST_CASE("an output that cannot be written costs none of the others") {
    const Squares squares;
    const Finished finished = run_kwb({"run", squares.right, "--rounds", "1", "--json", "/dev/full", "--csv",
                                       "-", "--report", squares / "page.html"});
    CHECK(finished.exit_code == 2);
    CHECK_SAYS(finished.out, "kernel,", "right.cl");
    CHECK_SAYS(finished.err, "kwb: /dev/full: cannot write: No space left on device");
    CHECK(fs::exists(squares.folder / "page.html"));
}

TEST_CASE("no output replaces a file of a problem that --problem names") {
    const Squares squares;
    const std::string bare = squares.folder.write("m.cl", kBody).string();
    const std::string alone = squares.folder.write("alone.toml", kProblem).string();
    for (const Args& verb : {Args{"run"}, Args{"sweep", "--sizes", "16"}, Args{"check"}})
        for (const char* option : {"--json", "--csv"})
            for (const std::string& output : {squares.x.string(), squares.truth.string(), alone}) {
                Args args = verb;
                args.insert(args.end(), {bare, "--problem", alone, option, output});
                const std::string before = read_file(output);
                CHECK_REFUSED(run_kwb(args, kNoJudge), 2,
                              std::string(option) + " " + output + " would replace " + output);
                CHECK(read_file(output) == before);
            }
    CHECK_REFUSED(
        run_kwb({"run", bare, "--problem", squares.wrong, "--report", squares.x.string()}, kNoJudge), 2,
        "--report", "would replace");
}

TEST_CASE("no output replaces a file that a kernel's problem is declared in, nor the reference's") {
    const Squares squares;
    squares.folder.write("edge.h", "#define EDGE 1\n");
    squares.folder.write("simple.cl", "#include \"edge.h\"\n" + std::string(kBody));
    squares.folder.write("simple.cl.toml", kLaunch);
    squares.folder.write("problem.toml",
                         "[problem]\nname = \"sq\"\nsizes = {N = 16}\nreference = \"simple.cl\"\n"
                         "[problem.buffers]\nx = {shape = [\"N\"]}\ny = {shape = [\"N\"], output = true}\n");
    const std::string kernel =
        squares.folder.write("k.cl", declared("problem = \"problem.toml\"\n" + std::string(kLaunch), kBody))
            .string();
    for (const char* name : {"problem.toml", "simple.cl.toml", "edge.h"}) {
        const std::string before = read_file(squares / name);
        CHECK_REFUSED(run_kwb({"run", kernel, "--csv", squares / name}, kNoJudge), 2,
                      "would replace " + squares / name);
        CHECK(read_file(squares / name) == before);
    }
    // A problem declared in a side-car file.
    squares.folder.write("host.cl", kBody);
    squares.folder.write("host.cl.toml", std::string(kProblem) + kLaunch);
    const std::string guest =
        squares.folder.write("guest.cl", declared("problem = \"host.cl\"\n" + std::string(kLaunch), kBody))
            .string();
    CHECK_REFUSED(run_kwb({"check", guest, "--json", squares / "host.cl.toml"}, kNoJudge), 2,
                  "would replace " + squares / "host.cl.toml");
}

TEST_CASE("a list of kernels replaces no file of theirs") {
    const Squares squares;
    const std::string folder = squares.folder.path().string();
    CHECK_REFUSED(run_kwb({"--kernels", folder, "kernels", "--json", squares.x.string()}), 2,
                  "--json " + squares.x.string() + " would replace " + squares.x.string());
    CHECK(read_file(squares.x) == array_of(false));
}

TEST_CASE("adopt does not replace the problem that it keeps") {
    const Squares squares;
    const std::string bare = squares.folder.write("m.cl", kBody).string();
    const std::string side_car = squares.folder.write("m.cl.toml", kProblem).string();
    CHECK_REFUSED(run_kwb({"adopt", bare, "--problem", side_car, "--force"}), 2, side_car,
                  "declares the problem sq", "would be lost", "a separate file");
    CHECK(read_file(side_car) == kProblem);
    fs::rename(side_car, squares.folder / "sq.toml");
    CHECK_TELLS(run_kwb({"adopt", bare, "--problem", squares / "sq.toml"}), 0, "Saved in ");
    CHECK_TELLS(run_kwb({"adopt", bare, "--problem", squares / "sq.toml", "--force"}), 0, "Saved in ");
    fs::remove(side_car);
    fs::create_symlink(squares.folder / "sq.toml", side_car);
    CHECK_REFUSED(run_kwb({"adopt", bare, "--problem", squares / "sq.toml", "--force"}), 2, side_car);
    CHECK(read_file(squares.folder / "sq.toml") == kProblem);
}

TEST_CASE("advised commands can be pasted, whatever the file's name") {
    const TempFolder folder;
    const std::string file = (folder / "it's a b.cl").string();
    const std::string quoted = "'" + (folder / "it'\\''s a b.cl").string() + "'";
    CHECK_TELLS(run_kwb({"new", "matmul", file}), 0, "kwb run " + quoted + " ", "kwb check " + quoted + " ",
                "kwb gui " + quoted + " ");
    const std::string bare =
        folder.write("c d.cl", "__kernel void c(__global const uint* X, __global uint* H, uint n) {}\n")
            .string();
    CHECK_TELLS(run_kwb({"show", bare}), 0, "kwb adopt '" + bare + "' ");
    CHECK_TELLS(run_kwb({"adopt", bare, "--problem", "histogram", "--global", "16"}), 0,
                "kwb run '" + bare + "' ", "kwb check '" + bare + "' ");
}

TEST_CASE("show says what a tolerance is") {
    const Squares squares;
    CHECK_TELLS(run_kwb({"show", squares.wrong}), 0,
                "y: float, N, output, tolerance 0.5, compared with sq.y.npy");
}
