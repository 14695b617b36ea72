// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "catalog/edited_texts.hpp"
#include "catalog/resolve.hpp"
#include "experiment/opened_experiment.hpp"
#include "experiment/own_kernel.hpp"
#include "experiment/own_launch.hpp"
#include "experiment/own_options.hpp"
#include "experiment/side_car.hpp"
#include "experiment/starting_point.hpp"
#include "support/temp_folder.hpp"
#include "support/words.hpp"

using namespace kwb;
using namespace kwb::test;

// Kernels without launch information, for problems declared by the user; no device needed.

namespace {

const std::string kScale =
    "__kernel void scale(__global const float* x, __global float* y, float factor, int N) {\n"
    "    int i = get_global_id(0);\n    if (i < N) y[i] = factor * x[i];\n}\n";

/// @param sizes, shape  TOML text for the problem
std::string declaration(const std::string& sizes, const std::string& shape) {
    return "[problem]\nsizes = {" + sizes +
           "}\nscalars = {factor = 3}\nreference = {launch = {kernel = \"scale\", global = [\"N\"]}}\n"
           "[problem.buffers]\nx = {shape = [\"" +
           shape + "\"]}\ny = {shape = [\"" + shape + "\"], output = true}\n";
}

std::string joined(const std::vector<Written>& extents) {
    std::string text;
    for (const Written& extent : extents) text += extent.text + ";";
    return text;
}

struct Scene {
    TempFolder folder;
    std::filesystem::path declares =
        folder.write("scale.cl", "/*+++\n" + declaration("N = 1000", "N") + "+++*/\n" + kScale);
    std::filesystem::path bare = folder.write("theirs.cl", kScale);
};

}  // namespace

TEST_CASE("a file that declares its problem but no launch is completed for that problem") {
    Scene scene;
    Notes notes;
    const KernelFile file = complete_kernel(open_kernel_file(scene.declares, "scale.cl"), {}, notes);
    REQUIRE(file.spec.launches.size() == 1);
    CHECK(joined(file.spec.launches.front().global) == "round_up(N, local.x);");
    CHECK_FALSE(notes.empty());
}

TEST_CASE("a file that says nothing solves the declared problem of the others, or that of --problem FILE") {
    Scene scene;
    Notes notes;
    std::vector<std::optional<KernelFile>> both = {open_kernel_file(scene.declares, "scale.cl"),
                                                   open_kernel_file(scene.bare, "theirs.cl")};
    complete_kernels(both, {}, notes);
    CHECK(common_problem(both).name() == "scale");
    CHECK(both[1]->spec.launches.size() == 1);

    OwnOptions options;
    options.problem = scene.declares.string();
    std::vector<std::optional<KernelFile>> alone = {open_kernel_file(scene.bare, "theirs.cl")};
    complete_kernels(alone, options, notes);
    CHECK(common_problem(alone).name() == "scale");
    // Naming the problem also for the file that declares it is no contradiction.
    both = {open_kernel_file(scene.declares, "scale.cl"), open_kernel_file(scene.bare, "theirs.cl")};
    complete_kernels(both, options, notes);
    CHECK(common_problem(both).name() == "scale");
    options.problem = scene.bare.string();
    CHECK_THROWS_WITH_AS(complete_kernels(alone, options, notes), doctest::Contains("declares no problem"),
                         BadInput);
}

TEST_CASE("shapes that do not fit every size need an explicit global size") {
    Scene scene;
    const std::string unguarded =
        "__kernel void scale(__global const float* x, __global float* y, float factor) {\n"
        "    y[get_global_id(0)] = factor * x[get_global_id(0)];\n}\n";
    const auto halves =
        scene.folder.write("halves.cl", "/*+++\n" + declaration("N = 1000", "N / 2") + "+++*/\n" + unguarded);
    Notes notes;
    CHECK_THROWS_WITH_AS(complete_kernel(open_kernel_file(halves, "halves.cl"), {}, notes),
                         doctest::Contains("set it with --global"), BadInput);
    OwnOptions options;
    options.global = {"N / 2"};
    CHECK(complete_kernel(open_kernel_file(halves, "halves.cl"), options, notes).spec.launches.size() == 1);
}

TEST_CASE("cpu:blas alone does not tell what a file solves, for its library solves several problems") {
    const TempFolder folder;
    const auto bare =
        folder.write("tr.cl", "__kernel void k(__global const float* A, __global float* B) {}\n");
    Notes notes;
    std::vector<std::optional<KernelFile>> both = {open_kernel_file(bare, "tr.cl"), std::nullopt};
    complete_kernels(both, {}, notes);
    CHECK(both.front()->spec.problem.empty());
    CHECK_THROWS_WITH_AS(common_problem(both), doctest::Contains("does not name the problem that it solves"),
                         BadInput);
    OwnOptions options;
    options.problem = "transpose";
    complete_kernels(both, options, notes);
    CHECK(common_problem(both).name() == "transpose");
}

