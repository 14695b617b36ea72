// SPDX-License-Identifier: Apache-2.0
// Completing and keeping kernels without launch information; no device needed.
#include "experiment/own_kernel.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "catalog/resolve.hpp"
#include "experiment/own_launch.hpp"
#include "experiment/plan.hpp"
#include "experiment/side_car.hpp"
#include "model/json.hpp"
#include "support/temp_folder.hpp"
#include "support/words.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

DeviceInfo device() {
    DeviceInfo device;
    device.id = "test:0";
    device.max_work_group_size = 1024;
    device.max_work_item_sizes = {1024, 1024, 1024};
    device.local_mem_bytes = 48u << 10;
    return device;
}

KernelPlan resolve_for_test(const KernelFile& file) {
    const Problem& problem = get_problem(file.spec.problem);
    return resolve(file, problem.at(problem.default_sizes()), device(), {});
}

std::string replace_all(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

/// A kernel file with `source`, completed with options.
struct Case {
    explicit Case(const std::string& source) { path = folder.write("mine.cl", source); }

    KernelFile complete() {
        notes.clear();
        return complete_kernel(open_kernel_file(path, "mine.cl"), options, notes);
    }
    std::string refusal() {
        try {
            complete();
        } catch (const BadInput& error) {
            return error.what();
        }
        return "(none)";
    }
    /// The completed launch, as "global M,N local 16,16 args a=A".
    std::string launch() {
        const KernelFile file = complete();
        REQUIRE(file.spec.launches.size() == 1);
        const LaunchSpec& launch = file.spec.launches.front();
        std::string text = "global";
        for (const Written& extent : launch.global) text += " " + extent.text;
        if (launch.local) text += " local";
        for (const Written& extent : launch.local.value_or(std::vector<Written>{})) text += " " + extent.text;
        if (!launch.args.empty()) text += " args";
        for (const auto& [name, value] : launch.args) text += " " + name + "=" + value.text;
        return text;
    }

    TempFolder folder;
    std::filesystem::path path;
    OwnOptions options;
    Notes notes;
};

#define CHECK_REFUSAL(one, ...)                                                 \
    do {                                                                        \
        const std::string refused_ = (one).refusal();                           \
        for (const std::string& word : std::vector<std::string>{__VA_ARGS__}) { \
            INFO("wanted: ", word, "\nsaid: ", refused_);                       \
            CHECK(refused_.find(word) != std::string::npos);                    \
        }                                                                       \
    } while (false)

const std::string kProduct =
    "__kernel void mm(__global float* c, __global const float* a, __global const float* b, int n, int m, int "
    "k) {\n"
    "    int col = get_global_id(0), row = get_global_id(1);\n"
    "    if (row < m && col < n) { float s = 0; for (int i = 0; i < k; i++) s += a[row*k+i]*b[i*n+col];\n"
    "      c[row * n + col] = s; }\n}\n";

struct Product : Case {
    Product() : Case(kProduct) { options.problem = "matmul"; }
};

std::string three(const std::string& parameters, const std::string& body = "") {
    return "__kernel void f(" + parameters + ") { " + body + " }\n";
}

}  // namespace

TEST_CASE("arguments told by name alone, and work-items by the guards, make a launch") {
    Product one;
    CHECK(one.launch() == "global round_up(N, local.x) round_up(M, local.y) args c=C a=A b=B n=N m=M k=K");
    const std::string notes = join(one.notes, "\n");
    for (const char* word :
         {"mine.cl does not declare its launch", "mm", "c = C", "guards", "chosen by the driver"})
        CHECK(notes.find(word) != std::string::npos);
}

TEST_CASE("guards the other way round give the work-items the other way round") {
    Case one(replace_all(kProduct, "int col = get_global_id(0), row = get_global_id(1);",
                         "int row = get_global_id(0), col = get_global_id(1);"));
    one.options.problem = "matmul";
    CHECK(one.launch().find("global round_up(M, local.x) round_up(N, local.y)") == 0);
}

TEST_CASE("without guards there is one work-item an element of what is written, innermost first") {
    Case flat(three("__global float* A, __global float* C", "C[get_global_id(0)] = 0;"));
    flat.options.problem = "matmul";
    CHECK(flat.launch() == "global round_up(N * M, local.x)");
    Case square(three("__global float* C", "C[get_global_id(1)] = get_global_id(0);"));
    square.options.problem = "matmul";
    CHECK(square.launch() == "global round_up(N, local.x) round_up(M, local.y)");
    Case sum(three("__global float* X, __global float* R", "R[0] = X[get_global_id(0)];"));
    sum.options.problem = "sum";
    CHECK(sum.launch() == "global round_up(N, local.x)");
    Case task(three("__global float* X, __global float* R", "R[0] = X[0];"));
    task.options.problem = "sum";
    CHECK(task.launch() == "global 1");
    Case deep(three("__global float* C", "C[get_global_id(2)] = 0;"));
    deep.options.problem = "matmul";
    CHECK_REFUSAL(deep, "mine.cl:1: f uses 3 dimensions", "--global \"M,N,K\"");
}

