// SPDX-License-Identifier: Apache-2.0
#include "seeds.hpp"

#include <string_view>

#include "base/npy.hpp"
#include "base/png.hpp"
#include "ipc/channel.hpp"

namespace kwb::fuzz {
namespace {

constexpr const char* kAllKeys = R"cl(/*+++
title = "tägl\u00e4ch"
problem = """
matmul"""
source = 'x'
flops = "2 * M * N * K"
moves = 1.5
[params]
TILE = [16, 8, "a", true]
W = 4
[launch]
kernel = "k"
local = ["TILE", 1]
global = ["round_up(N, local.x)", 1]
[init]
C = "input"
A = 0
B = 1.5
[build]
options = "-cl-mad-enable"
[defines]
TWICE = "TILE * 2"
[require]
fits = "TILE * TILE <= device.max_work_group_size"
never = "device.kind == 'gpu'"
[[expect]]
check = ["wrong", "out_of_bounds"]
run = "correct"
when = "M % 16 != 0"
why = "edge"
+++*/
#include "tile.h"
#if !defined(TILE) && 1
#define TILE 16
#elif 0
#else
#endif
)cl";

constexpr const char* kTwoLaunches = R"cl(/*+++
problem = "matmul"

[scratch]
T = "N * K"
U = {type = "float4", elements = "M"}

[[launch]]
kernel = "transpose"
local  = [16, 16]
global = ["round_up(N, 16)", "round_up(K, 16)"]
args   = {in = "B", out = "T", rows = "K", columns = "N"}

[[launch]]
kernel = "multiply"
local  = "auto"
global = "N"
repeat = 3
when   = "M > 1"
swap   = ["T", "U"]
local_mem = {tile = "local.x"}
+++*/
)cl";

constexpr const char* kOwnProblem = R"cl(/*+++
[problem]
sizes = {N = 4096}
scalars = {dt = 0.01}
reference = {launch = {kernel = "kick_simple", global = ["N"]}}

[problem.buffers]
force    = {type = "float4", shape = ["N"], fill = "normal"}
velocity = {type = "float4", shape = ["N"], fill = {uniform = [-10, 10]}, output = true, tolerance = {absolute = 1e-5}}

[launch]
kernel = "kick"
global = ["round_up(N, 64)"]
local  = [64]
+++*/
__kernel void kick(__global const float4* force, __global float4* velocity, float dt, int N) {
    int i = get_global_id(0);
    if (i < N) velocity[i] = fma(force[i], dt, velocity[i]);
}

__kernel void kick_simple(__global const float* force, __global float* velocity, float dt) {
    for (int c = 4 * get_global_id(0); c < 4 * get_global_id(0) + 4; ++c) velocity[c] += dt * force[c];
}
)cl";

}  // namespace

std::vector<Seed> build_logs() {
    return {
        {"big",
         "k.cl:4294967295:4294967296: error: a\n"
         "k.cl:4294967295:4294967295: error: b 12 warnings generated.\n"},
        {"bytes", "k.cl:1:1: error: \xFF\x80\n" + std::string(2, '\0') + "\n"},
        {"clang",
         "k.cl:3:5: warning: x\n"
         "tile.h:1:2: error: y\n"
         "parts/load.h:1:1: fatal error: z\n"
         "k.cl:99:999: error: past the end\n"},
        {"include",
         "In file included from kwb-included/tile.h:1:\n"
         "kwb-included/tile.h:2:1: remark: r\n"},
        {"nvidia",
         "<kernel>:3:10: error: use of undeclared identifier\n"
         "  a[0] = x;\n"
         "         ^\n"
         "<program source>:1:1: note: here\n"},
        {"pocl",
         "error: /c/tempfile_Ab3dE9.cl:3:9: use of undeclared identifier 'tagl'\n"
         "error: /c/tempfile_Ab3dE9.cl:4:7 <Spelling=t.h:1:15>: expected expression2 errors generated.\n"
         "Device pthread failed to build the program\n"},
    };
}