TEST_CASE("a side-car leads to a problem in the kernel's folder or below, and nowhere else") {
    Scene scene;
    const auto adopted = [&](const std::filesystem::path& kernel, const std::filesystem::path& problem) {
        OwnOptions options;
        options.problem = problem.string();
        std::vector<std::optional<KernelFile>> alone = {open_bare_kernel(kernel)};
        Notes notes;
        complete_kernels(alone, options, notes);
        return problem_in_side_car(*alone.front());
    };
    CHECK(adopted(scene.bare, scene.declares) == "scale.cl");
    const auto below = scene.folder.write("q/other.cl", read_file(scene.declares));
    CHECK(adopted(scene.bare, below) == "q/other.cl");
    // Regardless of how the paths are given: relative to the working folder, or through a symbolic link.
    CHECK(adopted(std::filesystem::relative(scene.bare), below) == "q/other.cl");
    std::filesystem::create_directory_symlink(scene.folder / "q", scene.folder / "link");
    const auto beside = scene.folder.write("q/theirs.cl", kScale);
    CHECK(adopted(beside, scene.folder / "link/other.cl") == "other.cl");
    CHECK_THROWS_WITH_AS(adopted(beside, scene.declares),
                         doctest::Contains("is outside the kernel's folder, and a side-car must not refer to "
                                           "files there. Copy it, and the files that it names, next to"),
                         BadInput);
    std::vector<std::optional<KernelFile>> known = {open_bare_kernel(scene.bare)};
    known.front()->spec.problem = "matmul";
    CHECK(problem_in_side_car(*known.front()) == "matmul");
}

// Guessed launches of kernels without launch information; no device needed.

namespace {

/// A problem with two buffers x and y, both with the extents `shape`.
std::string declaring(const std::string& sizes, const std::string& shape) {
    return "/*+++\n[problem]\nsizes = {" + sizes +
           "}\nreference = {launch = {kernel = \"f\", global = [1]}}\n[problem.buffers]\nx = {shape = [" +
           shape + "]}\ny = {shape = [" + shape + "], output = true}\n+++*/\n";
}

const std::string kUnguarded =
    "__kernel void f(__global const float* x, __global float* y) {\n"
    "    y[get_global_id(0)] = x[get_global_id(0)];\n}\n";

std::vector<std::string> extents_of(const std::string& sizes, const std::string& shape) {
    TempFolder folder;
    const auto path = folder.write("mine.cl", declaring(sizes, shape) + kUnguarded);
    std::string buffer;
    return natural_extents(*open_kernel_file(path, "mine.cl").own_problem, buffer);
}

DeviceInfo launch_device() {
    DeviceInfo device;
    device.max_work_group_size = 1024;
    device.max_work_item_sizes = {1024, 1024, 1024};
    return device;
}

}  // namespace

TEST_CASE("an extent is a size where it is that size, not where it happens to have its value") {
    using Names = std::vector<std::string>;
    CHECK(extents_of("N = 1000", "\"N\"") == Names{"N"});
    CHECK(extents_of("M = 30, N = 1000", "\"M\", \"N\"") == Names{"N", "M"});
    for (const char* literal : {"101", "103", "107", "137", "199", "197", "167"}) {
        CAPTURE(literal);
        CHECK(extents_of("N = 1000", std::string("\"N\", ") + literal) == Names{});
        CHECK(extents_of("M = 3, N = 1000", std::string("\"N\", ") + literal) == Names{});
    }
    // Adjacent primes are close together: M + 2 must not be taken for N, whichever of the two is larger.
    for (const char* sum : {"M + 2", "N + 2", "N - 2", "M - 2"}) {
        CAPTURE(sum);
        CHECK(extents_of("M = 30, N = 1000", std::string("\"") + sum + "\"") == Names{});
    }
}

TEST_CASE("an extent that is not a size needs an explicit global size") {
    TempFolder folder;
    const auto path = folder.write("mine.cl", declaring("N = 1000", "\"N\", 101") + kUnguarded);
    Notes notes;
    CHECK_THROWS_WITH_AS(complete_kernel(open_kernel_file(path, "mine.cl"), {}, notes),
                         doctest::Contains("set it with --global"), BadInput);
}

