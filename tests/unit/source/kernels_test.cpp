// SPDX-License-Identifier: Apache-2.0
#include "source/kernels.hpp"

#include <doctest/doctest.h>

#include "source/directives.hpp"

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
