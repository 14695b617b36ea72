// SPDX-License-Identifier: Apache-2.0
// Kernels compiled for GPUs that are not there, by the real compilers.
#include "gpu/compile_for.hpp"

#include <doctest/doctest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "base/file.hpp"
#include "gpu/assembly.hpp"
#include "support/temp_folder.hpp"

using namespace kwb;
namespace fs = std::filesystem;

namespace {

const std::string kTile =
    "__kernel void turn(__global const float* from, __global float* to, const int n) {\n"
    "    __local float tile[16][17];\n"
    "    const int x = get_local_id(0), y = get_local_id(1);\n"
    "    tile[y][x] = from[get_global_id(1) * n + get_global_id(0)];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    to[(get_group_id(0) * 16 + y) * n + get_group_id(1) * 16 + x] = tile[x][y];\n"
    "}\n";

/// Sets an environment variable as long as it lives.
class Setting {
public:
    Setting(const char* name, const std::string& value) : name_(name) { ::setenv(name, value.c_str(), 1); }
    ~Setting() { ::unsetenv(name_); }
    Setting(const Setting&) = delete;
    Setting& operator=(const Setting&) = delete;

private:
    const char* name_;
};

bool has_line(const MachineCode& code, const char* start, std::uint32_t line) {
    return std::ranges::any_of(code.assembly, [&](const AssemblyLine& one) {
        return one.text.starts_with(start) && one.place.file.empty() && one.place.line == line;
    });
}

}  // namespace

TEST_CASE("names of targets") {
    CHECK(normal_target("GFX906") == "gfx906");
    CHECK(normal_target("gfx90a") == "gfx90a");
    CHECK(normal_target("SM_80") == "sm_80");
    for (const char* name : {"", "gfx", "sm_", "sm80", "gfx906; rm", "gfx906000000", "A100"})
        CHECK_MESSAGE(normal_target(name).empty(), name);
}

TEST_CASE("AMD: registers, local memory, and instructions with their lines") {
    for (const char* target : {"gfx906", "gfx90a", "gfx1030"}) {
        const TargetReport report = compile_for(target, {kTile});
        CAPTURE(target);
        CAPTURE(report.failure);
        REQUIRE(report.kernels.size() == 1);
        const MachineCode& code = report.kernels.front();
        CHECK(code.kernel == "turn");
        CHECK(code.registers.value_or(0) >= 3);
        CHECK(code.registers.value_or(999) < 32);
        CHECK(code.local_bytes == 16 * 17 * 4);
        CHECK(code.scratch_bytes == 0);
        CHECK(code.sub_groups_per_simd.value_or(0) >= 8);
        CHECK(code.instructions > 20);
        CHECK(has_line(code, "global_load_dword", 4));
        CHECK(has_line(code, "ds_write", 4));
        CHECK(has_line(code, "s_barrier", 5));
        CHECK(has_line(code, "ds_read", 6));
        CHECK(has_line(code, "global_store_dword", 6));
        CHECK(code.assembly.back().text == "s_endpgm");
        CHECK(std::ranges::none_of(code.assembly, [](const AssemblyLine& line) {
            return line.text.find(" = ") != std::string::npos;  // of the header
        }));
    }
}

TEST_CASE("AMD: an array with a computed index takes scratch memory; functions are not kernels") {
    const TargetReport report = compile_for(
        "gfx906",
        {"#include \"pick.h\"\n"
         "__kernel void first(__global int* x, int n) { int a[64]; for (int i = 0; i < 64; ++i) a[i] = x[i * "
         "n];\n"
         "  for (int i = 0; i < n; ++i) a[x[i] & 63] += i; x[0] = a[n & 63]; }\n"
         "__kernel void second(__global int* x) { x[get_global_id(0)] = pick(x); }\n",
         {{"pick.h", "__attribute__((noinline)) int pick(__global int* x) {\n  return x[3];\n}\n"}}});
    CAPTURE(report.failure);
    REQUIRE(report.kernels.size() == 2);
    CHECK(report.kernels[0].scratch_bytes.value_or(0) >= 256);
    CHECK(report.kernels[1].kernel == "second");
}

TEST_CASE("NVIDIA: PTX with its lines; registers only with ptxas") {
    const Setting none("KWB_PTXAS", "/nowhere/ptxas");
    const TargetReport report = compile_for("sm_80", {kTile});
    CAPTURE(report.failure);
    REQUIRE(report.kernels.size() == 1);
    const MachineCode& code = report.kernels.front();
    CHECK(code.kernel == "turn");
    CHECK(!code.registers);
    CHECK(code.local_bytes == 16 * 17 * 4);
    CHECK(report.remark.find("KWB_PTXAS names /nowhere/ptxas, which is not a program") != std::string::npos);
    CHECK(has_line(code, "ld.global.f32", 4));
    CHECK(has_line(code, "bar.sync", 5));
    CHECK(has_line(code, "st.global.f32", 6));
    CHECK(code.assembly.back().text == "ret;");
}