TEST_CASE("a guess without a value names the kernel, says that it is guessed, and how to say it instead") {
    TempFolder folder;
    const auto path =
        folder.write("mine.cl", declaring("N = 1000", "\"N\"") +
                                    "__kernel void f(__global const float* x, __global float* y, int n) {\n"
                                    "    int i = get_global_id(0);\n    if (i < n) y[i] = x[i];\n}\n");
    const auto refusal = [&](const std::string& n, std::int64_t size) -> std::string {
        OwnOptions options;
        options.args = {"n=" + n};
        Notes notes;
        try {
            const KernelFile file = complete_kernel(open_kernel_file(path, "mine.cl"), options, notes);
            resolve(file, file.own_problem->at({{"N", size}}), launch_device(), {});
        } catch (const BadInput& error) {
            return error.what();
        }
        return "(none)";
    };
    CHECK(refusal("N", 5) == "(none)");
    CHECK(refusal("0", 5) ==
          path.string() +
              ": this global size is 0. It must be at least 1. `round_up(0, local.x)` is only a guess for f "
              "(as far as its guards allow), so set it with --global, e.g. --global \"N\"");
    // The same if the guess is invalid only at this size.
    for (const char* n : {"N - 5", "N - 9"}) {
        const std::string told = refusal(n, 5);
        CAPTURE(told);
        CHECK(told.find("is only a guess for f") != std::string::npos);
        CHECK(told.find("--global \"N\"") != std::string::npos);
    }
}

// Advice to users about kernels without launch information.

TEST_CASE("the command that keeps a launch can be pasted into a shell") {
    KernelFile file;
    file.spec.file = "my gemm.cl";
    OwnOptions options;
    options.problem = "matmul";
    options.entry = "mm";
    options.args = {"C", "A", "B", "N", "M", "K"};
    options.global = {"round_up(N, 16)", "M"};
    options.local = {"16", "4"};
    options.defines = {{"OP", "'max'"}, {"T", "16"}};
    options.local_mem = {{"tile", "T*T"}};
    options.init = {{"C", "0"}};
    options.build_options = "-cl-opt-disable";
    CHECK(adopt_command(file, options) ==
          "kwb adopt 'my gemm.cl' --problem matmul --entry mm --args C,A,B,N,M,K --global "
          "'round_up(N, 16),M' --local 16x4 -D 'OP='\\''max'\\''' -D T=16 --local-arg 'tile=T*T' --init C=0 "
          "--build-options -cl-opt-disable");
    file.spec.file = "-x.cl";
    file.spec.problem = "sum";  // taken from the other kernels of the run
    CHECK(adopt_command(file, {}) == "kwb adopt ./-x.cl --problem sum");
}

TEST_CASE("parameters of a file are names of its launch, though its source defines them too") {
    const TempFolder folder;
    const auto path =
        folder.write("p.cl",
                     "/*+++\nproblem = \"copy\"\n[params]\nTILE = [16, 8]\n+++*/\n#ifndef TILE\n#define TILE "
                     "16\n#endif\n__kernel void f(__global const float* X, __global float* Y, int N) {}\n");
    OwnOptions options;
    options.global = {"round_up(N, TILE)"};
    options.local = {"TILE"};
    Notes notes;
    CHECK(complete_kernel(open_kernel_file(path, "p.cl"), options, notes).spec.launches.size() == 1);
}

TEST_CASE("names that a compiler misses may be macros of a host program") {
    const TempFolder folder;
    const auto path = folder.write(
        "mine.cl", "#ifndef WA\n#error \"WA must be defined by the host\"\n#endif\n__kernel void f() {}\n");
    KernelFile file = open_kernel_file(path, "mine.cl");
    KernelResult result;
    result.verdict = Verdict::CompileError;
    const auto with = [&](const std::string& message) {
        result.diagnostics = {{Severity::Error, "mine.cl", 2, 1, message}};
        return advise_options(result, file);
    };
    CHECK(with("\"WA must be defined by the host\"") == "if its host program defined WA, use -D WA=…");
    CHECK(with("use of undeclared identifier 'LEN'") == "if its host program defined LEN, use -D LEN=…");
    CHECK(with("unknown type name 'REAL'") == "if its host program defined REAL, use -D REAL=float");
    CHECK(with("expected ';' after expression") == "");
    // A function of OpenCL C is not for its host program to define.
    CHECK(with("use of undeclared identifier 'sub_group_reduce_add'") == "");
    // Nor is a part of OpenCL that the workbench does not support, or what that declares.
    result.diagnostics = {{Severity::Error, "mine.cl", 2, 1, "unknown type name 'template'"},
                          {Severity::Error, "mine.cl", 3, 1, "use of undeclared identifier 'add'"}};
    CHECK(advise_options(result, file) == "");
    CHECK(with("use of undeclared identifier 'ndrange_t'") == "");
    file.places = {{"", {}}};  // now the file has front matter
    CHECK(with("use of undeclared identifier 'LEN'") == "");
    file.declared_in = "mine.cl.toml";
    CHECK(with("use of undeclared identifier 'LEN'") ==
          "if its host program defined LEN, add LEN = … to [defines] of mine.cl.toml");
    result.verdict = Verdict::Wrong;
    CHECK(with("use of undeclared identifier 'LEN'") == "");
    result.finding = Finding{.code = FindingCode::DependsOnUnset, .subject = "C"};
    CHECK(with("") == "");
    file.places.clear();
    CHECK(with("") == "here, use --init C=0");
}

