// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <set>

#include "ocl/build_log.hpp"
#include "ocl/cl.hpp"
#include "ocl/device.hpp"
#include "ocl/errors.hpp"
#include "ocl/program.hpp"

using namespace kwb;

// The parts of lib/ocl that need no device.

TEST_CASE("every status of the standard has a name, a cause and a next step") {
    std::set<std::string> names;
    for (int code = -1; code >= -72; --code) {
        if (code <= -20 && code >= -29) continue;  // unassigned codes
        CAPTURE(code);
        const ClError error = explain_status("clAnything", code);
        CHECK(error.failure.code == code);
        CHECK(error.failure.code_name.starts_with("CL_"));
        CHECK(!error.failure.cause.empty());
        CHECK(!error.failure.next_step.empty());
        names.insert(error.failure.code_name);
    }
    CHECK(names.size() == 62);
}

TEST_CASE("an error has call, code, cause and next step") {
    CHECK(
        explain_status("clBuildProgram", CL_COMPILER_NOT_AVAILABLE).what() ==
        std::string("clBuildProgram failed with CL_COMPILER_NOT_AVAILABLE (-3): the driver has no compiler. "
                    "Install the driver's compiler package, or choose another device"));
    CHECK(explain_status("clGetPlatformIDs", -1001).failure.code_name == "CL_PLATFORM_NOT_FOUND_KHR");
    CHECK(explain_status("clFinish", -12345).failure.code_name == "status -12345");
    const ClError refusal = ClError::refusal("this cannot be", "Do that");
    CHECK(refusal.what() == std::string("this cannot be. Do that"));
    CHECK(refusal.failure.call.empty());
    CHECK(refusal.failure.code_name.empty());
}

TEST_CASE("platforms have short names") {
    CHECK(platform_short_name("Portable Computing Language") == "pocl");
    CHECK(platform_short_name("NVIDIA CUDA") == "nvidia");
    CHECK(platform_short_name("AMD Accelerated Parallel Processing") == "amd");
    CHECK(platform_short_name("Intel(R) OpenCL Graphics") == "intel");
    CHECK(platform_short_name("rusticl") == "rusticl");
    CHECK(platform_short_name("  Frob (TM) 3000! ") == "frob-tm-3000");
    CHECK(platform_short_name("\xE2\x98\x83") == "unknown");
}

TEST_CASE("messages of all compilers take one form") {
    const auto clean = [](std::string_view log) { return clean_build_log(log, "a.cl"); };
    CHECK(clean("error: a.cl:4:7: no\nwarning: t.h:1:2: hm\n") ==
          "a.cl:4:7: error: no\nt.h:1:2: warning: hm");
    CHECK(clean("error: /cache/tempfile_6LxsdG.cl:1:5: no\n") == "a.cl:1:5: error: no");
    CHECK(clean("<kernel>:3:5: error: no\n  int x\n      ^\n") == "a.cl:3:5: error: no\n  int x\n      ^");
    CHECK(clean("error: a.cl:4:7 <Spelling=kwb-included/t.h:1:15>: no") == "a.cl:4:7: error: no");
    CHECK(clean("./kwb-included/sub/t.h:2:1: note: here") == "./sub/t.h:2:1: note: here");
    CHECK(clean("warning: a.cl:1:1: twice\nwarning: a.cl:1:1: twice\n") == "a.cl:1:1: warning: twice");
    CHECK(clean("Device pthread-x failed to build the program\n").empty());
    CHECK(clean("Invalid build option: -x") == "Invalid build option: -x");
    CHECK(clean("error: ends early") == "error: ends early");
    CHECK(clean(std::string_view("text\n\0", 6)) == "text");
    CHECK(clean("\xFF") == "\xEF\xBF\xBD");
}

TEST_CASE("a file name of any kind fits into a line directive") {
    CHECK(line_directive("my kernel.cl") == "#line 1 \"my kernel.cl\"\n");
    CHECK(line_directive("a\"b\\c\nd") == "#line 1 \"a\\\"b\\\\c?d\"\n");
}

// --- ocl/program.hpp: type names ---

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
