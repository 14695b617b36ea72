// SPDX-License-Identifier: Apache-2.0
#include "desk/pasted_kernel.hpp"

#include <doctest/doctest.h>

#include "catalog/kernel_file.hpp"

using namespace kwb;

TEST_CASE("a text with a kernel function is a kernel, and its file is named after the function") {
    CHECK(look_at_pasted("__kernel void blur(__global float* a) {}").name == "blur.cl");
    CHECK(look_at_pasted("kernel\nvoid\tsharpen (global int* a) {}").name == "sharpen.cl");
    CHECK(
        look_at_pasted("float f(void);\n__kernel __attribute__((reqd_work_group_size(8, 8, 1)))\nvoid k() {}")
            .name == "k.cl");
    CHECK(look_at_pasted("__kernel void NAME(blur)()").flaw.empty());
    CHECK(look_at_pasted("__kernel void").name == "pasted.cl");
}

TEST_CASE("what is no kernel is refused with a sentence") {
    CHECK(look_at_pasted("").flaw.starts_with("The clipboard is empty"));
    CHECK(look_at_pasted(" \n\t").flaw.starts_with("The clipboard is empty"));
    for (const char* text : {"milk, eggs", "int main() { return 0; }", "void kernels(int a)",
                             "my_kernel void", "void before the kernel"})
        CHECK_MESSAGE(look_at_pasted(text).flaw.starts_with("The clipboard has no OpenCL kernel"), text);
    const std::string huge = "__kernel void k() {}" + std::string(kMostSourceBytes, ' ') + "x";
    CHECK(look_at_pasted(huge).flaw.starts_with("The clipboard holds 4"));
}