std::vector<Seed> expressions() {
    return {
        {"arith", "1 + 2 * 3 - 4 / 8 // 2 % 3 ** 2"},
        {"bool", "not T and False or M >= 3"},
        {"calls", "min(1, max(2, abs(-3))) + round_up(M, TILE) + ceil_div(M, 7) + log2(64)"},
        {"chain", "1 < TILE <= 16 == 16 != 17"},
        {"deep", std::string(40, '(') + "1" + std::string(40, ')')},
        {"device", "device.max_work_item_sizes == [4096, 4096, 1]"},
        {"div0", "1 // (M - 1003)"},
        {"edge", "N + 1 - -K"},
        {"error", "1 + * 2"},
        {"hex", "0xFF + .5 + 1.25e-3"},
        {"in", R"("cpu" in [kind, 'gpu'] and 3 not in [1, 2])"},
        {"list", R"([1, [2, "a\n"], True,])"},
        {"neg", "- - + -1"},
        {"power", "2 ** -62 * third"},
        {"unknown", "TYLE * 2"},
        {"utf8", "\"\xC3\xA4\" < \"b\" + 1"},
    };
}

std::vector<Seed> front_matters() {
    return {
        {"all_keys", kAllKeys},
        {"two_launches", kTwoLaunches},
        {"own_problem", kOwnProblem},
        {"bad_expression", "[launch]\nkernel = \"k\"\nglobal = \"\"\"\n\nN +\n * 2\"\"\"\n"},
        {"beaten",
         "/*+++\n[params]\nTILE = 1\n[launch]\nkernel = \"k\"\nglobal = 1\n+++*/\n#define TILE 2\n"},
        {"crlf",
         "/*+++\r\ntitle = \"a\"\r\n[launch]\r\nkernel = \"k\"\r\nglobal = \"\"\"\r\nN\"\"\"\r\n+++*/\r\n"},
        {"cut_short", "/*+++\ntitle = \"a */ b\"\n+++*/"},
        {"dates", "title = 1979-05-27T07:32:00Z\n[a.b]\n\"c d\".e = {f = [1, {g = inf}]}\n"},
        {"escapes",
         "problem = \"matmul\"\n[launch]\nkernel = \"k\"\nlocal = [8, 8]\nglobal = [\"\\n\\n\\n)\", 4]"},
        {"late", "// first\n/*+++ +++*/\n"},
        {"open", "/*+++\ntitle = \"a\"\n"},
        {"side_car",
         "problem = \"matmul\"\n[launch]\nkernel = \"k\"\nglobal = [\"N\", \"M\"]\nargs = {a = \"A\", n = "
         "\"N\"}\n"},
        {"unknown_key", "tittle = \"x\""},
    };
}

std::vector<Seed> odd_sources() {
    return {
        {"bomb",
         "#define A B B B B B B B B\n"
         "#define B C C C C C C C C\n"
         "#define C D D D D D D D D\n"
         "#define D E E E E E E E E\n"
         "#define E A\n"
         "A A A\n"},
        {"control",
         "__kernel void k(int n) { do { switch (n) { case 1: break; default: continue; } } "
         "while (get_local_id(0)); goto e; e: ; if (n) ; else for (;;) break; }\n"},
        {"cut", "__kernel void k() { \"abc\n/* not closed\n"},
        {"divergent",
         "__kernel void k(__global float* a, int n) {\n"
         "  int i = get_global_id(0);\n"
         "  if (i < n) { a[i] = 0; barrier(CLK_LOCAL_MEM_FENCE); }\n"
         "  if (i >= n) return;\n"
         "  barrier(CLK_GLOBAL_MEM_FENCE);\n"
         "}\n"},
        {"guard",
         "__kernel void k(__global float* c, int M, int N) { int a = get_global_id(0), b = get_global_id(1); "
         "if (a >= M && b >= N) return; c[a * N + b] = 0; }\n"},
        {"local",
         "#define W 8\n"
         "__kernel void k(__global float* a, __local float* b) {\n"
         "  __local float t[W][W];\n"
         "  float s;\n"
         "  for (int i = 0; i < get_num_groups(0); i++) {\n"
         "    s += t[get_local_id(0)][i];\n"
         "    b[get_local_id(0)] = a[i];\n"
         "    a[i] = b[i + 1];\n"
         "    barrier(1);\n"
         "  }\n"
         "}\n"},
        {"macros",
         "#define F(x, ...) #x x##__VA_ARGS__ \\\n"
         "  F(x)\n"
         "#if defined(TILE) && TILE > 1 ? 1 : 0\n"
         "#elif 1 << 63 / 0\n"
         "#else\n"
         "#endif\n"
         "#endif\n"
         "F(F(1), 2)\n"
         "#include \"tile.h\"\n"
         "#include \"self.h\"\n"
         "#undef F\n"},
        {"recursion",
         "float g(float); float f(float x) { return x > 1 ? g(x - 1) : x; }\n"
         "float g(float x) { return f(x); }\n"
         "__kernel void k(__global float* a) { a[0] = f(a[0]); }\n"},
    };
}