TEST_CASE("--args is for all arguments, for all buffers, or for those that the names do not tell") {
    const std::string source =
        three("__global float* p, __global float* q, __global float* r, uint n, uint z",
              "p[get_global_id(0)] = 0;");
    const auto launch = [&](const std::string& args) {
        Case one(source);
        one.options.problem = "matmul";
        one.options.args = split_list("--args", args);
        return one.launch();
    };
    CHECK(launch("C,A,B,N,K").ends_with("args p=C q=A r=B n=N z=K"));
    CHECK(launch("C,A,B,K").ends_with("args p=C q=A r=B n=N z=K"));
    CHECK(launch("M,K,p=C,q=A,r=B").ends_with("args p=C q=A r=B n=M z=K"));
    CHECK(launch("C,A,B,z=M*N").ends_with("args p=C q=A r=B n=N z=M*N"));
    CHECK(launch("r=C,q=A,p=B,z=1").ends_with("args p=B q=A r=C n=N z=1"));
}

TEST_CASE("what --args gets wrong is refused with what would be right") {
    const auto refused = [](const std::string& args) {
        Case one(three("__global float* p, __global float* q, __global float* r, uint n, uint z",
                       "p[get_global_id(0)] = 0;"));
        one.options.problem = "matmul";
        if (!args.empty()) one.options.args = split_list("--args", args);
        return one.refusal();
    };
    const auto says = [&](const std::string& args, const std::vector<std::string>& words) {
        const std::string text = refused(args);
        for (const std::string& word : words) {
            INFO("wanted: ", word, "\nsaid: ", text);
            CHECK(text.find(word) != std::string::npos);
        }
    };
    says("", {"mine.cl:1: f: cannot tell what to pass for 'p' (a buffer of float)",
              "'z' (a plain uint); matmul has", "A, B and C", "M, N and K", "--args p=…,q=…,r=…,z=…"});
    says("C,A", {"--args gives 2 values", "all 5 arguments (p, q, r, n, z)", "the 3 buffers (p, q, r)",
                 "the 2 numbers (n, z)", "the 4 that no name identifies"});
    says("C,A,B,N,K,M", {"--args gives 6 values"});
    says("C,A,D,N,K", {"'D' is not a buffer of matmul", "A, B and C"});
    says("C,A,B,N,A", {"argument 'z' is a plain uint, but A is a buffer", "M, N or K"});
    says("C,A,B,N,x=K", {"f has no argument 'x'", "p, q, r, n and z"});
    says("p=C,p=A,q=B,r=B,z=1", {"--args sets p twice"});
    says("C,A,B,K*", {"--args 'K*': column"});
    says("C,A,B,QQ+1", {"--args 'QQ+1' for", "QQ"});
    says("C,A,B,z=", {"--args z=", "has no value for z"});
    Case own_names(three("__global float* A, __global float* B", "B[get_global_id(0)] = A[0];"));
    own_names.options.problem = "copy";
    own_names.options.args = {"A", "B"};
    CHECK_REFUSAL(own_names, "'A' is not a buffer of copy", "X and Y");
}

TEST_CASE("a buffer of another type, and an argument that nothing can be given to, are refused") {
    Case type(three("__global int* A, __global float* C", "C[get_global_id(0)] = A[0];"));
    type.options.problem = "matmul";
    CHECK_REFUSAL(type, "mine.cl:1: f: argument 'A' points to int, but A of matmul holds float", "misread");
    Case image(three("read_only image3d_t A, __global float* C", "C[get_global_id(0)] = 0;"));
    image.options.problem = "matmul";
    CHECK_REFUSAL(image, "argument 'A' has the unsupported type image3d_t", "__global",
                  "image2d_t, sampler_t");
    Case size(three("__global float* A, __global float* C, size_t M", "C[get_global_id(0)] = A[0];"));
    size.options.problem = "matmul";
    CHECK_REFUSAL(size, "argument 'M' has the unsupported type size_t", "OpenCL forbids size_t", "use ulong");
    Case pipe(three("read_only pipe float A, __global float* C", "C[get_global_id(0)] = 0;"));
    pipe.options.problem = "matmul";
    CHECK_REFUSAL(pipe, "pipes, which the workbench does not support", "a __global buffer");
    Case near(three("__global float* imge, __global float* result", "result[get_global_id(0)] = 0;"));
    near.options.problem = "convolution";
    CHECK_REFUSAL(near, "'imge'", "Did you mean image?", "--args imge=");
}

