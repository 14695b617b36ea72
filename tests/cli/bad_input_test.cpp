// SPDX-License-Identifier: Apache-2.0
// Invalid input is rejected before anything runs: location, problem, remedy, exit status 2.
#include <sys/stat.h>

#include <filesystem>
#include <set>

#include "base/file.hpp"
#include "cli/kwb.hpp"

using namespace kwb;
using namespace kwb::test;

TEST_CASE("an unknown verb or option is named, with the ones there are") {
    CHECK_REFUSED(run_kwb({"rnu"}), 2, "unknown verb 'rnu'", "Did you mean run?", "doctor", "kwb --help");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--szie", "16"}), 2, "unknown option --szie",
                  "Did you mean --size", "kwb run --help");
    CHECK_REFUSED(run_kwb({"run"}), 2, "KERNEL is required", "kwb run --help");
    CHECK_REFUSED(run_kwb({"sweep", "matmul/naive"}), 2, "--sizes is required");
    CHECK_REFUSED(run_kwb({"--kernels", KWB_SHIPPED_KERNELS, "sweep", "matmul/naive"}), 2,
                  "--sizes is required");
    const Finished stray = run_kwb({"run", "matmul/naive", "--KERNEX", "1"});
    CHECK_REFUSED(stray, 2, "unknown option --KERNEX", "--kernels");
    CHECK(stray.err.find("mean KERNEL") == std::string::npos);
}

TEST_CASE("help is told of the program and of each verb") {
    CHECK_TELLS(run_kwb({"help"}), 0, "kwb run matmul/naive matmul/tiled", "Exit codes");
    CHECK(run_kwb({"help", "sweep"}).out == run_kwb({"sweep", "--help"}).out);
    CHECK_REFUSED(run_kwb({"help", "rnu"}), 2, "unknown verb 'rnu'. Did you mean run?");
    CHECK_REFUSED(run_kwb({"help", "run", "check"}), 2, "one verb at a time");
}

TEST_CASE("what is typed wrong is named, with what would be right") {
    const TempFolder folder;
    const std::string bare =
        folder
            .write("relu.cl", "__kernel void relu(__global const float* in, __global float* out, int n) {}\n")
            .string();
    const std::string text = folder.write("notes.txt", "buy milk\n").string();
    std::filesystem::create_directory(folder.path() / "empty");
    const std::string empty = (folder.path() / "empty").string();
    struct Case {
        Args typed;
        std::vector<std::string> said;
    };
    const Case cases[] = {
        {{"--hlep"}, {"unknown option --hlep. Did you mean --help? 'kwb --help' lists them"}},
        {{"run", "--hlep"}, {"unknown option --hlep. Did you mean --help? 'kwb run --help' lists them"}},
        {{"run", "matmul/naive", "-d", "cpu"}, {"unknown option -d."}},
        {{"--kernels", empty}, {"no verb given"}},
        {{"devices", "--json"}, {"--json needs a value, as in --json F: also write JSON"}},
        {{"run", "matmul/naive", "--device"}, {"--device needs a value"}},
        {{"run", "matmul/naive", "--json", "a", "--json", "b"}, {"--json is given twice"}},
        {{"show", "a", "b"}, {"KERNEL: 2 given, but at most 1 is allowed"}},
        {{"xray", "a", "b", "c"}, {"KERNEL: 3 given, but at most 2 are allowed"}},
        {{"devices", "pocl"}, {"unexpected extra word 'pocl'"}},
        {{"run", "matmul/naive", "--device", "7"},
         {"--device 7", "numbers the devices from 0; available: 0 (pocl:0)"}},
        {{"run", "matmul/naive", "--size", "64,128"}, {"several sizes", "kwb sweep --sizes"}},
        {{"run", "matmul/naive", "--size", "1e6"}, {"'1e6' is not a whole number", "512 or 4k"}},
        {{"run", "matmul/naive", "--local", "16*16"},
         {"--local 16*16", "plain numbers, as in --local 16x16"}},
        {{"run", "matmul/naive.cl"}, {"there is no file matmul/naive.cl; the kernel is called matmul/naive"}},
        {{"run", empty}, {"this folder has no .cl file"}},
        {{"run", text}, {"notes.txt: no kernel function was found"}},
        {{"run", bare}, {"its buffers fit transpose", "copy", "'kwb new --from " + bare + "' drafts"}},
        {{"run", "matmul/naive", "--wait", "5s"}, {"--wait 5s: works only with --on"}},
        {{"xray", "matmul/naive", "--target", "sm_99"}, {"Did you mean sm_89, sm_90"}},
        {{"new", "--from", bare, "--solved"}, {"--solved and --from cannot be combined"}},
        {{"new", "mine.cl", "matmul"}, {"the problem comes first, then the file: kwb new matmul mine.cl"}},
        {{"new", "matmul", "mine.cl", "-D", "T=float"}, {"-D T: works only with --from"}},
        {{"learn", "1", "--verify", empty}, {"cannot be combined"}},
        {{"learn", "--verify", empty, "--once"}, {"cannot be combined"}},
        {{"learn", "--language", "xx"}, {"no lesson is in this language; choose from en and zh"}},
    };
    for (const Case& wrong : cases) {
        CAPTURE(wrong.typed);
        const Finished done = run_kwb(wrong.typed);
        CHECK(done.exit_code == 2);
        CHECK(done.out == "");
        CHECK_SAYS(done.err, wrong.said);
    }
    CHECK(!std::filesystem::exists(bare + ".toml"));
}

