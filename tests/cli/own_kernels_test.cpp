// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>

#include "base/file.hpp"
#include "base/text.hpp"
#include "cli/kwb.hpp"

using namespace kwb;
using namespace kwb::test;
namespace fs = std::filesystem;

// Kernels written for other programs: run, checked and adopted without changes. docs/own-kernels.md describes
// the same.

namespace {

/// A copy of own_kernels/, with one of its kernels.
struct Guest {
    explicit Guest(const std::string& name) : file((folder.path() / name).string()) {
        for (const auto& entry : fs::directory_iterator(KWB_OWN_KERNELS))
            fs::copy_file(entry.path(), folder.path() / entry.path().filename());
        source = read_file(file);
    }

    Finished run(const std::string& verb, Args options, const Args& more = {}) const {
        options.insert(options.begin(), {verb, file});
        options.insert(options.end(), more.begin(), more.end());
        return run_kwb(options);
    }

    TempFolder folder;
    std::string file;
    std::string source;
};

/// Run with options, adopt with the same options, then run and check without any: always correct, and the
/// source is not changed.
void check_guest(const std::string& name, const Args& options, const std::string& size,
                 const std::vector<std::string>& said, const std::vector<std::string>& kept,
                 bool right_everywhere = true) {
    const Guest guest(name);
    INFO(name);
    const Finished shown = guest.run("run", options, {"--size", size, "--rounds", "1"});
    CHECK_TELLS(shown, 0, "does not declare its launch", "kwb adopt", "correct");
    CHECK_SAYS(shown.out, said);
    CHECK_TELLS(guest.run("adopt", options), 0, "Saved in " + guest.file + ".toml",
                "kwb check " + guest.file);
    CHECK_SAYS(read_file(guest.file + ".toml"), kept);
    const Finished adopted = guest.run("run", {"--size", size, "--rounds", "1"});
    CHECK_TELLS(adopted, 0, "correct");
    CHECK(adopted.out.find("does not declare its launch") == std::string::npos);
    CHECK_TELLS(guest.run("show", {}), 0, "launch ");
    const Finished checked = guest.run("check", right_everywhere ? Args{} : Args{"--size", size});
    CHECK_TELLS(checked, 0, "correct");
    CHECK(read_file(guest.file) == guest.source);
}

}  // namespace

TEST_CASE("other names in another order, and one dimension for rows") {
    check_guest("gemm_rows.cl", {"--problem", "matmul", "--args", "M,N,K,A,B,C"}, "33x17x20",
                {"mmul_rows", "Mdim = M", "Cmat = C", "round_up(M, local.x)"},
                {"Amat = \"A\"", "kernel = \"mmul_rows\""});
    // The names Amat, Bmat and Cmat are matched without --args.
    check_guest("gemm_rows.cl", {"--problem", "matmul", "--args", "M,N,K"}, "9", {"Pdim = K", "Bmat = B"},
                {});
    check_guest("gemm_rows.cl", {"--problem", "matmul", "--args", "Ndim=N,Pdim=K,Mdim=M", "--local", "32"},
                "9", {}, {"local  = [32]"});
}

TEST_CASE("a __local pointer, a work-group that the source counts on, and an argument that is always 0") {
    check_guest("transpose_block.cl",
                {"--problem", "transpose", "--args", "offset=0", "--local", "16x16", "--local-arg",
                 "block=local.x*(local.x+1)"},
                "50x70", {"odata = B", "idata = A", "width = N", "height = M", "elements of local memory"},
                {"local_mem = {block = ", "offset = 0"});
}

TEST_CASE("sizes as macros, an included neighbour, types of its own") {
    check_guest("convolve.cl",
                {"--problem", "convolution", "-D", "IMAGE_WIDTH=W+F-1", "-D", "OUT_WIDTH=W", "-D",
                 "OUT_HEIGHT=H", "-D", "MASK_WIDTH=F"},
                "20x30x5", {"mask = filter", "output = result", "round_up(OUT_HEIGHT, local.x)"},
                {"[defines]", "IMAGE_WIDTH = \"W+F-1\""});
}

