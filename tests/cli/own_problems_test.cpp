// SPDX-License-Identifier: Apache-2.0
// Problems that a user declares. documents_test.cpp runs the commands of docs/own-problems.md.
#include <fmt/format.h>

#include "base/png.hpp"
#include "base/text.hpp"
#include "cli/kwb.hpp"

using namespace kwb::test;

TEST_CASE("outputs are saved for shipped problems, too, one file a kernel and buffer") {
    const TempFolder folder;
    const Finished done = run_kwb({"run", "matmul/naive", "matmul/tiled", "cpu:blas", "--size", "5x7x3",
                                   "--rounds", "1", "--save-outputs", (folder / "new/folder").string()});
    INFO(done.out, done.err);
    CHECK(done.exit_code == 0);
    CHECK_SAYS(done.out, "Outputs written:", "matmul_naive.C.npy");
    const std::string naive = read_text(folder / "new/folder/matmul_naive.C.npy");
    CHECK_SAYS(naive, "'descr': '<f4'", "'shape': (5, 7)");
    CHECK(naive.size() == 128 + 4 * 5 * 7);
    CHECK(read_text(folder / "new/folder/matmul_tiled.C.npy").size() == naive.size());
    CHECK(read_text(folder / "new/folder/cpu_blas.C.npy").size() == naive.size());

    folder.write("taken", "a file");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--save-outputs", (folder / "taken").string()}), 2,
                  "--save-outputs", "taken");
}

namespace {

/// The problem y = 2 x with this body of the reference; `kernel` is the body of the tested kernel.
TempFolder& twice_with(TempFolder& folder, const std::string& reference,
                       const std::string& kernel = "y[i] = 2 * x[i];",
                       const std::string& output = "{type = \"int\", shape = [\"N\"], output = true}") {
    const std::string head =
        "__global const int* x, __global int* y, int N) {\n    int i = get_global_id(0);\n    ";
    folder.write("simple.cl",
                 "/*+++\n[launch]\nkernel = \"simple\"\nglobal = [\"N\"]\n+++*/\n__kernel void simple(" +
                     head + reference + "\n}\n");
    folder.write("mine.cl",
                 "/*+++\n[problem]\nname = \"twice\"\nsizes = {N = 1000}\nreference = "
                 "\"simple.cl\"\n[problem.buffers]\nx = {type = "
                 "\"int\", shape = [\"N\"]}\ny = " +
                     output + "\n[launch]\nkernel = \"mine\"\nglobal = [\"N\"]\n+++*/\n__kernel void mine(" +
                     head + kernel + "\n}\n");
    return folder;
}

}  // namespace

TEST_CASE("a wrong kernel is found out, and a right one is not, in run, sweep, check, JSON and HTML") {
    TempFolder folder;
    const std::string mine = twice_with(folder, "y[i] = x[i] + x[i];") / "mine.cl";
    CHECK(run_kwb({"run", mine, "--rounds", "2", "--report", (folder / "page.html").string()}).exit_code ==
          0);
    CHECK_SAYS(read_text(folder / "page.html"), "twice, size N=1000");
    CHECK(run_kwb({"sweep", mine, "--sizes", "10,100", "--rounds", "1"}).exit_code == 0);
    CHECK(run_kwb({"check", mine}).exit_code == 0);
    const auto json = kwb_json({"run", mine, "--rounds", "1", "--json", "-"});
    CHECK(json["results"][0]["problem"] == "twice");
    CHECK(json["results"][0]["verdict"] == "correct");
    CHECK(json["results"][0]["gflops"].is_null());
    CHECK_TELLS(run_kwb({"show", mine}), 0, "twice", "simple.cl");

    twice_with(folder, "y[i] = x[i] + x[i];", "y[i] = i == 7 ? 1000 : 2 * x[i];");
    CHECK_TELLS(run_kwb({"run", mine, "--rounds", "1"}), 1, "wrong", "y[7]", "1000");
    twice_with(folder, "y[i] = x[i] + x[i];", "y[i] = i == 7 ? 1000 : 2 * x[i];",
               "{type = \"int\", shape = [\"N\"], output = true, tolerance = {absolute = 1}}");
    const Finished first = run_kwb({"run", mine, "--rounds", "1"});
    CHECK_TELLS(first, 1, "wrong", "y[7]", "1000");
    CHECK(first.out.find("right at first") == std::string::npos);  // there was no check before
    twice_with(folder, "y[i] = x[i] + x[i];", "if (i != 7) y[i] = 2 * x[i];");
    // With this seed x[7] is not 0, so a missing store cannot be mistaken for an addition to y.
    CHECK_TELLS(run_kwb({"run", mine, "--rounds", "1", "--seed", "2"}), 1, "wrong", "y[7]", "never written");
    twice_with(folder, "y[i] = x[i] + x[i];", "y[i + 1] = 2 * x[i];");
    CHECK_TELLS(run_kwb({"check", mine, "--size", "100"}), 1, "out_of_bounds", "element 100 of y");
    CHECK_REFUSED(run_kwb({"run", mine, "matmul/naive"}), 2, "mine.cl solves twice", "matmul");
}

