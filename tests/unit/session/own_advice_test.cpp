// What people are advised to type or to write about kernels that say nothing about themselves.
#include <doctest/doctest.h>

#include "session/missing_macros.hpp"
#include "session/own_kernel.hpp"
#include "session/side_car.hpp"
#include "support/temp_folder.hpp"

using namespace kwb;
using namespace kwb::test;

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
    CHECK(adopt_command(file, options) ==
          "kwb adopt 'my gemm.cl' --problem matmul --entry mm --args C,A,B,N,M,K --global "
          "'round_up(N, 16),M' --local 16x4 -D 'OP='\\''max'\\''' -D T=16 --local-arg 'tile=T*T' --init C=0");
    file.spec.file = "-x.cl";
    file.spec.problem = "sum";  // from the other kernels of a run
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
    Said said;
    CHECK(complete_kernel(open_kernel_file(path, "p.cl"), options, said).spec.launches.size() == 1);
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
        return advise_macros(result, file);
    };
    CHECK(with("\"WA must be defined by the host\"") == "if its host program defined WA, say -D WA=…");
    CHECK(with("use of undeclared identifier 'LEN'") == "if its host program defined LEN, say -D LEN=…");
    CHECK(with("unknown type name 'REAL'") == "if its host program defined REAL, say -D REAL=float");
    CHECK(with("expected ';' after expression") == "");
    file.places = {{"", {}}};  // now with a front matter
    CHECK(with("use of undeclared identifier 'LEN'") == "");
    file.declared_in = "mine.cl.toml";
    CHECK(with("use of undeclared identifier 'LEN'") ==
          "if its host program defined LEN, add LEN = … to [defines] of mine.cl.toml");
    result.verdict = Verdict::Wrong;
    CHECK(with("use of undeclared identifier 'LEN'") == "");
}