TEST_CASE("ptxas: what it says is used, and its refusal is told") {
    const test::TempFolder folder;
    const auto script = [&](const std::string& body) {
        const fs::path file = folder.write("bin/ptxas", "#!/bin/sh\n" + body + "\n");
        fs::permissions(file, fs::perms::owner_all);
        return file.string();
    };
    {
        const Setting chosen(
            "KWB_PTXAS",
            script("cat >&2 <<'END'\n"
                   "ptxas info    : Compiling entry function 'turn' for 'sm_80'\n"
                   "ptxas info    : Function properties for turn\n"
                   "    24 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads\n"
                   "ptxas info    : Used 32 registers, used 1 barriers, 1088 bytes smem, 372 bytes "
                   "cmem[0]\nEND"));
        const TargetReport report = compile_for("sm_80", {kTile});
        REQUIRE(report.kernels.size() == 1);
        CHECK(report.remark.empty());
        CHECK(report.kernels[0].registers == 32);
        CHECK(report.kernels[0].local_bytes == 1088);
        CHECK(report.kernels[0].scratch_bytes == 24);
        CHECK(report.kernels[0].spilled_bytes == 20);
        CHECK(report.compiler.ends_with("and ptxas"));
    }
    for (const auto& [words, remark] :
         {std::pair(
              "ptxas fatal   : Value 'sm_35' is not defined for option 'gpu-name'",
              "because this ptxas no longer supports sm_35. Set KWB_PTXAS to that of an older CUDA toolkit"),
          std::pair("ptxas fatal   : Unsupported .version 7.1",
                    "rejected the code: ptxas fatal   : Unsupported")}) {
        const Setting chosen("KWB_PTXAS", script("echo \"" + std::string(words) + "\" >&2; exit 255"));
        const TargetReport report = compile_for("sm_35", {kTile});
        REQUIRE(report.kernels.size() == 1);
        CHECK_MESSAGE(report.remark.find(remark) != std::string::npos, report.remark);
        CHECK(!report.kernels[0].registers);
    }
}

TEST_CASE("a program that is no ptxas, and a path that is not absolute") {
    {
        const Setting chosen("KWB_PTXAS", "/bin/cat");
        const TargetReport report = compile_for("sm_80", {kTile});
        CHECK(report.remark.find(
                  "/bin/cat rejected the code: no reason given. Check that it is NVIDIA's ptxas") !=
              std::string::npos);
        CHECK_FALSE(report.compiler.ends_with("and ptxas"));
    }
    const Setting chosen("KWB_PTXAS", "bin/ptxas");
    CHECK(compile_for("sm_80", {kTile}).remark.find("absolute path") != std::string::npos);
}

TEST_CASE("a version that the compiler does not know is told") {
    const TargetReport report = compile_for("sm_99", {kTile});
    CHECK(report.kernels.size() == 1);
    CHECK(report.remark.find("compiled for sm_86") != std::string::npos);
}

TEST_CASE("functions that are called are listed below the kernel") {
    const SourceText text{
        "__attribute__((noinline)) float twice(float x) {\n    return x + x;\n}\n"
        "__kernel void k(__global float* x) {\n    x[get_global_id(0)] = twice(x[get_global_id(0)]);\n}\n"};
    for (const char* target : {"gfx906", "sm_80"}) {
        CAPTURE(target);
        const TargetReport report = compile_for(target, text);
        CAPTURE(report.failure);
        REQUIRE(report.kernels.size() == 1);
        const MachineCode& code = report.kernels.front();
        CHECK(std::ranges::any_of(
            code.assembly, [](const AssemblyLine& line) { return line.is_label && line.text == "twice:"; }));
        CHECK(has_line(code, target[0] == 'g' ? "v_add_f32" : "add.rn.f32", 2));
    }
}