TEST_CASE("what is left over is bound and said; what is not certain is left to the person") {
    const auto outcome = [](const std::string& problem, const std::string& parameters) {
        Case one(three(parameters, "int i = get_global_id(0);"));
        one.options.problem = problem;
        const std::string refusal = one.refusal();
        const std::size_t at = refusal.find("Use --args ");
        if (at != std::string::npos) return refusal.substr(at + 11);
        return refusal == "(none)" ? one.notes[2] : refusal;
    };
    CHECK(
        outcome("saxpy", "__global const float* ps, __global float* qs, float c") ==
        "  args    ps = X (nothing else is left), qs = Y (nothing else is left), c = alpha (nothing else is "
        "left)");
    CHECK(outcome("matmul", "__global float* C, __global const float* A, __global const float* q") ==
          "  args    C, A, q = B (nothing else is left)");
    CHECK(outcome("copy", "__global float* x_new, __global float* x_old, int n") == "x_new=…,x_old=…");
    CHECK(outcome("matmul",
                  "__global const float4* a4, __global const float4* b4, __global float4* c4, int offset") ==
          "a4=…,b4=…,c4=…,offset=…");
    CHECK(outcome("copy", "__global const float* X, __global float* Y, int radius") == "radius=…");
    CHECK(outcome("copy", "__global const float* X, __global float* Y, int items_per_thread") ==
          "items_per_thread=…");
    Case cells("struct cell { float x; };\n" +
               three("__global const struct cell* cells, __global float* Y", "Y[get_global_id(0)] = 0;"));
    cells.options.problem = "copy";
    CHECK_REFUSAL(cells, "'cells'", "--args cells=…");
    // An expression may be any number's, so nothing is left over for certain.
    Case one(three("__global const float* X, __global float* Y, int last, int count2",
                   "int i = get_global_id(0);"));
    one.options.problem = "copy";
    one.options.args = {"last=N-1"};
    CHECK_REFUSAL(one, "'count2'", "--args count2=…");
}

TEST_CASE("a kernel that writes vectors has a work-item for each of them") {
    Case flat(
        three("__global const float4* X, __global float4* Y", "Y[get_global_id(0)] = X[get_global_id(0)];"));
    flat.options.problem = "copy";
    CHECK(flat.launch() == "global round_up(ceil_div(N, 4), local.x)");
    CHECK(join(flat.notes, "\n").find("one work-item per vector of Y") != std::string::npos);
    Case square(three("__global float8* C", "C[get_global_id(1)] = get_global_id(0);"));
    square.options.problem = "matmul";
    CHECK(square.launch() == "global round_up(ceil_div(N, 8), local.x) round_up(M, local.y)");
    // Two arguments that get the buffer are seen by the same work-items.
    Case twice(
        three("__global float4* old, __global float4* now", "now[get_global_id(1)] = get_global_id(0);"));
    twice.options.problem = "matmul";
    twice.options.args = {"old=C", "now=C"};
    CHECK(twice.launch().starts_with("global round_up(ceil_div(N, 4), local.x) round_up(M, local.y) args"));
}

TEST_CASE("a [launch] that lacks its kernel or global size is completed, and keeps what it says") {
    const auto front = [](const std::string& launch) {
        return "/*+++\nproblem = \"matmul\"\n[launch]\n" + launch + "\n+++*/\n";
    };
    Case one(front("local = [16, 8]\nargs = {m = \"N\", n = \"M\"}") + kProduct);
    CHECK(one.launch() ==
          "global round_up(M, local.x) round_up(N, local.y) local 16 8 args m=N n=M c=C a=A b=B k=K");
    CHECK(one.notes.front() == "mine.cl declares only part of its launch, so it is run as");
    const Problem& matmul = get_problem("matmul");
    CHECK_THROWS_WITH_AS(make_kernel_plan(open_kernel_file(one.path, "mine.cl"),
                                          matmul.at(matmul.default_sizes()), device(), {}),
                         doctest::Contains("[launch] lacks its kernel or its global size"), BadInput);
    one.options.entry = "mn";
    CHECK_REFUSAL(one, "--entry mn", "it has mm");
    one.options.entry = "mm";
    CHECK(one.refusal() == "(none)");
    one.options.args = {"n=K"};
    CHECK_REFUSAL(one, "mine.cl:5:1: [launch] already sets this", "leave out --args");
    Case other(front("kernel = \"mm\"\nlocal = [8, 8]") + kProduct + three("__global float* C", "C[0] = 0;"));
    CHECK(other.launch().find("global round_up(N, local.x) round_up(M, local.y) local 8 8") == 0);
    other.options.entry = "f";
    CHECK_REFUSAL(other, "mine.cl:4:1: [launch] already sets this; change it here, or leave out --entry");
    Case wrong(front("local = [8]\nargs = {q = \"A\"}") + kProduct);
    CHECK_REFUSAL(wrong, "mine.cl:5:14: args names `q`, which is not an argument of mm");
}