TEST_CASE("a file with several kernel functions, numbers of other types, an in-out buffer") {
    check_guest("level1.cl", {"--problem", "saxpy", "--entry", "saxpy"}, "1000", {"a = alpha", "n = N"},
                {"kernel = \"saxpy\""});
    // With one work-group for all sizes, because PoCL compiles a kernel for each.
    check_guest("level1.cl", {"--problem", "copy", "--entry", "scopy", "--local", "64"}, "1000",
                {"x = X", "y = Y"}, {});
    check_guest(
        "level1.cl",
        {"--problem", "saxpy", "--entry", "saxpby", "--args", "ab=[alpha, 1],xv=X,yv=Y", "--local", "64"},
        "1000", {"ab = [alpha, 1]"}, {"ab = \"[alpha, 1]\""});
}

TEST_CASE("a one-dimensional NDRange over whole numbers, with an output that is cleared first") {
    check_guest("histogram256.cl",
                {"--problem", "histogram", "-D", "NUM_BINS=BINS", "--local", "64", "--local-arg",
                 "localBins=BINS", "--global", "1024", "--init", "H=0"},
                "5000", {"hist = H", "data = X", "numElements = N"}, {"[init]", "H = 0"});
}

TEST_CASE("what is worked out goes to standard error where standard output carries data") {
    const Guest guest("gemm_rows.cl");
    const Finished told =
        guest.run("check", {"--problem", "matmul", "--args", "M,N,K", "--size", "5", "--json", "-"});
    CHECK(told.exit_code == 0);
    CHECK_SAYS(told.err, "does not declare its launch", "Pdim = K");
    CHECK(nlohmann::json::parse(told.out)["results"][0]["verdict"] == "correct");
}

TEST_CASE("sweep and show take the same options, and the others of a run tell the problem") {
    const Guest guest("gemm_rows.cl");
    const Args args = {"--args", "M,N,K"};
    CHECK_TELLS(guest.run("sweep", args, {"matmul/naive", "--sizes", "8,16", "--rounds", "1"}), 0, "Pdim = K",
                "2 sizes");
    CHECK_TELLS(guest.run("show", args, {"--problem", "matmul"}), 0, "mmul_rows: global round_up(M, local.x)",
                "Pdim = K", "__kernel void mmul_rows");
    CHECK_TELLS(guest.run("show", {}), 0, "the file does not declare it", "kwb adopt " + guest.file);
}

TEST_CASE("show displays the work-group given with --local, even if the file specifies another one") {
    const TempFolder folder;
    CHECK_TELLS(run_kwb({"show", "matmul/naive", "--local", "8x4"}), 0, "work-group 8 x 4 (--local)");
    CHECK_TELLS(run_kwb({"show", "matmul/tiled", "--local", "8x8"}), 0, "work-group 8 x 8 (--local)",
                "(8 for this work-group)");
    CHECK_REFUSED(run_kwb({"show", "matmul/tiled", "--local", "7x3"}), 2, "7x3");
    CHECK_TELLS(run_kwb({"show", "matmul/naive", "--local", "auto"}), 0,
                "work-group chosen by the driver (--local)");
    const Guest guest("gemm_rows.cl");
    CHECK_TELLS(guest.run("adopt", {"--problem", "matmul", "--args", "M,N,K"}), 0, "Saved in ");
    CHECK_TELLS(guest.run("show", {"--local", "64"}), 0, "work-group 64 (--local)");
}

TEST_CASE("what a host program would have defined is asked for, where its compiler misses it") {
    const TempFolder folder;
    const std::string file =
        folder
            .write("cp.cl",
                   "__kernel void cp(__global const float* X, __global float* Y) { int i = "
                   "get_global_id(0); if (i < LEN) Y[i] = X[i]; }\n")
            .string();
    CHECK_TELLS(run_kwb({"run", file, "--problem", "copy", "--rounds", "1"}), 1,
                "undeclared identifier 'LEN'", "if its host program defined LEN, use -D LEN=");
    CHECK_TELLS(run_kwb({"run", file, "--problem", "copy", "--rounds", "1", "-D", "LEN=N"}), 0,
                "keep it: kwb adopt " + file + " --problem copy -D LEN=N\n");
}