TEST_CASE("a folder stands for its kernels, and 1k for 1000") {
    const TempFolder folder;
    const std::string one = folder.write("one.cl", kernel_source("vector_add/01_elements.cl")).string();
    const std::string two = folder
                                .write("two.cl", replaced(kernel_source("vector_add/01_elements.cl"), "+++*/",
                                                          "+++*/\n#define _ printf(\"here\\n\")\n"))
                                .string();
    std::string text = read_file(two);
    text.insert(text.find('{', text.find("__kernel")) + 1, " if (get_global_id(0) == 0) _;");
    folder.write("two.cl", text);
    const Finished done = run_kwb({"run", folder.path().string(), "--size", "1k", "--rounds", "2"});
    CHECK_TELLS(done, 0, one, two, "N=1000", "printed by");
    // Of hundreds of launches one is told.
    CHECK(done.out.find("here") == done.out.rfind("here"));
}

TEST_CASE("an unknown kernel is refused with the nearest names") {
    CHECK_REFUSED(run_kwb({"run", "matmul/tield"}), 2, "there is no kernel 'matmul/tield'",
                  "Did you mean matmul/tiled, ", "kwb kernels");
    CHECK_REFUSED(run_kwb({"show", "naive"}), 2, "Did you mean", "matmul/naive");
    CHECK_REFUSED(run_kwb({"run", "cpu:bla"}), 2, "Did you mean cpu:blas?");
}

TEST_CASE("an unknown device is refused with the ones there are") {
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--device", "pocl:7"}), 2, "unknown device 'pocl:7'",
                  "Did you mean pocl:0?", "kwb devices");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--device", "accelerator"}), 3,
                  "OpenCL finds no accelerator", "pocl:0", "kwb doctor");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--device", ""}), 2, "--device is empty", "kwb devices");
    CHECK_TELLS(run_kwb({"check", "matmul/naive", "--size", "5", "--device", "cpu", "--timeout", "1h"}), 0,
                "correct");
}

TEST_CASE("a file that cannot be read is named with the reason") {
    const TempFolder folder;
    const std::string missing = (folder.path() / "none.cl").string();
    CHECK_REFUSED(run_kwb({"run", missing}), 2, missing, "cannot read", "No such file");
    std::filesystem::create_directory(folder.path() / "folder.cl");
    CHECK_REFUSED(run_kwb({"run", (folder.path() / "folder.cl").string()}), 2, "cannot read",
                  "Is a directory");
    // Opening a pipe without a writer would block for ever.
    const std::string pipe = (folder.path() / "pipe.cl").string();
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    CHECK_REFUSED(run_kwb({"run", pipe}), 2, pipe, "a pipe or a device");
    CHECK_REFUSED(run_kwb({"run", folder.write("empty.cl", "").string()}), 2, "empty.cl: the file is empty");
}