/// CHECK_SAYS that evaluates its argument only once.
#define CHECK_SAYS_ONCE(expression, ...)      \
    do {                                      \
        const std::string once_ = expression; \
        CHECK_SAYS(once_, __VA_ARGS__)        \
    } while (false)

TEST_CASE("with a broken reference no kernel is judged, and the reason names it") {
    TempFolder folder;
    const auto said = [&](const std::string& reference, const Args& more = {}) {
        Args args = {"run", twice_with(folder, reference) / "mine.cl", "--rounds", "1"};
        args.insert(args.end(), more.begin(), more.end());
        const Finished done = run_kwb(args);
        INFO(reference, "\n", done.out, done.err);
        CHECK(done.exit_code == 1);
        CHECK_SAYS(done.out, "skipped", "there is nothing to compare with", "simple.cl");
        std::string flat;  // the table wraps its lines
        for (const std::string& word : kwb::split(done.out, '\n')) flat += std::string(kwb::trim(word)) + " ";
        return flat;
    };
    CHECK_SAYS_ONCE(said("y[i] = oops;"), "does not compile", "oops");
    CHECK_SAYS_ONCE(said("y[i] = ((volatile __global int*)x)[i + ((size_t)1 << 40)];"), "failed");
    CHECK_SAYS_ONCE(said("while (N > 0) y[i] = x[i] + y[i];", {"--timeout", "10s"}), "failed",
                    "exceeded 10 s");
    CHECK_SAYS_ONCE(said("y[i] = x[i]; y[N] = 1;"), "wrong itself: it wrote element 1000 of y");
    CHECK_SAYS_ONCE(said("if (i != 12) y[i] = x[i];"), "it writes nothing into y[12]");
    CHECK_SAYS_ONCE(said("y[i] = x[i]; ((__global int*)x)[3] = 1000;"),
                    "it changes its input x, first at x[3]");
}

TEST_CASE("a default tolerance is reported") {
    TempFolder folder;
    folder.write(
        "mine.cl",
        "/*+++\n[problem]\nsizes = {N = 64}\nreference = {launch = {kernel = \"f\", global = [\"N\"]}}\n"
        "[problem.buffers]\ny = {shape = [\"N\"], output = true}\n[launch]\nkernel = \"f\"\nglobal = "
        "[\"N\"]\n+++*/\n__kernel void f(__global float* y) { y[get_global_id(0)] = get_global_id(0); }\n");
    CHECK_TELLS(run_kwb({"run", (folder / "mine.cl").string(), "--rounds", "1"}), 0,
                "no tolerance is given for y", "1e-05 of its size and 1e-06");
}