TEST_CASE("--entry with another function than that of the [launch] begins anew") {
    Case one("/*+++\nproblem = \"matmul\"\n[launch]\nkernel = \"f\"\nglobal = [1]\n+++*/\n" + kProduct +
             three("__global float* C", "C[0] = 0;"));
    one.options.entry = "mm";
    CHECK(one.launch().find("global round_up(N, local.x) round_up(M, local.y)") == 0);
    CHECK(one.notes.front() == "mine.cl launches f, but with --entry it is run as");
}

TEST_CASE("an output that no argument is given is missed at once") {
    Case one(three("__global const float* p, __global float* q, int n", "q[get_global_id(0)] = p[0];"));
    one.options.problem = "copy";
    one.options.args = {"X", "X", "N"};
    CHECK_REFUSAL(one, "no argument is bound to the output Y", "p = X, q = X");
    one.options.args = {"X", "Y", "N"};
    CHECK(one.refusal() == "(none)");
}

TEST_CASE(
    "a structure of numbers gets a list, one of anything else is refused, and a macro is told to be one") {
    Case one("typedef struct { int x; float2 y; } dims;\n" +
             three("__global float* C, dims d", "C[get_global_id(0)] = d.x;"));
    one.options.problem = "matmul";
    CHECK_REFUSAL(one, "'d' (a plain dims)", "--args d=[…,…,…]");
    one.options.args = {"d=N"};
    CHECK_REFUSAL(one, "argument 'd' is a plain dims, but 'N' is one number; give d=[…,…,…]");
    one.options.args = {"d=[N, 0.5, 1 / 3]"};
    CHECK(one.launch().ends_with("args d=[N, 0.5, 1 / 3]"));
    Case held("typedef struct { __global float* x; } holder;\n" +
              three("__global float* C, holder h", "C[get_global_id(0)] = 0;"));
    held.options.problem = "matmul";
    CHECK_REFUSAL(held, "argument 'h' has the unsupported type holder");
    Case macro(three("__global float* C, REAL z", "C[get_global_id(0)] = z;"));
    macro.options.problem = "matmul";
    CHECK_REFUSAL(macro, "-D REAL=float");
}

TEST_CASE("a pointer may be null, as many kernels take it for an option") {
    Case one(three("__global float* C, __global float* bias", "C[get_global_id(0)] = bias ? 1 : 0;"));
    one.options.problem = "matmul";
    one.options.args = {"bias=null"};
    CHECK(one.launch().ends_with("bias=null"));
    CHECK(std::get<VectorValue>(resolve_for_test(one.complete()).launches.front().args.back().value).empty());
    one.options.args = {"C=null", "bias=A"};
    CHECK_REFUSAL(one, "no argument is bound to the output C");
}

TEST_CASE("a vector needs a list of numbers, a number must not be one") {
    Case one(three("__global float* C, const int2 shape, uint n", "C[get_global_id(0)] = shape.x + n;"));
    one.options.problem = "matmul";
    CHECK_REFUSAL(one, "'shape' (a plain int2)", "--args shape=[…,…]");
    one.options.args = {"shape=M"};
    CHECK_REFUSAL(one, "argument 'shape' is a plain int2, but 'M' is one number", "shape=[");
    one.options.args = {"shape=[M,N]", "n=[1,2]"};
    CHECK_REFUSAL(one, "argument 'n' is a plain uint, but '[1,2]' is a list", "n=…");
    one.options.args = {"shape=[M,N,K]"};
    CHECK_REFUSAL(one, "'[M,N,K]' is a list of 3 numbers", "give shape=[…,…]");
    one.options.args = {"shape=[1]"};
    CHECK_REFUSAL(one, "'[1]' is a list of 1 number");
    one.options.args = {"shape=[M,N]"};
    CHECK(one.launch().ends_with("shape=[M,N] n=N"));
}