TEST_CASE("new writes a kernel with blanks for every problem; solved, it runs and is right") {
    const TempFolder folder;
    const auto problem_sizes = std::vector<std::pair<std::string, std::string>>{
        {"matmul", "33x17x20"}, {"transpose", "33x17"}, {"sum", "1000"},        {"max", "1000"},
        {"scan", "1000"},       {"histogram", "1000"},  {"stencil", "33x17x3"}, {"convolution", "33x17x5"},
        {"copy", "1000"},       {"vector_add", "1000"}, {"saxpy", "1000"},      {"fma_chain", "100"}};
    for (const auto& [problem, size] : problem_sizes) {
        const std::string file = (folder.path() / (problem + ".cl")).string();
        const std::string& shown_problem = problem;
        CAPTURE(shown_problem);
        CHECK_TELLS(run_kwb({"new", problem, file}), 0, "Wrote " + file, "kwb check " + file, "with blanks");
        CHECK_SAYS(read_file(file), "# Your kernel for " + problem, "kwb run " + problem + ".cl",
                   "Fill in the blanks", "[launch", "__kernel", "____;");
        CHECK_TELLS(run_kwb({"check", file, "--size", size}), 1, "compile_error", "____");
        CHECK(!has(read_file(file), "SPDX"));  // it is the person's
        std::filesystem::remove(file);
        CHECK_TELLS(run_kwb({"new", problem, file, "--solved"}), 0, "already right");
        CHECK_TELLS(run_kwb({"check", file, "--size", size}), 0, "correct");
    }
    // The list above is complete: the message about an unknown problem names all problems.
    const Finished unknown = run_kwb({"new", "nothing", (folder.path() / "x.cl").string()});
    std::size_t named = 0;
    for (const auto& [problem, size] : problem_sizes)
        if (unknown.err.find(problem) != std::string::npos) ++named;
    CHECK(named == problem_sizes.size());
    const std::size_t list = unknown.err.find("problems are ");
    REQUIRE(list != std::string::npos);
    const std::string listed = unknown.err.substr(list, unknown.err.find(';', list) - list);
    CHECK(std::count(listed.begin(), listed.end(), ',') + 2 == static_cast<long>(problem_sizes.size()));
}

TEST_CASE("new describes the arguments with their shapes") {
    const TempFolder folder;
    const std::string file = (folder.path() / "mine.cl").string();
    run_kwb({"new", "convolution", file});
    CHECK_SAYS(read_file(file), "image    float, (H + F - 1) x (W + F - 1), read",
               "filter   float, F x F, read", "result   float, H x W, to be written", "int, a size");
    CHECK_TELLS(run_kwb({"show", file}), 0, "My kernel for convolution");
}

// Errors in users' kernels or in the options for them: rejected before anything runs.

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

/// A paragraph may be broken anywhere, because the folder's name is in it.
std::string in_one_line(std::string text) {
    std::ranges::replace(text, '\n', ' ');
    return text;
}

}  // namespace

TEST_CASE("a file without launch information is rejected with what to add and a command that adds it") {
    const Bare bare;
    CHECK_REFUSED(bare.run({}), 2, bare.file, "name the problem", "--problem", "docs/own-problems.md",
                  "kwb adopt " + bare.file + " --problem matmul", "front matter");
    CHECK_REFUSED(bare.run({"--problem", "matmull"}), 2, "unknown problem 'matmull'", "matmul",
                  "kwb new --from", "docs/own-problems.md");
    CHECK_REFUSED(bare.run({"--problem", "matmul"}), 2,
                  bare.file + ":1: f: cannot tell what to pass for 'rows' (a plain int)", "--args rows=…");
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
    CHECK_REFUSED(bare.run({}, "adopt"), 2, "name the problem");
    CHECK_REFUSED(bare.run({"--problem", "matmul"}, "adopt"), 2, "'rows'");
    CHECK(!fs::exists(bare.file + ".toml"));
    CHECK_TELLS(bare.run(good, "adopt"), 0, "Saved in ");
    const std::string kept = read_file(bare.file + ".toml");
    CHECK_REFUSED(bare.run(good, "adopt"), 2, bare.file + ".toml: already exists", "--force");
    CHECK(read_file(bare.file + ".toml") == kept);
    Args forced = good;
    forced.insert(forced.end(), {"--local", "8", "--force"});
    CHECK_TELLS(bare.run(forced, "adopt"), 0, "Saved in ");
    CHECK_SAYS(read_file(bare.file + ".toml"), "local  = [8]");
    // The side-car now states it; options that differ contradict it.
    CHECK_REFUSED(bare.run({"--problem", "transpose"}), 2, bare.file + ".toml:2:1: the file solves matmul");
    CHECK_REFUSED(bare.run({"--args", "rows=M"}), 2, bare.file + ".toml:", "[launch] already declares",
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
    CHECK_REFUSED(bare.run({other, "--problem", "matmul", "--entry", "f"}), 2, "--entry applies to one file",
                  "mine.cl", "other.cl", "kwb adopt");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "matmul/tiled", "--global", "N"}), 2,
                  "--global works only for a file");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--args", "C,A,B"}), 2, "[launch] already declares",
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
    CHECK_REFUSED(run_kwb({"new", "matmul"}), 2, "name a problem and the file to write", "kwb new --from");
    folder.write("mine.cl", "kept");
    CHECK_REFUSED(run_kwb({"new", "matmul", file}), 2, file + ": already exists");
    CHECK(read_file(file) == "kept");
    const std::string beside = folder.write("other.cl.toml", "kept").string();
    CHECK_REFUSED(run_kwb({"new", "matmul", (folder.path() / "other.cl").string()}), 2, beside);
    CHECK_REFUSED(run_kwb({"new", "matmul", (folder.path() / "none" / "mine.cl").string()}), 2, "none");
}