TEST_CASE("buffers of every type go there and back, vectors saved with their components as last axis") {
    const std::vector<std::string> types = {"char",  "uchar16", "short4", "ushort", "int2",   "uint8",
                                            "long2", "ulong",   "float4", "float",  "double2"};
    std::string buffers =
        "h = {type = \"half\", shape = [\"N\"], fill = \"normal\"}\n"
        "h2 = {type = \"half\", shape = [\"N\"], output = true, tolerance = \"exact\"}\n";
    std::string arguments = "__global const half* h, __global half* h2";
    std::string body = "vstore_half(vload_half(i, h), i, h2);\n";
    for (std::size_t t = 0; t < types.size(); ++t) {
        const std::string in = fmt::format("x{}", t);
        const std::string out = fmt::format("y{}", t);
        buffers += fmt::format(
            "{} = {{type = \"{}\", shape = [\"N\", 2]}}\n{} = {{type = \"{}\", shape = [\"N\", 2], output = "
            "true, tolerance = \"exact\"}}\n",
            in, types[t], out, types[t]);
        arguments += fmt::format(", __global const {}* {}, __global {}* {}", types[t], in, types[t], out);
        body += fmt::format("    {0}[2 * i] = {1}[2 * i]; {0}[2 * i + 1] = {1}[2 * i + 1];\n", out, in);
    }
    const auto function = [&](const std::string& name, const std::string& more) {
        return fmt::format("__kernel void {}({}) {{\n    int i = get_global_id(0);\n    {}{}}}\n", name,
                           arguments, body, more);
    };
    const TempFolder folder;
    const auto write = [&](const std::string& more) {
        return folder
            .write("all.cl",
                   fmt::format("/*+++\n[problem]\nsizes = {{N = 100}}\nreference = {{launch = {{kernel = "
                               "\"truth\", global "
                               "= [\"N\"]}}}}\n[problem.buffers]\n{}[launch]\nkernel = \"mine\"\nglobal = "
                               "[\"N\"]\n+++*/\n{}{}",
                               buffers, function("mine", more), function("truth", "")))
            .string();
    };
    const std::string all = write("");
    const Finished done = run_kwb({"run", all, "--rounds", "1", "--foreign", "--problem", all,
                                   "--save-outputs", folder.path().string()});
    INFO(done.out, done.err);
    CHECK(done.exit_code == 0);
    CHECK_SAYS(read_text(folder / "all.y8.npy"), "'descr': '<f4'", "'shape': (100, 2, 4)");
    CHECK_SAYS(read_text(folder / "all.y1.npy"), "'descr': '|u1'", "'shape': (100, 2, 16)");
    CHECK_SAYS(read_text(folder / "all.h2.npy"), "'descr': '<f2'", "'shape': (100,)");
    write("if (i == 3) y6[7].y += 1;\n");
    CHECK_TELLS(run_kwb({"run", all, "--rounds", "1"}), 1, "wrong", "y6[3][1][1]");
    write("if (i == 5) ((__global ushort*)h2)[5] ^= 1;\n");
    CHECK_TELLS(run_kwb({"check", all, "--size", "31"}), 1, "wrong", "h2[5]");
}

TEST_CASE("a picture in, a picture out") {
    const TempFolder folder;
    std::vector<std::uint8_t> colours;
    for (int i = 0; i < 4 * 6 * 5; ++i)
        colours.push_back(static_cast<std::uint8_t>(i % 4 == 3 ? 255 : 2 * i));
    folder.write("in.png", kwb::encode_png(colours, 6, 5, 4));
    const std::string file = folder
                                 .write("turn.cl", R"(/*+++
[problem]
sizes = {H = 5, W = 6}
reference = {launch = {kernel = "turn_simple", global = ["H * W"]}}
[problem.buffers]
from = {type = "uchar4", shape = ["H", "W"], fill = "in.png"}
to   = {type = "uchar4", shape = ["W", "H"], output = true}
[launch]
kernel = "turn"
global = ["W", "H"]
+++*/
__kernel void turn(read_only image2d_t from, write_only image2d_t to) {
    int x = get_global_id(0), y = get_global_id(1);
    write_imageui(to, (int2)(y, x), read_imageui(from, (int2)(x, y)));
}
__kernel void turn_simple(__global const uchar4* from, __global uchar4* to, int H, int W) {
    int i = get_global_id(0);
    to[i % W * H + i / W] = from[i];
}
)")
                                 .string();
    const std::string out = (folder / "out").string();
    const std::string page = (folder / "page.html").string();
    CHECK_TELLS(run_kwb({"run", file, "--rounds", "1", "--save-outputs", out, "--report", page}), 0,
                "correct", "turn.to.npy", "turn.to.png");
    CHECK_SAYS(read_text(page), "<img alt=\"to\" src=\"data:image/png;base64,iVBOR",
               "<figcaption>to</figcaption>");
    const kwb::DecodedPicture turned =
        kwb::decode_png("turned", read_text(folder / "out/turn.to.png"), 4, 1000);
    CHECK(turned.columns == 5);
    CHECK(turned.rows == 6);
    for (std::size_t y = 0; y < 5; ++y)
        for (std::size_t x = 0; x < 6; ++x)
            CHECK(static_cast<std::uint8_t>(turned.pixels[4 * (x * 5 + y)]) == colours[4 * (y * 6 + x)]);
}