TEST_CASE("one bad file among several costs itself alone, in run, sweep and check") {
    const TempFolder folder;
    const std::string good = kernel_source("matmul/01_naive.cl");
    const std::string kernel = folder.write("good.cl", good).string();
    std::string deep;
    for (int i = 0; i < 20'000; ++i) deep += ".a";
    const std::string bad[] = {
        folder.write("toml.cl", replaced(good, "problem = \"matmul\"", "problem = matmul")).string(),
        folder.write("key.cl", replaced(good, "[launch]\nkernel", "[launch]\nkernle")).string(),
        folder.write("deep.cl", "/*+++\n[a" + deep + "]\n+++*/").string(),
        folder.write("problem.cl", replaced(good, "\"matmul\"", "\"matmull\"")).string(),
        folder.write("bare.cl", "__kernel void f(__global float* X) { X[0] = 1; }\n").string(),
        folder.write("name.cl", replaced(good, "kernel = \"matmul_naive\"", "kernel = \"niave\"")).string(),
        folder.write("repeat.cl", replaced(good, "[launch]\nkernel", "[launch]\nrepeat = 1000000000\nkernel"))
            .string(),
        folder.write("empty.cl", "").string(),
    };
    Args files = {kernel};
    files.insert(files.end(), std::begin(bad), std::end(bad));
    for (const Args& verb : {Args{"run", "--size", "16", "--rounds", "1"}, Args{"check"},
                             Args{"sweep", "--sizes", "8,16", "--rounds", "1"}}) {
        Args args = verb;
        args.insert(args.end(), files.begin(), files.end());
        args.insert(args.end(), {"--json", "-"});
        const nlohmann::json document = kwb_json(args, 1);
        std::set<std::string> skipped;
        for (const auto& result : document["results"]) {
            const std::string name = result["kernel"];
            if (name != kernel) skipped.insert(name);
            CAPTURE(name);
            CHECK(result["verdict"] == (name == kernel ? "correct" : "skipped"));
            if (name != kernel) CHECK_SAYS(result["reason"].get<std::string>(), name);
        }
        CHECK(skipped == std::set<std::string>(std::begin(bad), std::end(bad)));
    }
    const Finished told = run_kwb({"run", bad[0], kernel, "--size", "16", "--rounds", "1"});
    CHECK_TELLS(told, 1, "toml.cl:3:", "skipped", "correct");
    // Where nothing is left to run, and what concerns the command, ends it.
    CHECK_REFUSED(run_kwb({"run", bad[0], bad[1]}), 2, bad[0] + ":3:");
    CHECK_REFUSED(run_kwb({"check", bad[6], "cpu:blas"}), 2, "more than 100000 launches");
    CHECK_REFUSED(run_kwb({"run", kernel, "matmul/niave"}), 2, "there is no kernel 'matmul/niave'");
}

TEST_CASE("an output never replaces a file of the kernel, whatever its path is called") {
    const TempFolder folder;
    folder.write("tile.h", "#define EDGE 8\n");
    const std::string text = "#include \"tile.h\"\n";
    const auto kernel =
        folder.write("mine.cl", replaced(kernel_source("matmul/01_naive.cl"), "__kernel", text + "__kernel"));
    std::filesystem::create_symlink(kernel, folder.path() / "link.json");
    const std::string around = (folder.path() / "." / "mine.cl").string();
    for (const std::string& output : {kernel.string(), around, (folder.path() / "link.json").string()})
        CHECK_REFUSED(run_kwb({"run", kernel.string(), "--json", output}), 2, "--json " + output,
                      "would replace " + kernel.string());
    CHECK_REFUSED(run_kwb({"check", kernel.string(), "--csv", (folder.path() / "tile.h").string()}), 2,
                  "would replace", "tile.h");
    const auto other = folder.write("other.cl", "kept");
    CHECK_REFUSED(run_kwb({"run", kernel.string(), "--json", other.string()}), 2, other.string(),
                  "would replace a kernel's source");
    CHECK_REFUSED(run_kwb({"devices", "--json", other.string()}), 2, "would replace a kernel's source");
    CHECK(read_file(other) == "kept");
    CHECK_SAYS(read_file(kernel), "__kernel");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--json", (folder.path() / "out").string(), "--csv",
                           (folder.path() / "." / "out").string()}),
                  2, "are the same file");
    CHECK(!std::filesystem::exists(folder.path() / "out"));
}