TEST_CASE("arguments with the names of OpenCL's functions are bound like others") {
    const Bare bare(
        "__kernel void f(__global const float* distance, __global float* max, int length, int step) {\n"
        "    for (int i = get_global_id(0); i < length; i += step) max[i] = distance[i];\n}\n");
    const Args options = {"--problem", "copy", "--args", "length=N,step=N", "--global", "N"};
    const Args more = {"--problem", "copy",   "--args", "length=N,step=N", "--global",
                       "N",         "--size", "100",    "--rounds",        "1"};
    CHECK_TELLS(bare.run(more), 0, "distance = X (nothing else is left), max = Y", "correct");
    CHECK_TELLS(bare.run(options, "adopt"), 0, "Saved in ");
    CHECK_TELLS(bare.run({"--size", "100", "--rounds", "1"}), 0, "correct");
}

TEST_CASE("what is bound by elimination is said with the result, too") {
    const Bare bare(
        "/*+++\nproblem = \"copy\"\n[launch]\nkernel = \"f\"\nglobal = [\"N\"]\n+++*/\n"
        "__kernel void f(__global const float* now, __global float* next) {\n"
        "    next[get_global_id(0)] = now[get_global_id(0)];\n}\n");
    CHECK_TELLS(bare.run({"--size", "100", "--rounds", "1"}), 0, "correct",
                "f: now = X and next = Y, by elimination");
}

TEST_CASE("check takes sizes that [require] allows, and says so") {
    const Bare bare(
        "/*+++\nproblem = \"transpose\"\n[launch]\nkernel = \"f\"\nlocal = [8, 8]\nglobal = [\"N\", \"M\"]\n"
        "[require]\nwhole = \"M % 8 == 0 and N % 8 == 0\"\nwide = \"N >= M\"\n+++*/\n"
        "__kernel void f(__global const float* A, __global float* B, int M, int N) {\n"
        "    int x = get_global_id(0), y = get_global_id(1);\n    B[x * M + y] = A[y * N + x];\n}\n");
    const Finished done = bare.run({}, "check");
    CHECK_TELLS(done, 0, "correct");
    CHECK_SAYS(in_one_line(done.out), ": its conditions exclude ", " similar ones were taken instead.");
    CHECK(done.out.find("constraint") == std::string::npos);
    CHECK_TELLS(bare.run({"--size", "9"}, "check"), 1, "constraint");
    CHECK_TELLS(bare.run({"--foreign"}, "check"), 1, "constraint");
}

TEST_CASE("a requirement keeps check from evaluating anything else of a size that it excludes") {
    const Bare bare(
        "/*+++\nproblem = \"copy\"\n[launch]\nkernel = \"f\"\nlocal = [\"N // 2\"]\nglobal = [\"N\"]\n"
        "[require]\nfrom_two = \"N >= 2 and N % 2 == 0 and N <= 4096\"\n+++*/\n"
        "__kernel void f(__global const float* X, __global float* Y) {\n"
        "    Y[get_global_id(0)] = X[get_global_id(0)];\n}\n");
    CHECK_TELLS(bare.run({}, "check"), 0, "correct", ": its conditions exclude ");
    CHECK_TELLS(bare.run({"--size", "1"}, "check"), 1, "constraint", "\"from_two\" does not hold");
}

