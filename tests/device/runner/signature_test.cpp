#include "ocl/signature.hpp"

#include <doctest/doctest.h>

using namespace kwb;

TEST_CASE("a parameter list is read with names, types, address spaces and const") {
    const auto parameters = parse_signature(
        "kernel void f(global const float *A, local int* t, float x, global T (*odd)) {}", "f");
    REQUIRE(parameters);
    REQUIRE(parameters->size() == 4);
    CHECK((*parameters)[0] == KernelParameter{"A", "float*", AddressSpace::Global, true});
    CHECK((*parameters)[1] == KernelParameter{"t", "int*", AddressSpace::Local, false});
    CHECK((*parameters)[2] == KernelParameter{"x", "float", AddressSpace::Private, false});
}

TEST_CASE("comments, literals, directives and bodies hide what looks like a kernel") {
    CHECK(!parse_signature("// kernel void f(int a)\n/* kernel void f(int a) */", "f"));
    CHECK(!parse_signature("#define F \\\n kernel void f(int a) {}\n", "f"));
    CHECK(!parse_signature("constant char s[] = \"kernel void f(int a)\";", "f"));
    CHECK(!parse_signature("void g() { kernel void f(int a); }", "f"));
    CHECK(!parse_signature("void f(int a) {}", "f"));
    CHECK(!parse_signature("kernel void ff(int a) {}", "f"));
}

TEST_CASE("empty lists, arrays, images and samplers have their kinds") {
    CHECK(parse_signature("kernel void f() {}", "f")->empty());
    CHECK(parse_signature("__kernel void f(void) {}", "f")->empty());
    const auto parameters = parse_signature(
        "kernel void f(global float a[16], read_only image2d_t picture, sampler_t s, constant int *c) {}",
        "f");
    REQUIRE(parameters->size() == 4);
    CHECK((*parameters)[0] == KernelParameter{"a", "float*", AddressSpace::Global, false});
    CHECK((*parameters)[1] == KernelParameter{"picture", "image2d_t", AddressSpace::Image, false});
    CHECK((*parameters)[2].space == AddressSpace::Other);
    CHECK((*parameters)[3].is_const);
}

TEST_CASE("text that ends too early is survived") {
    const std::string source = "kernel void f(global float* a, int b) { a[0] = '\\n'; /* \"x\" */ }";
    for (std::size_t length = 0; length < source.size(); ++length)
        parse_signature(std::string_view(source).substr(0, length), "f");
    CHECK(!parse_signature("kernel void f(global float* a", "f"));
    CHECK(!parse_signature("kernel", "f"));
    CHECK(!parse_signature("kernel (", "f"));
}

TEST_CASE("type names lose qualifiers and take their short form") {
    CHECK(plain_type_name("const unsigned  int *") == "uint*");
    CHECK(plain_type_name("unsigned") == "uint");
    CHECK(plain_type_name("unsigned char") == "uchar");
    CHECK(plain_type_name("long int") == "long");
    CHECK(plain_type_name("unsigned long int") == "ulong");
    CHECK(plain_type_name("signed short") == "short");
    CHECK(plain_type_name("__global struct pair **") == "struct pair**");
    CHECK(plain_type_name("float4") == "float4");
    CHECK(plain_type_name("").empty());
}