TEST_CASE("an error in the front matter is told with file, line and column") {
    const TempFolder folder;
    const std::string good = kernel_source("matmul/01_naive.cl");
    const auto no_toml = folder.write("toml.cl", replaced(good, "problem = \"matmul\"", "problem = matmul"));
    CHECK_REFUSED(run_kwb({"run", no_toml.string()}), 2, no_toml.string() + ":3:");
    const auto stray = folder.write("stray.cl", replaced(good, "[launch]\nkernel", "[launch]\nkernle"));
    CHECK_REFUSED(run_kwb({"run", stray.string()}), 2, stray.string() + ":7:1", "kernle", "kernel");
    const auto expression =
        folder.write("expression.cl", replaced(good, "round_up(N, local.x)", "round_up(N, local.x"));
    CHECK_REFUSED(run_kwb({"run", expression.string()}), 2, expression.string() + ":9:");
    const auto problem = folder.write("problem.cl", replaced(good, "\"matmul\"", "\"matmull\""));
    CHECK_REFUSED(run_kwb({"run", problem.string()}), 2, problem.string() + ":3:1: unknown problem 'matmull'",
                  "matmul");
    const auto none = folder.write("none.cl", replaced(good, "problem = \"matmul\"\n", ""));
    CHECK_REFUSED(run_kwb({"run", none.string()}), 2, none.string() + ":1:1: ", "name the problem");
    const auto param = folder.write("param.cl", replaced(good, "[launch]", "[params]\nM = 8\n[launch]"));
    CHECK_REFUSED(run_kwb({"run", param.string()}), 2, param.string() + ":7:1: parameter M",
                  "a size of matmul");
    const auto init = folder.write("init.cl", replaced(good, "[launch]", "[init]\nD = 0\n[launch]"));
    CHECK_REFUSED(run_kwb({"run", init.string()}), 2, init.string() + ":7:1: [init] names `D`");
    const auto bare = folder.write("bare.cl", "__kernel void f(__global float* C) { C[0] = 1; }\n");
    CHECK_REFUSED(run_kwb({"run", bare.string()}), 2, bare.string(), "name the problem", "front matter");
}

TEST_CASE(
    "an unknown parameter, and a value that is none of its values, are refused; --force allows the value") {
    CHECK_REFUSED(run_kwb({"run", "matmul/tiled", "--param", "TIEL=8"}), 2, "TIEL", "Did you mean TILE?");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--param", "TILE=8"}), 2,
                  "no kernel here has a parameter 'TILE'");
    CHECK_TELLS(run_kwb({"check", "matmul/naive", "matmul/tiled", "--size", "9", "--param", "TILE=8"}), 0,
                "TILE=8");
    const TempFolder folder;
    const std::string broken = folder.write("broken.cl", "/*+++\ntitle = \n+++*/\n").string();
    const Finished told = run_kwb({"check", "matmul/tiled", broken, "--size", "9", "--param", "TIEL=8"});
    CHECK(told.exit_code == 1);
    CHECK_SAYS(told.err, "no valid kernel here has a parameter 'TIEL'", "Did you mean TILE?");
    CHECK_REFUSED(run_kwb({"run", "matmul/tiled", "--param", "TILE"}), 2, "NAME=VALUE");
    CHECK_REFUSED(run_kwb({"run", "matmul/tiled", "--param", "TILE=7"}), 2, "TILE cannot be 7",
                  "16, 8 and 32", "--force");
    CHECK_TELLS(run_kwb({"check", "matmul/tiled", "--size", "9", "--param", "TILE=4", "--force"}), 0,
                "TILE=4", "correct");
}

TEST_CASE("an invalid size is rejected with an example") {
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--size", "0"}), 2, "size '0'", "at least 1", "512");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--size=-5"}), 2, "size '-5'", "at least 1");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--size", "12a"}), 2, "'12a' is not a whole number");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--size", "8x8"}), 2,
                  "2 sizes, but matmul has 3 (M, N, K)");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--size", "99999999999"}), 2, "2147483647");
    CHECK_REFUSED(run_kwb({"sweep", "matmul/naive", "--sizes", "16,,32"}), 2, "not a whole number");
    CHECK_REFUSED(run_kwb({"sweep", "matmul/naive", "--sizes", ""}), 2, "--sizes is empty", "64,128");
    const auto with_locals = [](const char* locals) {
        return run_kwb({"sweep", "matmul/tiled", "--sizes", "16", "--locals", locals});
    };
    CHECK_REFUSED(with_locals(""), 2, "--locals is empty", "8x8");
    CHECK_REFUSED(with_locals("8x8,no"), 2, "--locals no: give work-group sizes");
    CHECK_REFUSED(with_locals("8x4"), 2, "matmul/tiled", "8");
    CHECK_REFUSED(with_locals("all,8x8"), 2, "all");
    CHECK_REFUSED(run_kwb({"sweep", "matmul/tiled", "--sizes", "16", "--locals", "8x8", "--local", "8x8"}), 2,
                  "--local and --locals exclude each other");
}