const std::string kUnguarded =
    "__kernel void f(__global const float* A, __global const float* B, __global float* C, int N, int K) {\n"
    "    int row = get_global_id(0), col = get_global_id(1);\n    float s = 0;\n"
    "    for (int k = 0; k < K; ++k) s += A[row * K + k] * B[k * N + col];\n    C[row * N + col] = s;\n}\n";

TEST_CASE("both orders of a guessed launch are tried before a kernel is told to be out of bounds") {
    const Bare bare(kUnguarded);
    for (const Args& verb : {Args{"check"}, Args{"run", "--rounds", "1"}}) {
        Args options(verb.begin() + 1, verb.end());
        options.insert(options.end(), {"--problem", "matmul", "--size", "17x5x3"});
        CHECK_TELLS(bare.run(options, verb.front()), 0, "correct",
                    "launched over round_up(M, local.x) × round_up(N, local.y), because the kernel is wrong",
                    "--global \"round_up(M, local.x),round_up(N, local.y)\"");
    }
    // Wrong in both orders: the guess is named.
    const Bare wrong(replaced(kUnguarded, "] = s;", "] = s + 1;"));
    CHECK_TELLS(wrong.run({"--problem", "matmul", "--size", "8"}, "check"), 1, "wrong",
                "launched over round_up(N, local.x) × round_up(M, local.y), which was a guess", "--global");
    const Finished said = wrong.run({"--problem", "matmul", "--size", "8", "--global", "M,N"}, "check");
    CHECK_TELLS(said, 1, "wrong");
    CHECK(said.out.find("a guess") == std::string::npos);
}

TEST_CASE("a kernel that takes N alone is checked at square sizes, and that is said") {
    std::string source = replaced(replaced(kUnguarded, ", int K", ""), "k < K", "k < N");
    const Bare bare(replaced(source, "row * K", "row * N"));
    const Finished done = bare.run({"--problem", "matmul"}, "check");
    CHECK_TELLS(done, 0, "correct");
    CHECK_SAYS(in_one_line(done.out), "takes no size except N, so it is checked where all sizes are equal");
    CHECK(done.out.find("K=") == std::string::npos);
}

TEST_CASE("check leaves a stencil's steps and a filter's edge as they are where it rounds a size") {
    for (const char* file : {"stencil/01_naive.cl", "convolution/01_naive.cl"}) {
        CAPTURE(file);
        const Bare bare(replaced(kernel_source(file), "+++*/", "[require]\nwhole = \"W % 32 == 0\"\n+++*/"));
        const Finished done = bare.run({}, "check");
        CHECK_TELLS(done, 0, "correct");
        CHECK_SAYS(in_one_line(done.out), " similar ones were taken instead.");
        CHECK(done.out.find("constraint") == std::string::npos);
    }
}

TEST_CASE("structures and null pointers reach the kernel") {
    const Bare bare(
        "typedef struct { int shift; float2 by; } how;\n"
        "__kernel void f(__global const float* X, __global float* Y, __global const float* bias, how h, int "
        "N) {\n"
        "    int i = get_global_id(0);\n    if (i < N) Y[i] = bias ? 7 : X[i] * h.by.y + h.by.x + (h.shift - "
        "3);\n}\n");
    CHECK_TELLS(
        bare.run({"--problem", "copy", "--args", "bias=null,h=[3, 0, 1]", "--size", "100", "--rounds", "1"}),
        0, "correct");
    CHECK_TELLS(
        bare.run({"--problem", "copy", "--args", "bias=null,h=[3, 0, 2]", "--size", "100", "--rounds", "1"}),
        1, "wrong");
}

