// What is wrong about somebody's own kernel, or about the options for it: refused before anything runs.
#include <filesystem>

#include "base/file.hpp"
#include "cli/kwb.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

namespace {

const std::string kBare =
    "__kernel void f(__global float* C, int rows) { if ((int)get_global_id(0) < rows) C[get_global_id(0)] = "
    "0; }\n";

/// A file without front matter.
struct Bare {
    explicit Bare(const std::string& text = kBare) : file(folder.write("mine.cl", text).string()) {}
    Finished run(Args options, const std::string& verb = "run") const {
        options.insert(options.begin(), {verb, file});
        return run_kwb(options);
    }
    TempFolder folder;
    std::string file;
};

}  // namespace

TEST_CASE("a file that says nothing is told what to add, and which command does it") {
    const Bare bare;
    CHECK_REFUSED(bare.run({}), 2, bare.file, "which problem", "--problem",
                  "kwb adopt " + bare.file + " --problem matmul", "front matter");
    CHECK_REFUSED(bare.run({"--problem", "matmull"}), 2, "unknown problem 'matmull'", "matmul");
    CHECK_REFUSED(bare.run({"--problem", "matmul"}), 2,
                  bare.file + ":1: f: what 'rows' (a plain int) is given", "--args rows=M");
}

TEST_CASE("options that cannot be read are refused before the file is") {
    const Bare bare;
    const auto refused = [&](const Args& options) { return bare.run(options); };
    CHECK_REFUSED(refused({"-D", "=1"}), 2, "-D =1: give NAME=VALUE", "TILE=16");
    CHECK_REFUSED(refused({"-D", "2X=1"}), 2, "-D 2X=1");
    CHECK_REFUSED(refused({"--local-arg", "tile"}), 2, "--local-arg tile: give NAME=VALUE");
    CHECK_REFUSED(refused({"--local-arg", "tile=16*"}), 2, "--local-arg tile '16*': column");
    CHECK_REFUSED(refused({"--init", "C"}), 2, "--init C: give NAME=VALUE", "C=0");
    CHECK_REFUSED(refused({"--args", "C,,A"}), 2, "--args 'C,,A'", "empty");
    CHECK_REFUSED(refused({"--global", "round_up(N"}), 2, "--global 'round_up(N': column");
    CHECK_REFUSED(refused({"--local", "16xa"}), 2, "--local 16xa");
    CHECK_REFUSED(refused({"--local", "0x16"}), 2, "--local 0x16");
    CHECK_REFUSED(refused({"--local", "1x1x1x1"}), 2, "at most 3 dimensions");
}

TEST_CASE("adopt keeps what is there, unless it is forced, and refuses what it cannot know") {
    const Bare bare;
    const Args good = {"--problem", "matmul", "--args", "rows=M*N"};
    CHECK_REFUSED(bare.run({}, "adopt"), 2, "which problem");
    CHECK_REFUSED(bare.run({"--problem", "matmul"}, "adopt"), 2, "'rows'");
    CHECK(!fs::exists(bare.file + ".toml"));
    CHECK_TELLS(bare.run(good, "adopt"), 0, "keeps this");
    const std::string kept = read_file(bare.file + ".toml");
    CHECK_REFUSED(bare.run(good, "adopt"), 2, bare.file + ".toml: is there already", "--force");
    CHECK(read_file(bare.file + ".toml") == kept);
    Args forced = good;
    forced.insert(forced.end(), {"--local", "8", "--force"});
    CHECK_TELLS(bare.run(forced, "adopt"), 0, "keeps this");
    CHECK_SAYS(read_file(bare.file + ".toml"), "local  = [8]");
    // The side-car says it now; options that say something else contradict it.
    CHECK_REFUSED(bare.run({"--problem", "transpose"}), 2,
                  bare.file + ".toml:2:1: says that it solves matmul");
    CHECK_REFUSED(bare.run({"--args", "rows=M"}), 2, bare.file + ".toml:", "[launch] says already",
                  "leave out --args");
    CHECK_REFUSED(run_kwb({"adopt", "matmul/naive"}), 2, "only a .cl file");
    CHECK_REFUSED(
        run_kwb({"adopt", bare.folder.write("whole.cl", kernel_source("matmul/01_naive.cl")).string()}), 2,
        "whole.cl: has a front matter");
    CHECK_REFUSED(run_kwb({"adopt", (bare.folder.path() / "none.cl").string()}), 2, "none.cl",
                  "No such file");
}

TEST_CASE("a side-car that cannot be written is named") {
    const Bare bare;
    fs::create_directory(bare.file + ".toml");
    CHECK_REFUSED(bare.run({"--problem", "matmul", "--args", "rows=M", "--force"}, "adopt"), 2, ".toml");
}

TEST_CASE("several files with one --entry are refused, with the way out") {
    const Bare bare;
    const std::string other = bare.folder.write("other.cl", kBare).string();
    CHECK_REFUSED(bare.run({other, "--problem", "matmul", "--entry", "f"}), 2, "--entry is for one file",
                  "mine.cl", "other.cl", "kwb adopt");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "matmul/tiled", "--global", "N"}), 2,
                  "--global is for a file");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--args", "C,A,B"}), 2, "[launch] says already",
                  "leave out --args");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--local", "TILE,TILE"}), 2, "leave out --local");
    CHECK_REFUSED(run_kwb({"run", "matmul/tiled", "-D", "TILE=8"}), 2, "TILE is a parameter",
                  "--param TILE=8");
}

TEST_CASE("new replaces nothing, and knows its problems") {
    const TempFolder folder;
    const std::string file = (folder.path() / "mine.cl").string();
    CHECK_REFUSED(run_kwb({"new", "matmull", file}), 2, "unknown problem 'matmull'", "matmul");
    CHECK_REFUSED(run_kwb({"new", "matmul", (folder.path() / "mine.c").string()}), 2, "ends in .cl",
                  "mine.cl");
    CHECK_REFUSED(run_kwb({"new", "matmul"}), 2, "FILE is required");
    folder.write("mine.cl", "kept");
    CHECK_REFUSED(run_kwb({"new", "matmul", file}), 2, file + ": is there already");
    CHECK(read_file(file) == "kept");
    const std::string beside = folder.write("other.cl.toml", "kept").string();
    CHECK_REFUSED(run_kwb({"new", "matmul", (folder.path() / "other.cl").string()}), 2, beside);
    CHECK_REFUSED(run_kwb({"new", "matmul", (folder.path() / "none" / "mine.cl").string()}), 2, "none");
}