TEST_CASE("a size that the device cannot hold is a constraint, said before the launch with the numbers") {
    CHECK_TELLS(run_kwb({"run", "matmul/naive", "--size", "200000"}), 1, "constraint", "149.0 GiB", "GiB",
                "allows at most", "smaller");
}

TEST_CASE("numbers and times that cannot be read are refused with their range") {
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--rounds", "0"}), 2, "--rounds 0", "from 1 to");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--rounds", "many"}), 2, "--rounds many");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--seed", "-1"}), 2, "--seed");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--time-budget", "1d"}), 2, "--time-budget 1d", "500ms",
                  "1h", "bare number is seconds");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--timeout", "0"}), 2, "--timeout 0", "above 0");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--baseline", "matmul/tiled"}), 2,
                  "--baseline matmul/tiled", "matmul/naive");
}

TEST_CASE("a local size that the person chose and that does not fit is bad input") {
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--local", "1024x1024"}), 2, "1048576 work-items",
                  "at most", "would fit");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--local", "0x4"}), 2, "above 0");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--local", "256"}), 2, "2 dimension", "256 has 1");
    CHECK_REFUSED(run_kwb({"run", "matmul/tiled", "--local", "5x5"}), 2, "5x5", "TILE", "16x16, 8x8, 32x32");
    const TempFolder folder;
    const auto file = folder.write(
        "exact.cl", replaced(kernel_source("matmul/01_naive.cl"),
                             "\"round_up(N, local.x)\", \"round_up(M, local.y)\"", "\"N\", \"M\""));
    CHECK_REFUSED(run_kwb({"run", file.string(), "--size", "17", "--local", "4x4"}), 2, "4x4",
                  "do not divide", "17x17", "round_up");
    CHECK_REFUSED(run_kwb({"run", file.string(), "--size", "512", "--local", "10x10"}), 2,
                  "512 / 10 leaves 2 in x", "e.g. 8x8, or");
    CHECK_TELLS(run_kwb({"check", file.string(), "--size", "512", "--local", "8x8"}), 0, "correct");
}

TEST_CASE("a size beyond this machine is a constraint for the processor's library too") {
    CHECK_TELLS(run_kwb({"run", "matmul/naive", "cpu:blas", "--size", "200000"}), 1, "buffer A needs",
                "checking the result needs", "are free", "smaller");
}

TEST_CASE("a local size of the file itself that does not fit is a constraint") {
    const TempFolder folder;
    const std::string good = kernel_source("matmul/01_naive.cl");
    const auto exact = folder.write(
        "exact.cl", replaced(good, "\"round_up(N, local.x)\", \"round_up(M, local.y)\"", "\"N\", \"M\""));
    CHECK_TELLS(run_kwb({"run", exact.string(), "--size", "17", "--rounds", "1"}), 1, "constraint", "16x16",
                "do not divide", "17x17");
    const auto large = folder.write("large.cl", replaced(good, "[16, 16]", "[512, 512]"));
    CHECK_TELLS(run_kwb({"run", large.string(), "--size", "17", "--rounds", "1"}), 1, "constraint",
                "262144 work-items", "at most");
}

TEST_CASE("an output that cannot be written is refused before a judge is started") {
    const TempFolder folder;
    const auto trace = folder.path() / "trace";
    const NamedList<std::string> judge = {{"KWB_JUDGE", "touch " + trace.string()}};
    for (const char* option : {"--json", "--csv"})
        for (const char* verb : {"run", "check"})
            CHECK_REFUSED(run_kwb({verb, "matmul/naive", option, "/nonexistent/out"}, judge), 2,
                          "/nonexistent/out", "cannot write", "No such file");
    CHECK_REFUSED(run_kwb({"devices", "--json", folder.path().string()}, judge), 2, "Is a directory");
    CHECK_REFUSED(run_kwb({"run", "matmul/naive", "--json", "-", "--csv", "-"}, judge), 2, "--json -",
                  "--csv -");
    CHECK(!std::filesystem::exists(trace));
    // The judge would have created the trace file.
    CHECK(run_kwb({"run", "matmul/naive", "--json", (folder.path() / "out").string()}, judge).exit_code == 3);
    CHECK(std::filesystem::exists(trace));
}