TEST_CASE("what a submission declares does not count under --foreign: the problem is the person's") {
    const TempFolder folder;
    const auto twice = [&](const std::string& name, const std::string& tolerance, const std::string& factor) {
        return folder
            .write(name,
                   "/*+++\n[problem]\nname = \"twice\"\nsizes = {N = 100}\nreference = {launch = {kernel = "
                   "\"truth\", global = [\"N\"]}}\n[problem.buffers]\nx = {type = \"float\", shape = "
                   "[\"N\"]}\ny = {type = \"float\", shape = [\"N\"], output = true, tolerance = " +
                       tolerance +
                       "}\n[launch]\nkernel = \"twice\"\nglobal = [\"N\"]\n+++*/\n"
                       "__kernel void twice(__global const float* x, __global float* y) {\n"
                       "    y[get_global_id(0)] = " +
                       factor +
                       " * x[get_global_id(0)];\n}\n"
                       "__kernel void truth(__global const float* x, __global float* y) {\n"
                       "    y[get_global_id(0)] = 2 * x[get_global_id(0)];\n}\n")
            .string();
    };
    const std::string teacher = twice("teacher.cl", "\"exact\"", "2");
    const std::string submission = twice("submission.cl", "{absolute = 100}", "3");
    CHECK_TELLS(run_kwb({"check", submission, "--size", "100"}), 0, "1 of 1 size correct");
    CHECK_REFUSED(run_kwb({"check", submission, "--size", "100", "--foreign"}), 2,
                  "declares the problem 'twice'", "--problem");
    folder.write("chooser.cl", "/*+++\nproblem = \"teacher.cl\"\n+++*/\n__kernel void f() {}\n");
    CHECK_REFUSED(run_kwb({"check", (folder / "chooser.cl").string(), "--foreign"}), 2,
                  "chooser.cl: chooses the problem 'twice'");
    // One of several costs itself alone.
    const std::string other = folder.write("other.cl", kernel_source("matmul/01_naive.cl")).string();
    CHECK_TELLS(run_kwb({"check", submission, other, "--size", "9", "--foreign"}), 1, "skipped",
                "1 of 1 size correct");
    CHECK_TELLS(run_kwb({"check", submission, "--size", "100", "--foreign", "--problem", teacher}), 1,
                "wrong");
    CHECK_TELLS(run_kwb({"check", teacher, "--size", "100", "--foreign", "--problem", teacher}), 0,
                "1 of 1 size correct");
}

namespace {

/// A kernel for y = f(x) whose problem does not say what is correct.
std::string untold(const TempFolder& folder, const std::string& name, const std::string& body,
                   const std::string& type = "float", const std::string& more = "") {
    return folder
        .write(name, fmt::format("/*+++\n[problem]\nsizes = {{N = 1000}}\n[problem.buffers]\n"
                                 "x = {{type = \"{0}\", shape = [\"N\"]}}\n"
                                 "y = {{type = \"{0}\", shape = [\"N\"], output = true}}\n{2}"
                                 "[launch]\nkernel = \"f\"\nglobal = [\"N\"]\n+++*/\n"
                                 "__kernel void f(__global const {0}* x, __global {0}* y, int N) {{\n"
                                 "    int i = get_global_id(0);\n    {1}\n}}\n",
                                 type, body, more))
        .string();
}

}  // namespace

TEST_CASE("where nothing says what is correct, a sound kernel ran, and is never called correct") {
    const TempFolder folder;
    const auto run = [&](const std::string& file, const Args& more = {}) {
        Args args = {"run", file, "--rounds", "2", "--json", (folder / "out.json").string()};
        args.insert(args.end(), more.begin(), more.end());
        return run_kwb(args);
    };
    for (const std::string type : {"float", "int", "uchar", "double2"}) {
        const Finished done = run(untold(folder, type + ".cl", "y[i] = x[i] + x[i];", type));
        INFO(type);
        CHECK_TELLS(done, 0, "ran", "does not define what is correct");
        const auto results = nlohmann::json::parse(read_text(folder / "out.json"))["results"];
        CHECK(results[0]["verdict"] == "ran");
        CHECK(results[0]["median_ms"].is_number());
        CHECK(results[0]["wrong_elements"].is_null());
    }
    CHECK_TELLS(run_kwb({"check", (folder / "int.cl").string()}), 0, "sizes ran");

    // What is undefined, whatever the values should be.
    for (const std::string type : {"float", "int"}) {
        INFO(type);
        CHECK_TELLS(run(untold(folder, "gap.cl", "if (i != 7) y[i] = x[i];", type)), 1, "wrong",
                    "1 of 1,000 elements of y was never written (the first is y[7])");
    }
    const std::string adds = "y[i] += x[i];";
    CHECK_TELLS(run(untold(folder, "adds.cl", adds)), 1, "wrong", "uninitialised", "y = 0 under [init]");
    CHECK_TELLS(run(untold(folder, "largest.cl", "y[i] = fmax(y[i], x[i]);")), 1, "wrong", "uninitialised",
                "y = 0 under [init]");
    CHECK_TELLS(run(untold(folder, "clear.cl", adds, "float", "[init]\ny = 0\n")), 0, "ran");
    CHECK_TELLS(run(untold(folder, "int_adds.cl", adds, "int")), 1, "wrong", "y = 0 under [init]");
    const std::string clock = "y[i] = (int)__builtin_readcyclecounter();";
    const std::string ticks = untold(folder, "ticks.cl", clock, "int");
    CHECK_TELLS(run(ticks), 0, "ran", "two runs with the same inputs gave different values");
    const Finished unkept = run(ticks, {"--freeze", (folder / "unkept").string()});
    CHECK(unkept.exit_code == 2);
    CHECK_SAYS(unkept.err, "nothing was saved, because two runs");
    CHECK_TELLS(run(untold(folder, "nan.cl", "y[i] = i == 3 ? NAN : x[i];")), 0, "ran",
                "1 of 1000 elements of y is not a finite number; the first is y[3]");
    // What is stray.
    CHECK_TELLS(run(untold(folder, "past.cl", "y[i] = x[i + 1];")), 1, "out_of_bounds");
    CHECK_TELLS(run(untold(folder, "past_end.cl", "y[i] = x[i]; y[N] = 0;")), 1, "out_of_bounds");
}

