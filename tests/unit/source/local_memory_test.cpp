// SPDX-License-Identifier: Apache-2.0
#include "source/kernels.hpp"

#include <doctest/doctest.h>

#include <optional>

using namespace kwb;

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