std::vector<Seed> frames() {
    const auto frame = [](std::string_view json, std::string_view attachment = {}) {
        return frame_header(json.size(), attachment.size()).append(json).append(attachment);
    };
    const std::string empty = frame("");
    std::string other_version = empty;
    ++other_version.at(3);
    return {
        {"one", "\x03" + frame(R"({"type":"stop"})")},
        {"two", '\0' + frame("{}", "abcdefgh") + frame(R"({"type":"devices"})")},
        {"cut", "\x10" + frame("{}", "ab") + frame("[1, 2]").substr(0, 20)},
        {"empty", "\x0F" + empty + empty + empty},
        {"large", "\x07" + frame_header(5000, 1)},
        {"huge", "\x07" + frame_header(0xFFFFFFFF, ~std::size_t{0})},
        {"near_magic", "\x02" + other_version},
        {"babble", "\x07hello, world\n"},
    };
}

std::vector<Seed> arrays() {
    const std::string numbers(24, '\0');
    std::string big_endian = make_npy({'f', 8}, {3}, numbers);
    big_endian.at(big_endian.find('<')) = '>';
    std::string version_2 = make_npy({'u', 1}, {3}, "abc");
    version_2.at(6) = 2;
    version_2.insert(10, 2, '\0');  // the length of the header has four bytes in version 2
    return {
        {"floats", make_npy({'f', 4}, {2, 3}, numbers)},
        {"version_2", version_2},
        {"big_endian", big_endian},
    };
}

std::vector<Seed> pictures() {
    std::vector<std::uint8_t> pixels;
    for (int i = 0; i < 48; ++i) pixels.push_back(static_cast<std::uint8_t>(5 * i));
    const std::string colours = encode_png(pixels, 3, 4, 4);
    return {
        {"colours", colours},
        {"grey", encode_png(pixels, 6, 8, 1)},
        {"cut", colours.substr(0, colours.size() / 2)},
    };
}

std::vector<Seed> t1_files() {
    return {
        {"file", R"json({"ConfigurationSpace": {"TuningParameters": [
{"Name": "block_size_x", "Type": "int", "Values": "[16*i for i in range(1,9)]"},
{"Name": "tile", "Type": "string", "Values": "['a', 'b']"}],
"Conditions": [{"Parameters": ["block_size_x"], "Expression": "16 < block_size_x <= 64 or tile != 'a'"}]},
"KernelSpecification": {"Language": "OpenCL", "KernelName": "f", "KernelFile": "f.cl", "GlobalSizeType": "CUDA",
"LocalSize": {"X": "block_size_x", "Y": "1"}, "GlobalSize": {"X": "4096 // block_size_x", "Y": 1},
"GridDivX": ["block_size_x"], "GridDivY": null, "ProblemSize": [4096, "64", 1], "SharedMemory": 0,
"Arguments": [{"Name": "x"}]},
"Search": {"Name": "random_sample"}, "Budget": [{"Type": "TuningDuration", "BudgetValue": 1.5}]})json"},
        {"comprehension", "[2**i for i in range(6) if i % 2 == 0]"},
        {"ranges", "[1, 2] + list(range(32, 1024+1, 32)) + (3,)"},
        {"texts", R"(['a', "b [,] for c in"])"},
        {"nested", "[i for i in list(range(3)) + [j * j for j in [1, True]]]"},
    };
}

}  // namespace kwb::fuzz
