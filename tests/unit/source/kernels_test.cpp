// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "model/xray_words.hpp"
#include "source/directives.hpp"
#include "source/kernels.hpp"
#include "source/loop_bounds.hpp"
#include "source/read.hpp"

// --- the kernel functions of a source ---

using namespace kwb;

namespace {

std::vector<SourceKernel> kernels_of(SourceText source) {
    auto found = find_kernel_functions(source);
    REQUIRE(found);
    return std::move(*found);
}

std::vector<SourceKernel> kernels_of(std::string text) {
    return kernels_of(SourceText{std::move(text), {}, {}, {}});
}

}  // namespace

TEST_CASE("the parameters of a kernel function are read with their types and address spaces") {
    const auto kernels = kernels_of(
        "typedef unsigned int index_t;\n"
        "typedef float real;\n"
        "__kernel void f(__global const real* restrict a, global float4 *b, __local double* tile,\n"
        "                constant int c[16], const unsigned long n, index_t m, float2 v,\n"
        "                read_only image2d_t im, write_only image2d_t to, sampler_t how, size_t s) {}\n");
    REQUIRE(kernels.size() == 1);
    CHECK(kernels[0].line == 3);
    CHECK(kernels[0].parameters ==
          std::vector<KernelParameter>{{"a", "float*", AddressSpace::Global, true},
                                       {"b", "float4*", AddressSpace::Global},
                                       {"tile", "double*", AddressSpace::Local},
                                       {"c", "int*", AddressSpace::Constant, true},
                                       {"n", "ulong"},
                                       {"m", "uint"},
                                       {"v", "float2"},
                                       {"im", "image2d_t", AddressSpace::Image, true},
                                       {"to", "image2d_t", AddressSpace::Image},
                                       {"how", "sampler_t", AddressSpace::Other},
                                       {"s", "size_t"}});
}

TEST_CASE("macros, conditions and neighbours are followed, as the compiler does") {
    const auto kernels =
        kernels_of({"#include \"types.h\"\n"
                    "#define KERNEL __kernel void\n"
                    "#ifdef TWO\nKERNEL two(__global REAL* a) {}\n#else\n"
                    "KERNEL one(__global REAL* a) {}\n#endif\n"
                    "void helper(int n) {}\n",
                    {{"types.h", "#define REAL double\n"}},
                    {{"TWO", "1"}},
                    {}});
    REQUIRE(kernels.size() == 1);
    CHECK(kernels[0].name == "two");
    CHECK(kernels[0].parameters.front().element_type() == "double");
}

TEST_CASE("typedefs are those that the compiler sees, chains followed") {
    const auto reading =
        read_source({"#include \"types.h\"\n// typedef int hidden;\n"
                     "#ifdef WIDE\ntypedef ulong index_t;\n#else\ntypedef u32 index_t;\n#endif\n"
                     "typedef struct { int x; } pair;\ntypedef float* pointer;\n",
                     {{"types.h", "typedef unsigned int u32;\n"}},
                     {},
                     {}});
    REQUIRE(reading.program);
    CHECK(reading.program->typedefs ==
          std::map<std::string, std::string>{{"u32", "uint"}, {"index_t", "uint"}});
}

TEST_CASE("a source without kernel functions has none, and one with a bracket missing those before it") {
    CHECK(kernels_of("void f(int n) {}").empty());
    CHECK(kernels_of("__kernel void f(int n) {").size() == 1);
    CHECK(kernels_of("__kernel void f(void) {}").front().parameters.empty());
    CHECK(kernels_of("__kernel void f();\n__kernel void f() {}").size() == 1);
}

