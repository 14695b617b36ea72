// SPDX-License-Identifier: Apache-2.0
#include "experiment/check_names.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"
#include "support/temp_folder.hpp"

namespace kwb {
namespace {

using test::TempFolder;

const std::string kSource =
    "__kernel void multiply(__global const float* A, __global const float* B, __global float* C, int M, int "
    "N,\n    int K, __local float* tile) {}\n__kernel void clear(__global float* C) {}\n";

/// The error message about a side-car, without the folder's name; "" if there is none.
std::string said(const std::string& toml, const std::string& source = kSource) {
    const TempFolder folder;
    folder.write("k.cl.toml", toml);
    folder.write("near.h", "#define ENTRY(name) __kernel void name\n");
    try {
        check_names(open_kernel_file(folder.write("k.cl", source), "k.cl"));
        return "";
    } catch (const BadInput& error) {
        std::string text = error.what();
        const std::string path = folder.path().string() + "/";
        for (std::size_t at = 0; (at = text.find(path)) != std::string::npos;) text.erase(at, path.size());
        return text;
    }
}

#define CHECK_SAID(text, part)                        \
    do {                                              \
        const std::string said_ = text;               \
        INFO("wanted: ", (part), "\nsaid: ", said_);  \
        CHECK(said_.find(part) != std::string::npos); \
    } while (false)

/// A side-car for matmul; [launch] begins on line 2.
std::string launch(const std::string& kernel, const std::string& rest = "global = [\"N\", \"M\"]") {
    return "problem = \"matmul\"\n[launch]\nkernel = \"" + kernel + "\"\n" + rest + "\n";
}

}  // namespace

TEST_CASE("a kernel function that the source cannot have is refused with those that it has") {
    CHECK(said(launch("multiply")) == "");
    CHECK_SAID(said(launch("nope")),
               "k.cl.toml:3:1: k.cl has no kernel function `nope`; it has multiply and clear.");
    CHECK_SAID(said(launch("mutliply")), "Did you mean multiply?");
    CHECK_SAID(said(launch("helper"), "void helper() {}\n" + kSource), "no kernel function `helper`");
}

TEST_CASE("what a source hides is given the benefit of the doubt") {
    const std::string named = "__kernel void KNAME(__global float* C) {}\n" + kSource;
    CHECK(said(launch("mine") + "[build]\noptions = \"-DKNAME=mine\"\n", named) == "");
    CHECK(said(launch("mine") + "[defines]\nKNAME = \"'mine'\"\n", named) == "");
    CHECK(said(launch("fast"), "#ifdef FAST\n__kernel void fast() {}\n#endif\n" + kSource) == "");
    CHECK(said(launch("sum_float"),
               "#define NAMED(op, t) op##_##t\n__kernel void NAMED(sum, float)() {}\n" + kSource) == "");
    CHECK(said(launch("far"), "#include <far.h>\n" + kSource) == "");
    CHECK(said(launch("near"), "#include \"near.h\"\nENTRY(near)() {}\n" + kSource) == "");
    CHECK(said(launch("multiply"), "__kernel void multiply( {\n") == "");
    CHECK(said("[launch]\nkernel = \"multiply\"\nglobal = [\"Q\"]\n") == "");  // no problem is known yet
}

TEST_CASE("an argument that the function does not have is refused where it is bound") {
    const std::string rest = "global = [\"N\", \"M\"]\n";
    CHECK(said(launch("multiply", rest + "args = {A = \"B\"}\nlocal_mem = {tile = 16}")) == "");
    CHECK_SAID(said(launch("multiply", rest + "args = {Q = \"B\"}")),
               "k.cl.toml:5:14: args names `Q`, which is not an argument of multiply; it has A, B, C, M, N, "
               "K and tile.");
    CHECK_SAID(said(launch("clear", rest + "local_mem = {tiles = 16}")),
               "`tiles`, which is not an argument of clear; it has only C.");
}

TEST_CASE("a pipe is refused as such, not as an argument that is missing") {
    const std::string piped = "__kernel void multiply(read_only pipe float A, __global float* C) {}\n";
    CHECK_SAID(said(launch("multiply", "global = [\"N\"]\nargs = {C = \"C\"}"), piped),
               "k.cl:1: multiply: argument 'pipe' belongs to pipes, which the workbench does not support");
}

TEST_CASE("a name in an expression that nothing has is refused at its column") {
    CHECK_SAID(said(launch("multiply", "global = [\"Q\"]")), "k.cl.toml:4:12: unknown name `Q`.");
    CHECK_SAID(said(launch("multiply", "global = [\"N\", \"round_up(M, TIEL)\"]\n[params]\nTILE = 4")),
               "k.cl.toml:4:29: unknown name `TIEL`. Did you mean TILE?");
    CHECK_SAID(said(launch("multiply", "global = [\"N\"]\nlocal = [\"local.x\"]")),
               "k.cl.toml:5:11: unknown name `local.x`");
    CHECK_SAID(said(launch("multiply", "global = [\"N\"]\n[require]\nfits = \"N < 5 or Q > 1\"")),
               "k.cl.toml:6:18: unknown name `Q`");
    CHECK(said(launch("multiply",
                      "global = [\"round_up(N, local.x) * W\"]\nlocal = [16]\n[defines]\nW = "
                      "\"device.compute_units\"")) == "");
}

}  // namespace kwb