TEST_CASE("the kernel function is the only one, or the one that --entry names") {
    Case none("void f(int n) {}\n");
    none.options.problem = "matmul";
    CHECK_REFUSAL(none, "mine.cl: no kernel function was found", "__kernel void name");
    Case hidden("#ifdef USE_FLOAT\n__kernel void f(int n) {}\n#endif\n");
    hidden.options.problem = "matmul";
    CHECK_REFUSAL(hidden, "f (line 2) is inside #ifdef USE_FLOAT (line 1), which does not hold",
                  "-D USE_FLOAT=1");
    Case two("__kernel void one(__global float* C) { C[get_global_id(0)] = 0; }\n" + kProduct);
    two.options.problem = "matmul";
    CHECK_REFUSAL(two, "has 2 kernel functions, one and mm", "--entry one");
    two.options.entry = "onw";
    CHECK_REFUSAL(two, "--entry onw", "it has one and mm", "Did you mean one?");
    two.options.entry = "mm";
    CHECK(two.complete().spec.launches.front().kernel == "mm");
}

TEST_CASE("__local pointers need their sizes, and nothing else does") {
    const std::string source =
        three("__global float* C, __local float* tile", "tile[get_local_id(0)] = C[get_global_id(0)];");
    Case one(source);
    one.options.problem = "matmul";
    CHECK_REFUSAL(one, "mine.cl:1: f: argument 'tile' is a __local pointer to float", "--local-arg tile=");
    one.options.local_mem = {{"tiel", "16"}};
    CHECK_REFUSAL(one, "--local-arg tiel=16: f has no argument 'tiel'", "Did you mean tile?");
    one.options.local_mem = {{"C", "16"}};
    CHECK_REFUSAL(one, "argument 'C' of f is not a __local pointer but a buffer of float", "--args");
    one.options.local_mem = {{"tile", "TILE"}};
    CHECK_REFUSAL(one, "--local-arg tile 'TILE' for", "TILE");
    one.options.local_mem = {{"tile", "16"}, {"tile", "17"}};
    CHECK_REFUSAL(one, "given twice");
    one.options.local_mem = {{"tile", "TILE * TILE"}};
    one.options.defines = {{"TILE", "8"}};
    one.options.local = {"TILE"};
    const KernelFile file = one.complete();
    const KernelPlan plan = resolve_for_test(file);
    CHECK(plan.launches.front().local_mem.front().value == 64);
    CHECK(plan.launches.front().local == std::vector<std::uint64_t>{8});
    one.options.args = {"tile=C"};
    CHECK_REFUSAL(one, "tile of f is a __local pointer", "--local-arg tile=256");
}

TEST_CASE("-D gives macros, sizes among them, but not those that the source defines itself") {
    Case one("#define TILE 16\n#ifndef N\n#define N 4\n#endif\n" +
             three("__global float* C", "C[get_global_id(0)] = N;"));
    one.options.problem = "matmul";
    one.options.defines = {{"N", "N"}, {"REAL", "float4"}};
    const KernelPlan plan = resolve_for_test(one.complete());
    CHECK(plan.defines == NamedList<std::string>{{"N", "512"}, {"REAL", "float4"}});
    one.options.defines = {{"TILE", "8"}};
    CHECK_REFUSAL(one, "mine.cl:1:1: this #define overrides the value chosen for TILE", "leave out -D TILE");
    one.options.defines = {{"X", "1"}, {"X", "2"}};
    CHECK_REFUSAL(one, "-D X=2", "given twice");
    one.options.defines = {{"X", "TYLE"}};
    CHECK_REFUSAL(one, "-D X 'TYLE' for", "TYLE");
}

TEST_CASE("global and local sizes are expressions, as many of one as of the other") {
    Product one;
    one.options.global = split_list("--global", "round_up(M,8),N*2");
    one.options.local = split_list("--local", "8x4");
    CHECK(one.launch().find("global round_up(M,8) N*2 local 8 4") == 0);
    one.options.local = {"8"};
    CHECK_REFUSAL(one, "local and global", "1 size", "2 sizes");
    one.options.global = {"1", "2", "3", "4"};
    CHECK_REFUSAL(one, "--global 1,2,3,4", "4 sizes");
    one.options.global = {"rund_up(M,8)", "N"};
    CHECK_REFUSAL(one, "--global 'rund_up(M,8)'", "rund_up");
    one.options.global = {"P", "N"};
    one.options.local = {};
    CHECK_REFUSAL(one, "--global 'P' for", "mine.cl");
    CHECK_THROWS_AS(split_list("--global", "M,,N"), BadInput);
}