TEST_CASE("what a library lacks is named, and no figures are made up") {
    const SourceText waits{
        "__kernel void k(__global const float* x, __global float* y) {\n    __local float t[64];\n"
        "    event_t e = async_work_group_copy(t, x, 64, 0);\n    wait_group_events(1, &e);\n"
        "    y[get_local_id(0)] = t[get_local_id(0)];\n}\n"};
    const TargetReport report = compile_for("gfx906", waits);
    CHECK(report.kernels.empty());
    CHECK(report.failure.find("libclc has no wait_group_events for gfx906") != std::string::npos);
    const SourceText reads{
        "__kernel void k(read_only image2d_t from, __global float4* to) {\n"
        "    const sampler_t exact = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
        "    to[0] = read_imagef(from, exact, (int2)(1, 2));\n}\n"};
    for (const char* target : {"gfx906", "sm_80"}) {
        const TargetReport image = compile_for(target, reads);
        CAPTURE(target);
        CAPTURE(image.failure);
        CHECK(image.kernels.empty());
        CHECK(image.failure.starts_with("libclc has no "));
        CHECK(image.failure.find("read_imagef") != std::string::npos);
    }
    const SourceText prints{"__kernel void k(__global int* x) {\n    x[0] = 1; printf (\"%d\", x[0]);\n}\n"};
    for (const char* target : {"gfx906", "sm_80"}) {
        const TargetReport printed = compile_for(target, prints);
        CAPTURE(target);
        CAPTURE(printed.failure);
        REQUIRE(printed.kernels.size() == 1);
        CHECK(has_line(printed.kernels[0], target[0] == 'g' ? "global_store_dword" : "st.global.u32", 2));
        CHECK(printed.kernels[0].assembly.back().text != "printf:");
        CHECK(printed.remark.find("printf") != std::string::npos);
    }
}

TEST_CASE("functions that only a linker could add are found in the assembly of clang 15 and of clang 18") {
    const auto amd = [](const std::string& reference) {
        return undefined_functions(
            "k:\n\ts_add_u32 s4, s4, " + reference + "\n\tds_read v0, tile@abs32@lo\n" +
            "\ts_add_u32 s4, s4, table@rel32@lo+4\ntable:\n\t.amdgpu_lds tile, 64, 4\n");
    };
    CHECK(amd("_Z3sinf@rel32@lo+4") == std::vector<std::string>{"sin"});     // clang 15
    CHECK(amd("_Z3sinf@abs32@lo") == std::vector<std::string>{"sin"});       // clang 18
    CHECK(amd("mine@gotpcrel32@lo+4") == std::vector<std::string>{"mine"});  // position-independent
    CHECK(amd("0").empty());
    CHECK(undefined_ptx_functions(
              ".func  (.param .b32 func_retval0) _Z3sinf\n(\n\t.param .b32 p\n)\n;\n"
              ".extern .func lost\n(\n)\n;\n.func mine\n(\n)\n;\n.func mine(\n)\n{\n\tret;\n}\n"
              ".entry k(\n)\n{\n\tcall.uni (retval0), \n\t_Z3sinf, \n\t(\n\tparam0\n\t);\n}\n") ==
          std::vector<std::string>{"sin", "lost"});
}

TEST_CASE("a compiler that crashes is told in its own words") {
    const test::TempFolder folder;
    for (const auto& [end, words] :
         {std::pair("echo 'fatal error: error in backend: no such move' >&2; exit 70",
                    "error in backend: no such move"),
          std::pair("kill -SEGV $$", "the compiler ended with SIGSEGV")}) {
        const fs::path file = folder.write("bin/clang", std::string("#!/bin/sh\n") + end + "\n");
        fs::permissions(file, fs::perms::owner_all);
        const Setting chosen("KWB_CLANG", file.string());
        const TargetReport report = compile_for("gfx906", {kTile});
        CAPTURE(report.failure);
        CHECK(report.failure.find(std::string("clang cannot compile this kernel for gfx906: ") + words) !=
              std::string::npos);
        CHECK(report.kernels.empty());
        CHECK(report.errors.empty());
    }
}

TEST_CASE("more local memory than a work-group can have") {
    const SourceText text{
        "__kernel void k(__global float* x) {\n    __local float t[20000];\n    t[get_local_id(0)] = x[0];\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n    x[1] = t[x[0] > 0];\n}\n"};
    for (const auto& [target, most] : {std::pair("gfx906", "65536"), std::pair("sm_80", "49152")}) {
        const TargetReport report = compile_for(target, text);
        const auto& shown_target = target;
        CAPTURE(shown_target);
        REQUIRE(report.errors.size() == 1);
        CHECK(report.errors[0].place.line > 0);
        CHECK(report.errors[0].words ==
              std::string("k needs 80000 bytes of local memory; a work-group can have at most ") + most);
    }
}