TEST_CASE("what is begun from a kernel says what its source tells, and can be run") {
    const TempFolder folder;
    const auto begun = [&](const std::string& source, const NamedList<std::string>& defines = {}) {
        const auto path = folder.write("theirs.cl", source);
        KernelFile file = open_bare_kernel(path);
        for (const auto& define : defines)
            file.spec.defines.push_back({define.name, macro_expression(define)});
        const std::string text = begin_problem(file, choose_entry(file, {}));
        EditedTexts written;
        written.put(side_car_of(path), text);
        Notes notes;
        const KernelFile whole = complete_kernel(open_kernel_file(path, "theirs.cl", written), {}, notes);
        CHECK(resolve_anywhere(whole, {}));
        return text;
    };
    const auto has = [](const std::string& text, const std::string& line) {
        CAPTURE(text);
        CAPTURE(line);
        CHECK(text.find(line + "\n") != std::string::npos);
    };
    const std::string parameters = "(__global const float* src, __global float* dst, ";
    const std::string shared =
        begun("__kernel void f" + parameters +
              "__local float* t, int n) {\n"
              "    int i = get_global_id(0), l = get_local_id(0);\n    t[l] = src[i];\n"
              "    if (i < n) dst[i] = t[l];\n}\n");
    has(shared, "local = [64]");
    has(shared, "local_mem = {t = \"local.x\"}");
    has(begun("__attribute__((reqd_work_group_size(8, 8, 1))) __kernel void f" + parameters +
              "__local float* t, int w, int h) {\n    int x = get_global_id(0), y = get_global_id(1);\n"
              "    t[get_local_id(0)] = 0;\n    if (x < w && y < h) dst[y * w + x] = src[y * w + x];\n}\n"),
        "local_mem = {t = \"local.x * local.y\"}");
    const std::string square = begun("__kernel void f" + parameters +
                                     "int n) {\n    int x = get_global_id(0), y = get_global_id(1);\n"
                                     "    dst[y * n + x] = src[y * n + x];\n}\n");
    has(square, "src = {type = \"float\", shape = [\"n\", \"n\"]}");
    has(square, "sizes = {n = 256}");
    // Rows and columns by the guards, whatever the order of the arguments.
    has(begun("__kernel void f" + parameters +
              "int a, int b) {\n    int x = get_global_id(0), y = get_global_id(1);\n"
              "    if (x < a && y < b) dst[y * a + x] = src[y * a + x];\n}\n"),
        "dst = {type = \"float\", shape = [\"b\", \"a\"], output = true}");
    const std::string changed = begun(
        "__kernel void f(__global float* x, __global int* bins, __global float4* y, int n) {\n"
        "    int i = get_global_id(0);\n    if (i >= n) return;\n"
        "    x[i] *= 2;\n    atomic_inc(&bins[i]);\n    y[i].x = x[i];\n    y[i].yzw = 0;\n}\n");
    has(changed, "x = {type = \"float\", shape = [\"n\"], fill = \"uniform\", output = true}");
    has(changed, "bins = {type = \"int\", shape = [\"n\"], fill = \"integers\", output = true}");
    has(changed, "y = {type = \"float4\", shape = [\"n\"], output = true}");
    const std::string structures = begun(
        "typedef struct { float4 place, speed; } Particle;\n"
        "__kernel void move(__global Particle* p, float dt, int n) {\n"
        "    int i = get_global_id(0);\n    if (i < n) p[i].place += dt * p[i].speed;\n}\n");
    has(structures, "p = {type = \"float\", shape = [\"n\", 8], fill = \"uniform\", output = true}");
    has(structures, "global = [\"round_up(n, local.x)\"]");
    const std::string macros = begun(
        "__kernel void f(__global const T* x, __global T* y) {\n"
        "    y[get_global_id(0)] = x[get_global_id(0)] + N;\n}\n",
        {{"T", "float"}, {"N", "3"}});
    has(macros, "T = \"\\\"float\\\"\"");
    has(macros, "sizes = {SIZE = 4096}");

    const auto refusal = [&](const std::string& source) {
        try {
            begun(source);
        } catch (const BadInput& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(says(refusal("__kernel void f(read_only pipe int p, __global int* o) { o[0] = 0; }\n"),
               "has the type pipe"));
    CHECK(says(refusal("__kernel void f(__global REAL* o) { o[0] = 0; }\n"), "use -D REAL=float"));
    CHECK(says(
        refusal("struct P { float x; int i; };\n__kernel void f(__global struct P* p) { p[0].x = 0; }\n"),
        "a structure's numbers must all have one of them"));
}