TEST_CASE("the dimensions are those that the function, or one that it calls, asks for") {
    CHECK(kernels_of("kernel void f(global int* a) { a[0] = 1; }")[0].dimensions == 0);
    CHECK(kernels_of("kernel void f(global int* a) { a[get_global_id(0)] = 1; }")[0].dimensions == 1);
    const auto deep =
        kernels_of("int y() { return get_local_id(1); }\nkernel void f(global int* a) { a[y()] = 1; }");
    CHECK(deep[0].dimensions == 2);
    CHECK(deep[0].uses_groups);
    CHECK(!kernels_of("kernel void f(global int* a) { a[get_global_id(2)] = 1; }")[0].uses_groups);
    const auto asked = kernels_of("__kernel __attribute__((reqd_work_group_size(8, 4, 1))) void f() {}");
    CHECK(asked[0].work_group == std::array<std::uint64_t, 3>{8, 4, 1});
}

TEST_CASE("guards tell how far the work-items go, whichever dimension means what") {
    using Bounds = std::array<std::string, 3>;
    const auto bounds = [](const std::string& body) {
        return kernels_of("kernel void f(global int* a, int n, int m) {" + body + "}")[0].bounds;
    };
    CHECK(bounds("int i = get_global_id(0); if (i < n) a[i] = 1;") == Bounds{"n", "", ""});
    CHECK(bounds("int r = get_global_id(0), c = get_global_id(1); if (r >= n || c >= m) return;") ==
          Bounds{"n", "m", ""});
    CHECK(bounds("size_t i = (size_t)get_global_id(1); if (n > i) a[i] = 1;") == Bounds{"", "n", ""});
    CHECK(bounds("int i = get_group_id(0) * 16 + get_local_id(0); if (i < (int)n * m) a[i] = 1;") ==
          Bounds{"n * m", "", ""});
    CHECK(bounds("for (int i = get_global_id(0); i < n; i += get_global_size(0)) a[i] = 1;") ==
          Bounds{"n", "", ""});
    // A variable that is reassigned counts as a new index.
    CHECK(bounds("int x = get_global_id(0), y = get_global_id(1); if (y < n) a[x] = 1;"
                 "x = get_group_id(1) * 16 + get_local_id(0); if (x < m) a[x] = 2;") == Bounds{"", "n", ""});
    CHECK(bounds("int i = get_global_id(0) * 4; if (i < n) a[i] = 1;") == Bounds{});
    CHECK(bounds("int i = get_global_id(0); if (i < n / 2) a[i] = 1;") == Bounds{});
}

TEST_CASE("a bound that is a given macro has the macro's name, one of the source its meaning") {
    const SourceText text{
        "#define END n\n#define TWICE (2 * m)\n__kernel void f(global int* a, int n, int m) {\n"
        "    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);\n"
        "    if (x < WIDTH && y < END && z < TWICE) a[x] = y;\n}\n",
        {},
        {{"WIDTH", "30"}}};
    const auto found = find_kernel_functions(text);
    REQUIRE(found);
    CHECK(found->at(0).bounds == std::array<std::string, 3>{"WIDTH", "n", "2 * m"});
}

TEST_CASE("a comparison that sends work-items away, or lets the far ones work, is no guard") {
    using Bounds = std::array<std::string, 3>;
    const auto bounds = [](const std::string& body) {
        return kernels_of("kernel void f(global int* a, int n, int skip) { int i = get_global_id(0); " +
                          body + "}")[0]
            .bounds;
    };
    const Bounds n = {"n", "", ""};
    CHECK(bounds("if (i < skip) return; if (i < n) a[i] = 1;") == n);
    CHECK(bounds("if (skip > i) { a[0] = 1; return; } if (i < n) a[i] = 1;") == n);
    CHECK(bounds("if (i < skip || i >= n) return; a[i] = 1;") == n);
    CHECK(bounds("if (i >= skip && i < n) a[i] = 1;") == n);
    CHECK(bounds("if (!(i >= skip)) return; if (!(i < n)) return; a[i] = 1;") == n);
    CHECK(bounds("for (; i < n; i += 8) { if (skip <= i) a[i] = 1; if (i < skip) continue; a[i] = 2; }") ==
          n);
    CHECK(bounds("if (i >= n) { return; } a[i] = 1;") == n);
    CHECK(bounds("if (i < skip) return; a[i] = 1;") == Bounds{});
    CHECK(bounds("if (i >= skip) a[i] = 1;") == Bounds{});
    // A return under a further condition does not end the block.
    CHECK(bounds("if (i < n) { if (a[i] < 0) return; a[i] = 1; }") == n);
    CHECK(bounds("if (i < n) { a[i] = 1; if (a[i] < 0) return; }") == n);
}

