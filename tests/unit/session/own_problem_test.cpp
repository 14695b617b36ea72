// Kernels that say nothing about their launch, for problems that a person declared; no device needed.
#include <doctest/doctest.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "session/experiment.hpp"
#include "session/own_kernel.hpp"
#include "support/temp_folder.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

const std::string kScale =
    "__kernel void scale(__global const float* x, __global float* y, float factor, int N) {\n"
    "    int i = get_global_id(0);\n    if (i < N) y[i] = factor * x[i];\n}\n";

/// @param sizes, shape  of the problem
std::string declaration(const std::string& sizes, const std::string& shape) {
    return "[problem]\nsizes = {" + sizes +
           "}\nscalars = {factor = 3}\nreference = {launch = {kernel = \"scale\", global = [\"N\"]}}\n"
           "[problem.buffers]\nx = {shape = [\"" +
           shape + "\"]}\ny = {shape = [\"" + shape + "\"], output = true}\n";
}

std::string joined(const std::vector<Written>& extents) {
    std::string text;
    for (const Written& extent : extents) text += extent.text + ";";
    return text;
}

struct Scene {
    TempFolder folder;
    std::filesystem::path declares =
        folder.write("scale.cl", "/*+++\n" + declaration("N = 1000", "N") + "+++*/\n" + kScale);
    std::filesystem::path bare = folder.write("theirs.cl", kScale);
};

}  // namespace

TEST_CASE("a file that declares its problem but no launch is completed for that problem") {
    Scene scene;
    Said said;
    const KernelFile file = complete_kernel(open_kernel_file(scene.declares, "scale.cl"), {}, said);
    REQUIRE(file.spec.launches.size() == 1);
    CHECK(joined(file.spec.launches.front().global) == "round_up(N, local.x);");
    CHECK_FALSE(said.empty());
}

TEST_CASE("a file that says nothing solves the declared problem of the others, or that of --problem FILE") {
    Scene scene;
    Said said;
    std::vector<Choice> both = {open_kernel_file(scene.declares, "scale.cl"),
                                open_kernel_file(scene.bare, "theirs.cl")};
    complete_kernels(both, {}, said);
    CHECK(common_problem(both).name() == "scale");
    CHECK(both[1]->spec.launches.size() == 1);

    OwnOptions options;
    options.problem = scene.declares.string();
    std::vector<Choice> alone = {open_kernel_file(scene.bare, "theirs.cl")};
    complete_kernels(alone, options, said);
    CHECK(common_problem(alone).name() == "scale");
    // Said of the one that declares it, too, it is no contradiction.
    both = {open_kernel_file(scene.declares, "scale.cl"), open_kernel_file(scene.bare, "theirs.cl")};
    complete_kernels(both, options, said);
    CHECK(common_problem(both).name() == "scale");
    options.problem = scene.bare.string();
    CHECK_THROWS_WITH_AS(complete_kernels(alone, options, said), doctest::Contains("declares no problem"),
                         BadInput);
}

TEST_CASE("shapes that not every size fits leave the work-items to be said") {
    Scene scene;
    const std::string unguarded =
        "__kernel void scale(__global const float* x, __global float* y, float factor) {\n"
        "    y[get_global_id(0)] = factor * x[get_global_id(0)];\n}\n";
    const auto halves =
        scene.folder.write("halves.cl", "/*+++\n" + declaration("N = 1000", "N / 2") + "+++*/\n" + unguarded);
    Said said;
    CHECK_THROWS_WITH_AS(complete_kernel(open_kernel_file(halves, "halves.cl"), {}, said),
                         doctest::Contains("say it with --global"), BadInput);
    OwnOptions options;
    options.global = {"N / 2"};
    CHECK(complete_kernel(open_kernel_file(halves, "halves.cl"), options, said).spec.launches.size() == 1);
}