TEST_CASE("'kwb new --from' declares what a kernel solves, as far as its arguments tell") {
    const Bare bare(
        "__kernel void blend(__global const float* a, __global const float* b, __global float* mixed,\n"
        "                    float share, int count, int offset) {\n"
        "    int i = get_global_id(0);\n"
        "    if (i < count) mixed[i] = share * a[i + offset] + (1 - share) * b[i + offset];\n}\n");
    CHECK_TELLS(run_kwb({"new", "--from", bare.file}), 0, "Wrote " + bare.file + ".toml");
    CHECK_SAYS(read_file(bare.file + ".toml"), "sizes = {count = 4096}",
               "share = {type = \"float\", value = 1}", "a = {type = \"float\", shape = [\"count\"]}\n",
               "mixed = {type = \"float\", shape = [\"count\"], output = true}", "args = {offset = 0}");
    // Nothing is right before somebody says what is.
    CHECK_TELLS(bare.run({"--rounds", "1"}), 0, "ran", "does not define what is correct");
    bare.folder.write(
        "simple.cl",
        "/*+++\n[launch]\nkernel = \"simple\"\nglobal = [1]\n+++*/\n"
        "__kernel void simple(__global const float* a, __global const float* b, "
        "__global float* mixed, float share, int count) {\n"
        "    for (int i = 0; i < count; ++i) mixed[i] = share * a[i] + (1 - share) * b[i];\n}\n");
    std::string text = read_file(bare.file + ".toml");
    text.erase(text.find("# reference"), 2);
    bare.folder.write("mine.cl.toml", text);
    CHECK_TELLS(bare.run({"--rounds", "1"}), 0, "correct");
    CHECK_TELLS(bare.run({}, "check"), 0, "correct");
    CHECK_REFUSED(run_kwb({"new", "--from", bare.file}), 2, "already exists");
    CHECK_REFUSED(run_kwb({"new", "--from", bare.file, "matmul", "b.cl"}), 2, "leave out 'matmul b.cl'");
    CHECK_REFUSED(run_kwb({"new", "matmul", "b.cl", "--entry", "f"}), 2, "--entry f: works only with --from");
    const std::string three =
        bare.folder.write("three.cl", "__kernel void f(__global const float3* p, __global float* o) {}\n")
            .string();
    CHECK_TELLS(run_kwb({"new", "--from", three}), 0, "Wrote ");
    CHECK_SAYS(read_file(three + ".toml"), "p = {type = \"float4\"");
    const std::string image =
        bare.folder
            .write("image.cl",
                   "__kernel void f(read_only image2d_t i, __write_only image2d_t o, sampler_t s) {\n"
                   "    int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
                   "    write_imagef(o, at, read_imagef(i, s, at));\n}\n")
            .string();
    CHECK_TELLS(run_kwb({"new", "--from", image}), 0, "Wrote ");
    CHECK_SAYS(read_file(image + ".toml"), "i = {type = \"float4\", shape = [\"N\", \"N\"]}\n",
               "o = {type = \"float4\", shape = [\"N\", \"N\"], output = true}");
    CHECK_TELLS(run_kwb({"run", image, "--size", "33", "--rounds", "1"}), 0, "ran");
    const std::string volume =
        bare.folder.write("volume.cl", "__kernel void f(read_only image3d_t i, __global float* o) {}\n")
            .string();
    CHECK_REFUSED(run_kwb({"new", "--from", volume}), 2,
                  "volume.cl:1: argument 'i' of f has the type image3d_t");
}

TEST_CASE("a kernel takes buffers as images, with the sampler of its choice") {
    const Bare bare(
        "__kernel void t(read_only image2d_t in, write_only image2d_t out, sampler_t s, int height, int "
        "width) {\n"
        "    int x = get_global_id(0), y = get_global_id(1);\n"
        "    if (x >= width || y >= height) return;\n"
        "    write_imagef(out, (int2)(y, x), read_imagef(in, s, (int2)(x, y)));\n}\n");
    const Args transpose = {"--problem", "transpose", "--args", "height=M,width=N,in=A,out=B"};
    const auto run = [&](const Args& more, const char* verb = "run") {
        Args args = transpose;
        args.insert(args.end(), more.begin(), more.end());
        return bare.run(args, verb);
    };
    CHECK_TELLS(run({"--size", "37x50", "--global", "N,M", "--rounds", "3"}), 0, "correct");
    CHECK_TELLS(run({"--global", "N,M"}, "check"), 0, "correct");
    // With normalized coordinates, all positions but the first are the image's corner.
    const Args other = {
        "--problem", "transpose", "--args",   "height=M,width=N,in=A,out=B,s=nearest_edge_normalized",
        "--size",    "37x50",     "--global", "N,M",
        "--rounds",  "1"};
    CHECK_TELLS(bare.run(other), 1, "wrong");
    CHECK_REFUSED(bare.run({"--problem", "transpose", "--args", "height=M,width=N,in=A,out=B,s=nearest"}), 2,
                  "argument 's' is a sampler, but 'nearest' is not");
    CHECK_TELLS(bare.run({"--problem", "copy", "--args", "height=N,width=N,in=X,out=Y", "--rounds", "1"}), 1,
                "is not a grid of pixels");
}