TEST_CASE("a condition with an else counts where no guard without one does") {
    using Bounds = std::array<std::string, 3>;
    const auto bounds = [](const std::string& body) {
        return kernels_of("kernel void f(global int* a, int n, int skip) { int i = get_global_id(0); " +
                          body + "}")[0]
            .bounds;
    };
    CHECK(bounds("if (i < skip) a[i] = 0; else a[i] = 1; if (i < n) a[i] += 1;") == Bounds{"n", "", ""});
    CHECK(bounds("if (i < skip) { a[i] = 0; } else if (i < n) a[i] = 1;") == Bounds{"n", "", ""});
    CHECK(
        bounds(
            "if (i < skip) for (int j = 0; j < 9; ++j) { a[j] = 0; } else a[i] = 1; if (i < n) a[i] += 1;") ==
        Bounds{"n", "", ""});
    CHECK(bounds("if (i < n) a[i] = 0; else a[n - 1] = 1;") == Bounds{"n", "", ""});
    CHECK(bounds("if (i >= n) a[n - 1] = 0; else a[i] = 1;") == Bounds{"n", "", ""});
    CHECK(bounds("if (i < skip) return; else a[i] = 1;") == Bounds{});
}

TEST_CASE("a kernel that conditions may hide is told with them") {
    const auto hidden = find_conditional_kernels(
        "#ifndef MINE_H\n#define MINE_H\n// #ifdef NOT_THIS\n"
        "#define K __kernel \\\n void macro(\n"
        "__kernel void always(void) {}\n"
        "#if defined(USE_A) && __OPENCL_C_VERSION__ >= 120\n"
        "__kernel __attribute__((reqd_work_group_size(8, 1, 1)))\nvoid a(__global float* x) {}\n"
        "#ifdef cl_khr_fp64\nkernel void b(void) {}\n#else\n__kernel void c(void) {}\n#endif\n"
        "#endif\n__kernel void later(void) {}\n#endif\n");
    REQUIRE(hidden.size() == 3);
    CHECK(describe(hidden[0]) ==
          "a (line 8) is inside #if defined(USE_A) && __OPENCL_C_VERSION__ >= 120 (line 7), which does not "
          "hold");
    CHECK(hidden[0].macros == std::vector<std::string>{"USE_A"});
    CHECK(hidden[1].conditions.back() == "#ifdef cl_khr_fp64 (line 10)");
    CHECK(hidden[1].macros == std::vector<std::string>{"USE_A"});
    CHECK(hidden[2].conditions.back() == "the #else of #ifdef cl_khr_fp64 (line 10)");
    CHECK(find_conditional_kernels("#if !defined(HOST)\nkernel void f() {}\n#endif\n").at(0).macros.empty());
    for (const char* text :
         {"", "#if", "#endif\n#else\n__kernel", "#ifdef A\n__kernel void", "#ifdef\n__kernel x("})
        find_conditional_kernels(text);
}

TEST_CASE("a kernel is searched after the last directive, but not in a directive's further lines") {
    const auto open = find_conditional_kernels("#ifdef A\n\nkernel void f() {}\n");
    REQUIRE(open.size() == 1);
    CHECK(describe(open[0]) == "f (line 3) is inside #ifdef A (line 1), which does not hold");
    CHECK(find_conditional_kernels("#if 0\r\n#define K kernel \\\r\n kernel void f(\r\n#endif\r\n").empty());
}