TEST_CASE("what ptxas gets has no debug information") {
    const std::string ptx = ptx_for_ptxas(
        ".version 7.5\n.target sm_80, texmode_independent, debug\n\t.loc\t1 2 3\n\t.local .b8 "
        "depot[4];\n\tcall.uni (r),\n$L__tmp2:\n\tf;\n\tret;\n\t.section "
        ".debug_abbrev\n{\n"
        ".b8 1\n}\n");
    CHECK(ptx == ".version 7.5\n.target sm_80\n\t.local .b8 depot[4];\n\tcall.uni (r),\n\tf;\n\tret;\n");
}

TEST_CASE("a rejected source gives the compiler's words at their place") {
    const TargetReport typo = compile_for("gfx906", {"__kernel void k(__global int* x) {\n  x[0] = y;\n}\n"});
    REQUIRE(typo.errors.size() == 1);
    CHECK(typo.failure.empty());
    CHECK(typo.errors[0].place == XrayPlace{"", 2, 10});
    CHECK(typo.errors[0].words.find("undeclared identifier 'y'") != std::string::npos);

    const TargetReport large = compile_for(
        "gfx906", {"__kernel void k(__global int* x) {\n  __local int t[40000]; t[get_local_id(0)] = x[0];\n"
                   "  barrier(CLK_LOCAL_MEM_FENCE); x[1] = t[x[2]];\n}\n"});
    CAPTURE(large.failure);
    REQUIRE(large.errors.size() >= 1);
    CHECK(large.errors[0].words.find("local memory") != std::string::npos);
}

TEST_CASE("what a back end cannot translate is told in its words, and not as a wrong library") {
    const TargetReport report = compile_for(
        "sm_80", {"__kernel void k(__global float* x) { x[get_global_id(0)] = native_exp(x[0]); }\n"});
    CAPTURE(report.failure);
    // Later versions of libclc and LLVM may translate it.
    if (report.kernels.empty())
        CHECK(report.failure.find("cannot compile this kernel for sm_80") != std::string::npos);
    CHECK(report.failure.find("install") == std::string::npos);
    CHECK(report.errors.empty());
}

TEST_CASE("a target that no compiler knows, and compilers that are not there") {
    CHECK(compile_for("gfx999", {kTile}).failure.find("does not know gfx999") != std::string::npos);
    const Setting none("KWB_CLANG", "/nowhere/clang");
    const TargetReport report = compile_for("gfx906", {kTile});
    CHECK(report.failure.find("/nowhere/clang, does not exist") != std::string::npos);
    CHECK(report.kernels.empty());
}

TEST_CASE("PoCL's code for a CPU: jumps to labels, functions that are called, places in included files") {
    const std::string disassembled =
        "mine.so:     file format elf64-x86-64\n\n\nDisassembly of section .text:\n\n"
        "0000000000001000 <twice>:\ntwice():\n/tmp/x/kwb-included/part/twice.h:2\n"
        "    1000:\tvaddps %xmm0,%xmm0,%xmm0\n    1004:\tret\n\n"
        "0000000000001010 <_pocl_kernel_mine>:\n_pocl_kernel_mine():\n/home/me/mine.cl:7\n"
        "    1010:\txor    %eax,%eax\n/home/me/mine.cl:8 (discriminator 2)\n"
        "    1012:\tcall   1000 <twice>\n"
        "    1017:\tmov    0x40(%rip),%rcx        # 105e <_pocl_kernel_mine+0x4e>\n"
        "    101e:\tjne    1012 <_pocl_kernel_mine+0x2>\n/usr/lib/builtin.h:9\n    1020:\tret\n\n"
        "0000000000001030 <_pocl_kernel_mine_workgroup>:\n_pocl_kernel_mine_workgroup():\n    1030:\tnop\n";
    const MachineCode code = read_pocl_assembly(disassembled, "mine", "/home/me/mine.cl", "kwb-included/");
    CHECK(code.kernel == "mine");
    CHECK(code.instructions == 7);
    const std::vector<AssemblyLine> expected = {
        {"xor %eax,%eax", {"", 7, 0}, false, 0x1010},
        {".L1:", {}, true},
        {"call twice", {"", 8, 0}, false, 0x1012},
        {"mov 0x40(%rip),%rcx", {"", 8, 0}, false, 0x1017},
        {"jne .L1", {"", 8, 0}, false, 0x101e},
        {"ret", {}, false, 0x1020},
        {"twice:", {}, true},
        {"vaddps %xmm0,%xmm0,%xmm0", {"part/twice.h", 2, 0}, false, 0x1000},
        {"ret", {"part/twice.h", 2, 0}, false, 0x1004}};
    CHECK(code.assembly == expected);
    CHECK(read_pocl_assembly(disassembled, "other", "/home/me/mine.cl", "kwb-included/").instructions == 0);
    CHECK(read_pocl_assembly("", "mine", "", "").instructions == 0);
}