TEST_CASE("the workbench's own problems, with other numbers") {
    const Guest guest("numbers.cl");
    const auto check = [&](const std::string& problem, const std::string& type, const std::string& kernel,
                           const std::string& global, const std::string& sizes,
                           const std::string& local = "auto") {
        const Args options = {"--problem", problem + ":" + type, "--entry", kernel,    "-D",
                              "T=" + type, "--global",           global,    "--local", local};
        CAPTURE(problem);
        CAPTURE(type);
        CHECK_TELLS(guest.run("check", options), 0, sizes + " of " + sizes + " sizes correct");
    };
    check("matmul", "double", "multiply", "N,M", "19");
    // With one work-group for all sizes, because PoCL compiles a kernel for each.
    check("matmul", "int", "multiply", "N,M", "19", "1x1");
    check("transpose", "uint8", "turn", "N,M", "19", "1x1");
    check("convolution", "float4", "convolve", "W,H", "25", "1x1");
    check("vector_add", "uint", "add", "N", "25", "1");
    check("scan", "double2", "prefix", "1", "25");
    check("max", "int", "largest", "1", "25");
    check("fma_chain", "double", "repeat", "N", "25", "1");
}

TEST_CASE("numbers that a problem does not have are refused, and those of the kernel offered") {
    const Guest guest("numbers.cl");
    const Args add = {"--entry", "add", "-D", "T=int", "--size", "100"};
    CHECK_REFUSED(guest.run("run", add, {"--problem", "vector_add"}), 2,
                  "points to int, but A of vector_add holds float", "such as vector_add:int;",
                  "docs/own-problems.md");
    CHECK_REFUSED(guest.run("run", add, {"--problem", "vector_add:half"}), 2,
                  "vector_add supports numbers of type float, double, int and uint and vectors of 2, 4, 8 or "
                  "16 of them, but not 'half'");
    CHECK_REFUSED(guest.run("run", add, {"--problem", "stencil:int"}), 2, "float and double and vectors");
    CHECK_REFUSED(guest.run("run", add, {"--problem", "histogram:uint4"}), 2,
                  "int and uint, but not 'uint4'");

    const auto with_front_matter = [&](const std::string& lines) {
        write_file(guest.file,
                   "/*+++\n" + lines + "\n[build]\noptions = \"-D T=int\"\n+++*/\n" + guest.source);
        return guest.run("run", {"--entry", "add", "--size", "100", "--rounds", "1"});
    };
    CHECK_TELLS(with_front_matter("problem = \"vector_add\"\ntype = \"int\""), 0, "in int", "correct");
    CHECK_REFUSED(with_front_matter("problem = \"vector_add\"\ntype = \"text\""), 2,
                  "numbers.cl:3:1: ", "but not 'text'");
    CHECK_REFUSED(with_front_matter("problem = \"addition\"\ntype = \"int\""), 2,
                  "numbers.cl:2:1: ", "unknown problem 'addition'");
    CHECK_REFUSED(with_front_matter("type = \"int\"\n[problem]\nsizes = {N = 1}\n[problem.buffers]\n"
                                    "x = {shape = [\"N\"], output = true}"),
                  2, "numbers.cl:2:1: ", "[problem.buffers]");
    write_file(guest.file, "/*+++\ntype = \"int\"\n[build]\noptions = \"-D T=int\"\n+++*/\n" + guest.source);
    const Args typed = {"--entry", "add", "--size", "100", "--rounds", "1", "--problem"};
    CHECK_REFUSED(guest.run("run", typed, {"vector_add"}), 2,
                  "numbers.cl:2:1: ", "the type is int, but --problem is vector_add",
                  "--problem vector_add:int");
    CHECK_TELLS(guest.run("run", typed, {"vector_add:int"}), 0, "in int", "correct");
}