#if defined(__x86_64__)
TEST_CASE("where nothing says what is correct, a kernel that stops computing when it is timed is wrong") {
    const TempFolder folder;
    for (const char* name : {"kept_memory.h", "call_system.h"})
        folder.write(name, read_text(std::string(KWB_FAULT_CASES "/neighbours/") + name));
    for (const std::string type : {"float", "int"}) {
        const std::string file =
            untold(folder, type + "_lazy.cl",
                   "__global int* runs = (__global int*)kept_memory(0x6b3000000000) + i;\n"
                   "    if (++*runs <= 40) y[i] = x[i];",
                   type);
        std::string text = read_text(file);
        text.insert(text.find("__kernel"), "#include \"kept_memory.h\"\n");
        folder.write(type + "_lazy.cl", text);
        INFO(type);
        // X-ray would find the memory that belongs to no buffer.
        CHECK_TELLS(run_kwb({"run", file, "--rounds", "5", "--no-xray"}), 1, "wrong",
                    "1,000 of 1,000 elements of y were never written");
    }
}
#endif

TEST_CASE("--freeze keeps outputs as what later runs must compute") {
    const TempFolder folder;
    const std::string more = "[problem.scalars]\nk = {type = \"float\", value = \"1 / 3\"}\n";
    const std::string mine = untold(folder, "mine.cl", "y[i] = sqrt(fabs(x[i]));", "float", more);
    const std::string golden = (folder / "gold en").string();
    const Finished kept =
        run_kwb({"run", mine, "--size", "777", "--rounds", "1", "--seed", "5", "--freeze", golden});
    CHECK_TELLS(kept, 0, "ran", "Outputs written:", "--problem '" + golden + "/mine.toml'");
    const auto against = [&](const std::string& file) {
        return run_kwb({"run", file, "--problem", golden + "/mine.toml", "--rounds", "1"});
    };
    CHECK_TELLS(against(mine), 0, "correct");
    const std::string other =
        folder
            .write("other.cl",
                   "/*+++\nproblem = \"mine.cl\"\n[launch]\nkernel = \"f\"\nglobal = [\"N\"]\n+++*/\n"
                   "__kernel void f(__global const float* x, __global float* y) {\n"
                   "    int i = get_global_id(0);\n    y[i] = i == 700 ? 0 : sqrt(fabs(x[i]));\n}\n")
            .string();
    CHECK_TELLS(against(other), 1, "wrong", "y[700]");
    CHECK_REFUSED(run_kwb({"run", mine, "--freeze", golden}), 2, "mine.toml already exists");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--freeze", golden}), 2,
                  "matmul already defines what is correct");
    CHECK_REFUSED(run_kwb({"run", mine, mine, "--freeze", golden}), 2, "one kernel");
    CHECK_REFUSED(run_kwb({"run", mine, "--freeze", mine}), 2, "--freeze", "mine.cl");

    // What is undefined is not kept. The results are shown all the same.
    const auto keep = [&](const std::string& file) {
        const Finished done = run_kwb({"run", file, "--rounds", "1", "--freeze", (folder / "none").string()});
        CHECK(done.exit_code == 2);
        return done.err;
    };
    CHECK_SAYS(keep(untold(folder, "gap.cl", "if (i != 7) y[i] = x[i];")),
               "nothing was saved, because the verdict is wrong");
}