TEST_CASE("names that options cannot know are explained: macros of the source, sizes without a comma") {
    Case one("#define TS 16\n#define RTS (TS / 4)\n" +
             three("__global float* C", "C[get_global_id(1)] = get_local_id(0);"));
    one.options.problem = "matmul";
    one.options.local = {"TS", "RTS"};
    CHECK_REFUSAL(one, "--local 'TS': TS is a #define of the source (", "mine.cl:1); write its value, 16");
    one.options.local = {"16", "RTS"};
    CHECK_REFUSAL(one, "--local 'RTS': RTS is a #define of the source (", "write its value, (TS / 4)");
    one.options.local = {};
    one.options.global = {"MxN"};
    CHECK_REFUSAL(one, "--global 'MxN': separate expressions by commas: --global M,N");
    one.options.global = {"M N"};
    CHECK_REFUSAL(one, "--global 'M N': separate expressions by commas: --global M,N");
    one.options.global = {"Mx16"};
    CHECK_REFUSAL(one, "separate expressions by commas: --global M,16");
    one.options.global = {"M +"};
    CHECK_REFUSAL(one, "--global 'M +': column");
}

TEST_CASE("a file that includes itself is told so") {
    Case one("#include \"mine.cl\"\n" + kProduct);
    one.options.problem = "matmul";
    CHECK_REFUSAL(one, "mine.cl:1: includes itself");
}

TEST_CASE("reqd_work_group_size of the source is the work-group") {
    Case one(replace_all(kProduct, "__kernel void",
                         "__kernel __attribute__((reqd_work_group_size(8, 4, 1))) void"));
    one.options.problem = "matmul";
    CHECK(one.launch().find("local 8 4 args") != std::string::npos);
}

TEST_CASE("reqd_work_group_size is the work-group of a complete [launch] without one, too") {
    Case one(
        "/*+++\nproblem = \"copy\"\n[launch]\nkernel = \"f\"\nglobal = [\"round_up(N, local.x)\"]\n+++*/\n"
        "__attribute__((reqd_work_group_size(48, 1, 1))) " +
        three("__global const float* X, __global float* Y", "Y[get_global_id(0)] = X[get_global_id(0)];"));
    CHECK(one.launch() == "global round_up(N, local.x) local 48");
    std::vector<std::optional<KernelFile>> alone = {open_kernel_file(one.path, "mine.cl")};
    complete_kernels(alone, {}, one.notes);
    REQUIRE(alone[0]->spec.launches.front().local);
    CHECK(alone[0]->spec.launches.front().local->front().text == "48");
}

TEST_CASE("a guessed launch is named with a bad verdict, and can be turned") {
    const std::string unguarded = replace_all(kProduct, "if (row < m && col < n)", "");
    Case one(unguarded);
    one.options.problem = "matmul";
    KernelFile file = one.complete();
    KernelResult result;
    result.verdict = Verdict::OutOfBounds;
    CHECK(advise_on_guess(result, file.spec) ==
          "launched over round_up(N, local.x) × round_up(M, local.y), which was a guess; if the kernel needs "
          "another NDRange, set it with --global");
    REQUIRE(swap_guess(file.spec));
    CHECK(join_written(file.spec.launches.front().global, " ") ==
          "round_up(M, local.x) round_up(N, local.y)");
    result.verdict = Verdict::CompileError;
    CHECK(advise_on_guess(result, file.spec) == "");
    one.options.global = {"N", "M"};
    file = one.complete();
    result.verdict = Verdict::Wrong;
    CHECK(advise_on_guess(result, file.spec) == "");
    CHECK_FALSE(swap_guess(file.spec));
}

TEST_CASE(
    "a kernel that is told one size is known to need square instances, where rows have another length") {
    const auto only = [](const std::string& source, const std::string& problem) {
        Case one(source);
        one.options.problem = problem;
        return only_size_of(one.complete(), get_problem(problem));
    };
    const std::string matrices = "__global const float* A, __global const float* B, __global float* C";
    const std::string body = "C[get_global_id(1) * N + get_global_id(0)] = A[0] + B[0];";
    CHECK(only(three(matrices + ", int N", body), "matmul") == "N");
    CHECK(only(three(matrices + ", int n", replace_all(body, "N", "n")), "matmul") == "N");
    CHECK(only(three(matrices + ", int N, int K", body), "matmul") == "");
    CHECK(only(three(matrices + ", int N", body + " int m = get_global_size(1);"), "matmul") == "");
    CHECK(only(three("__global const float* X, __global float* Y, int N", "Y[get_global_id(0)] = X[0];"),
               "copy") == "");
    const std::string transpose = "__global const float* A, __global float* B, int N";
    CHECK(only(three(transpose, "B[get_global_id(0) * N + get_global_id(1)] = A[0];"), "transpose") == "N");
}