TEST_CASE("many hidden kernels in many conditions are searched at once") {
    std::string text;
    for (int i = 0; i < 20'000; ++i) text += "#if 0\n#else\n#else\n";
    for (int i = 0; i < 300'000; ++i) text += "kernel ";
    for (int i = 0; i < 20'000; ++i) text += "kernel f(";
    const auto hidden = find_conditional_kernels(text);
    REQUIRE(hidden.size() == 256);
    REQUIRE(hidden[255].conditions.size() == 9);
    CHECK(hidden[255].line == 60'001);
    CHECK(hidden[255].conditions[7] == "the #else of #if 0 (line 22)");
    CHECK(hidden[255].conditions[8] == "19992 more");
}

TEST_CASE("a structure of numbers is known unless its alignment makes it large") {
    const auto records = [](const std::string& bytes) {
        return kernels_of("typedef struct { float x __attribute__((aligned(" + bytes +
                          "))); float y; } P;\nkernel void f(P p, global float* a) { a[0] = p.x; }")[0]
            .records;
    };
    CHECK(records("4096") == NamedList<std::size_t>{{"p", 2}});
    CHECK(records("8192").empty());
}

// --- their local memory ---

namespace {

/// Local memory of the kernel function `f`, bytes; nullopt if unknown.
std::optional<std::uint64_t> bytes_of(const SourceText& source) {
    const auto found = find_local_memory(source);
    const auto f = found.find("f");
    return f == found.end() ? std::nullopt : std::optional(f->second);
}

/// @param before       text at file scope
/// @param declaration  of `a`, in the function
std::optional<std::uint64_t> bytes_of(const std::string& before, const std::string& declaration) {
    return bytes_of({before + "\n__kernel void f(__global float* o, int n) {\n    " + declaration +
                         "\n    (void)a; barrier(CLK_LOCAL_MEM_FENCE);\n"
                         "    o[get_global_id(0)] = n;\n}\n",
                     {},
                     {},
                     "-cl-std=CL2.0"});
}

}  // namespace

TEST_CASE("local arrays are added up, however their space, type and extents are written") {
    CHECK(bytes_of("", "__local float a[16];") == 64);
    CHECK(bytes_of("", "local float a[16][17];") == 1088);
    CHECK(bytes_of("", "float __local volatile a[0x10];") == 64);
    CHECK(bytes_of("", "__local unsigned long int a[16u];") == 128);
    CHECK(bytes_of("", "__local unsigned a[16], b, c[2][2];") == 64);  // b and c are not used
    CHECK(bytes_of("", "__local unsigned a[16], b; b = 1; n = b;") == 68);
    CHECK(bytes_of("", "__local uchar4 a[16];") == 64);
    CHECK(bytes_of("", "__local float3 a[16];") == 256);
    CHECK(bytes_of("", "__local double16 a[16];") == 2048);
    CHECK(bytes_of("#pragma OPENCL EXTENSION cl_khr_fp16 : enable", "__local half a[16];") == 32);
    CHECK(bytes_of("", "__local atomic_uint a[16];") == 64);
    CHECK(bytes_of("", "__local size_t a[16];") == 128);
    CHECK(bytes_of("", "__local float* a[16];") == 0);  // pointers in private memory
    CHECK(bytes_of("", "float* __local a[16];") == 128);
    CHECK(bytes_of("", "__local float (*a)[16] = (__local float (*)[16])0;") == 0);
    CHECK(bytes_of("", "__local float a[16] __attribute__((aligned(64)));") == 64);
    CHECK(bytes_of("", "__attribute__((aligned(64))) __local float a[16];") == 64);
    CHECK(bytes_of("", "__local float b[4]; { n = b[0]; } __local int a[4];") == 32);
}

TEST_CASE("extents are constant expressions of macros, constants, enums and sizes of types") {
    CHECK(bytes_of("#define TILE 16\n#define PAD 1", "__local float a[TILE][TILE + PAD];") == 1088);
    CHECK(bytes_of("#define ARRAY(t, x) __local t x[8 * sizeof(t)]", "ARRAY(float, a);") == 128);
    CHECK(bytes_of("__constant int T = 16;", "const int W = T * 2, H = (int)3; __local char a[W][H];") == 96);
    CHECK(bytes_of("enum { A, B = 7, C };", "__local char a[C << (A + 1)];") == 16);
    CHECK(bytes_of("", "__local char a[sizeof(float4) * 2 + sizeof(int*)];") == 40);
    CHECK(bytes_of("", "__local char a[1 > 2 ? 10 : 20];") == 20);
    CHECK(bytes_of({"#include \"t.h\"\n"
                    "#ifndef TILE\n#define TILE 4\n#endif\n"
                    "__kernel void f(__global float* o) { __local REAL a[TILE]; a[0] = 1; o[0] = a[0]; }",
                    {{"t.h", "typedef double REAL;\n"}},
                    {{"TILE", "32"}},
                    {}}) == 256);
}

TEST_CASE("typedefs and structs have the compiler's layout") {
    CHECK(bytes_of("typedef float tile_t[16][17];", "__local tile_t a[2];") == 2176);
    CHECK(bytes_of("typedef unsigned int u; typedef u v;", "__local v a[3];") == 12);
    CHECK(bytes_of("typedef struct { char c; float4 v; int n[3]; } S;", "__local S a[16];") == 768);
    CHECK(bytes_of("struct P { char c; short s; char d; };", "__local struct P a[2];") == 12);
    CHECK(bytes_of("struct P { int a, *b; union { char c[5]; short d; } e; };", "__local struct P a[2];") ==
          48);
    CHECK(bytes_of("typedef float f4 __attribute__((ext_vector_type(4)));", "__local f4 a[4];") == 64);
    CHECK(bytes_of("void g() { const int W = 3; }", "const int W = 4; __local float a[W];") == 16);
}

TEST_CASE("local memory is summed for each kernel function, and pointer arguments cost nothing") {
    const auto found = find_local_memory(
        {"float sum(__local const float* t) { __local float* p = t; return p[0]; }\n"
         "__kernel void one(__global float* o) { __local float a[4]; a[0] = 1; o[0] = sum(a); }\n"
         "__kernel void two(__global float* o, __local float* t) {\n"
         "    for (__local float* p = t; p < t + 4; ++p) *p = *(__local float*)t;\n"
         "    o[0] = sum(t);\n}\n"
         "__kernel void three(__global float* o) { local int n; n = 1; o[0] = n; }\n",
         {},
         {},
         {}});
    CHECK(found == std::map<std::string, std::uint64_t>{{"one", 16}, {"two", 0}, {"three", 4}});
}

TEST_CASE("the local arrays of a kernel are listed with their extents, those that nothing uses are not") {
    const auto functions =
        find_kernel_functions({"__kernel void f(__global float* o) {\n"
                               "    __local float a[T][T + 1], idle[64];\n"
                               "    __local int n;\n"
                               "    n = 1; a[n][n] = 2; o[0] = a[0][0];\n}\n",
                               {},
                               {{"T", "16"}},
                               {}});
    REQUIRE(functions);
    CHECK(functions->at(0).local_arrays ==
          std::vector<LocalArray>{{"a", {16, 17}, 16 * 17 * 4}, {"n", {}, 4}});
}

TEST_CASE("what cannot be told from the source is not guessed") {
    CHECK(bytes_of("", "__local float a[UNKNOWN];") == std::nullopt);
    CHECK(bytes_of("", "__local unknown_t a[4];") == std::nullopt);
    CHECK(bytes_of("", "__local float a[n];") == std::nullopt);
    CHECK(bytes_of("", "__local float a[0];") == std::nullopt);
    CHECK(bytes_of("", "__local float a[max(2, 3)];") == std::nullopt);
    CHECK(bytes_of("typedef struct { char c; int n; } __attribute__((packed)) S;", "__local S a[4];") ==
          std::nullopt);
    CHECK(bytes_of("struct S { int n : 3; };", "__local struct S a[4];") == std::nullopt);
    CHECK(find_local_memory({"__kernel void f( { __local float a[4]; }", {}, {}, {}}).empty());
}

TEST_CASE("a condition that the compiler decides counts only where it changes nothing") {
    const std::string use = "__local real a[4];";
    CHECK(bytes_of("#ifdef cl_khr_fp64\ntypedef double real;\n#else\ntypedef float real;\n#endif", use) ==
          std::nullopt);
    CHECK(
        bytes_of("#if __OPENCL_C_VERSION__ >= 200\ntypedef double real;\n#else\ntypedef float real;\n#endif",
                 use) == std::nullopt);
    CHECK(bytes_of("#ifdef cl_khr_fp64\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n#endif\n"
                   "#ifndef __OPENCL_VERSION__\n#define __local\n#endif\ntypedef float real;",
                   use) == 16);
}

// --- bounds of their loops ---

// Loops that run for their bound, and what they access.

namespace kwb {
namespace {

/// "k <= K: 3:9 3:16", for each loop.
std::vector<std::string> loops_in(const std::string& body) {
    const Reading reading = read_source(
        {.text = "#define SIZE 16\n__kernel void f(__global float* A, __global float* B, int N, int K) {\n" +
                 body + "\n}\n"});
    REQUIRE_MESSAGE(reading.program, reading.failure);
    std::vector<std::string> words;
    for (const source::InclusiveLoop& loop : source::find_inclusive_loops(*reading.program)) {
        std::string& text = words.emplace_back(loop.condition + " / " + loop.instead + ":");
        for (const XrayPlace& access : loop.accesses) text += " " + place_text(access);
    }
    return words;
}

using Words = std::vector<std::string>;

}  // namespace

TEST_CASE("a loop from 0 that ends after its bound is found, with the accesses whose index it counts") {
    CHECK(loops_in("for (int k = 0; k <= K; ++k) A[k * N] = B[N] + B[k];") ==
          Words{"k <= K / k < K: 3:30 3:48"});
    CHECK(loops_in("int k; for (k = 0; K >= k; k++) { if (N) A[2] = A[k + 1]; }") ==
          Words{"K >= k / K > k: 3:49"});
    CHECK(loops_in("float t[SIZE]; for (int k = 0; k <= SIZE; k++)\nt[k] = 0;") ==
          Words{"k <= SIZE / k < SIZE: 4:1"});
    CHECK(loops_in("float t[4][4]; for (int k = 0; k <= 4; k++)\nt[k][0] = 0;") ==
          Words{"k <= 4 / k < 4: 4:1"});
    CHECK(loops_in("for (int i = 0; i < N; ++i)\nfor (int k = 0; k <= N; ++k)\nA[k] = i;") ==
          Words{"k <= N / k < N: 5:1"});
}

TEST_CASE("a loop that ends before its bound, or whose bound may be the last index, is none") {
    for (const char* body :
         {"for (int k = 0; k < K; ++k) A[k] = 0;", "for (int k = 0; k <= K - 1; ++k) A[k] = 0;",
          "for (int k = 1; k <= K; ++k) A[k] = 0;", "for (int k = K; k >= 0; --k) A[k] = 0;",
          "for (int k = 0; k <= K; k += 2) A[k] = 0;", "for (int k = 0; k <= K; ++k) A[N] = k;",
          "for (int k = -K; k <= K; ++k) A[k] = 0;", "for (int k = 0; k <= 1; ++k) A[N + k] = 0;"}) {
        CAPTURE(body);
        CHECK(loops_in(body).empty());
    }
}

}  // namespace kwb