TEST_CASE("a file without a problem is told those that its buffers fit, and none else") {
    const auto advice = [](const std::string& source) {
        Case one(source);
        try {
            problem_of(open_kernel_file(one.path, "mine.cl"));
        } catch (const BadInput& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const std::string relu = advice(three("__global const float* in, __global float* out, int n"));
    CHECK(says(relu, "its buffers fit transpose"));
    CHECK(says(relu, "copy"));
    CHECK_FALSE(says(relu, "--problem matmul"));
    const std::string own = advice(three("__global const float4* bodies, __global float4* forces, int n"));
    CHECK(says(own, "its buffers fit no built-in problem"));
    CHECK(says(own, "kwb new --from"));
    CHECK_FALSE(says(own, "--problem matmul"));
    CHECK(says(advice(kProduct), "kwb adopt"));
    CHECK(says(advice(kProduct), "--problem matmul"));
}

TEST_CASE("options that contradict the front matter are refused with its place") {
    const std::string front =
        "/*+++\nproblem = \"matmul\"\n[params]\nT = [1, 2]\n[defines]\nU = 3\n[launch]\nkernel = "
        "\"mm\"\nglobal = [\"N\", \"M\"]\n+++*/\n";
    Case one(front + kProduct);
    one.options.problem = "transpose";
    CHECK_REFUSAL(one, "mine.cl:2:1: the file solves matmul, but --problem is transpose");
    one.options = {};
    one.options.entry = "mm";
    CHECK_REFUSAL(one, "mine.cl:7:", "[launch] already declares", "leave out --entry");
    one.options = {};
    one.options.local = {"T", "T"};
    CHECK_REFUSAL(one, "leave out --local");
    one.options = {};
    one.options.defines = {{"T", "1"}};
    CHECK_REFUSAL(one, "mine.cl:4:1: T is a parameter", "--param T=1");
    one.options.defines = {{"U", "1"}};
    CHECK_REFUSAL(one, "mine.cl:6:1: [defines] already sets U", "leave out -D U");
    one.options.defines = {{"V", "1"}};
    CHECK(one.complete().spec.defines.size() == 2);
    one.options = {};
    one.options.problem = "matmul";
    one.options.local = {"16", "16"};  // the work-group size can always be chosen
    CHECK(one.refusal() == "(none)");
}

TEST_CASE("an unknown problem is refused with those there are, and a file without any keeps its gap") {
    Product one;
    one.options.problem = "matmull";
    CHECK_REFUSAL(one, "matmull", "matmul", "transpose");
    one.options = {};
    CHECK(one.complete().spec.launches.empty());
}

TEST_CASE("--init names buffers of the problem, with a number or their input") {
    Product one;
    one.options.init = {{"C", "0"}};
    CHECK(one.complete().spec.init[0].value.value == 0);
    one.options.init = {{"C", "input"}};
    CHECK(one.complete().spec.init[0].value.to_input);
    for (const char* value : {"0", "input"}) {
        one.options.init = {{"A", value}};
        CHECK_REFUSAL(one,
                      std::string("--init A=") + value + ": A is only read, but --init works for outputs: C");
    }
    one.options.init = {{"D", "0"}};
    CHECK_REFUSAL(one, "--init D=0: matmul has no buffer 'D'", "A, B and C");
    one.options.init = {{"C", "zero"}};
    CHECK_REFUSAL(one, "--init C=zero", "--init C=0");
}

TEST_CASE("options about a launch are for the only file that has none") {
    Product one;
    Product other;
    const auto refused = [&](std::vector<std::optional<KernelFile>> contestants,
                             const OwnOptions& options) -> std::string {
        Notes notes;
        try {
            complete_kernels(contestants, options, notes);
        } catch (const BadInput& error) {
            return error.what();
        }
        return "(none)";
    };
    const KernelFile bare = open_kernel_file(one.path, "mine.cl");
    const KernelFile second = open_kernel_file(other.path, "other.cl");
    const KernelFile whole = one.complete();
    OwnOptions options;
    options.problem = "matmul";
    CHECK(refused({bare, second}, options) == "(none)");
    options.entry = "mm";
    CHECK(refused({bare, second}, options).find("--entry applies to one file, but mine.cl and other.cl") ==
          0);
    CHECK(refused({bare, whole}, options) == "(none)");
    CHECK(refused({whole, whole}, options).find("--entry works only for a file without a launch") == 0);
    // The problem is taken from the other kernels.
    CHECK(refused({bare, whole}, OwnOptions()) == "(none)");
    CHECK(refused({bare, std::nullopt}, OwnOptions()) == "(none)");
}

TEST_CASE("of a file that is refused in the end no notes are kept") {
    const std::string head = "/*+++\nproblem = \"matmul\"\n[launch]\nargs = {n = ";
    Case good(head + "\"N\"}\n+++*/\n" + kProduct);
    Case empty(head + "\"0\"}\n+++*/\n" + kProduct);
    std::vector<std::optional<KernelFile>> both = {open_kernel_file(good.path, "good.cl"),
                                                   open_kernel_file(empty.path, "empty.cl")};
    Notes notes;
    complete_kernels(both, {}, notes);
    CHECK(both[1]->refusal.has_value());
    CHECK(join(notes, "\n").find("good.cl declares only part") == 0);
    CHECK(join(notes, "\n").find("empty.cl") == std::string::npos);
}

TEST_CASE("a side-car says what the options said: read back, the plan is the same") {
    struct Trial {
        std::string source;
        OwnOptions options;
    };
    OwnOptions plain;
    plain.problem = "matmul";
    OwnOptions all = plain;
    all.defines = {{"TILE", "8"}, {"ROWS", "M"}, {"REAL", "float"}, {"NOTE", "'a \"quoted\" \\\\ text'"}};
    all.local = {"TILE", "TILE"};
    all.global = {"round_up(N, TILE)", "1024"};
    all.args = {"p=C", "v=[1, M / 3]", "z=2.5"};
    all.local_mem = {{"tile", "TILE * local.x"}};
    all.init = {{"C", "-1.5"}};
    OwnOptions automatic = plain;
    automatic.local = {"auto"};
    const std::string wide =
        three("__global REAL* p, const float2 v, float z, __local REAL* tile", "p[get_global_id(1)] = 0;");
    for (const Trial& trial : {Trial{kProduct, plain}, Trial{wide, all}, Trial{kProduct, automatic}}) {
        Case one(trial.source);
        one.options = trial.options;
        const KernelFile completed = one.complete();
        write_file(side_car_of(one.path), side_car_text(completed.spec));
        const KernelFile read = open_kernel_file(one.path, "mine.cl");
        INFO(read_file(side_car_of(one.path)));
        CHECK(read.declared_in == side_car_of(one.path).string());
        CHECK(to_json(resolve_for_test(read)) == to_json(resolve_for_test(completed)));
    }
}

TEST_CASE("options for the compiler come after those of the file, and are for each kernel") {
    const TempFolder folder;
    const std::string kernel = "__kernel void f(__global const float* X, __global float* Y, int N) {}\n";
    const auto own = folder.write("own.cl",
                                  "/*+++\nproblem = \"copy\"\n[build]\noptions = \"-DA\"\n"
                                  "[launch]\nkernel = \"f\"\nglobal = [\"N\"]\n+++*/\n" +
                                      kernel);
    const auto bare = folder.write("bare.cl", kernel);
    std::vector<std::optional<KernelFile>> files = {open_kernel_file(own, "own.cl"),
                                                    open_kernel_file(bare, "bare.cl")};
    OwnOptions options;
    options.build_options = "-cl-opt-disable";
    Notes notes;
    complete_kernels(files, options, notes);
    CHECK(files[0]->spec.build_options == "-DA -cl-opt-disable");
    CHECK(files[1]->spec.build_options == "-cl-opt-disable");
    CHECK(side_car_text(files[1]->spec).find("[build]\noptions = \"-cl-opt-disable\"") != std::string::npos);
}

TEST_CASE("a file with a front matter needs no adoption, and its side-car is not looked at") {
    Case whole("/*+++\nproblem = \"matmul\"\n+++*/\n" + kProduct);
    CHECK_THROWS_WITH_AS(open_bare_kernel(whole.path),
                         doctest::Contains("has a front matter, which declares how it is run"), BadInput);
    Case bare(kProduct);
    bare.folder.write("mine.cl.toml", "this is no TOML");
    CHECK(open_bare_kernel(bare.path).spec.launches.empty());
}
