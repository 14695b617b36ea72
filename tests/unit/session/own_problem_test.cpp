// Kernels that say nothing about their launch, for problems that a person declared; no device needed.
#include <doctest/doctest.h>

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/text.hpp"
#include "session/experiment.hpp"
#include "session/own_kernel.hpp"
#include "session/side_car.hpp"
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
    std::vector<std::optional<KernelFile>> both = {open_kernel_file(scene.declares, "scale.cl"),
                                                   open_kernel_file(scene.bare, "theirs.cl")};
    complete_kernels(both, {}, said);
    CHECK(common_problem(both).name() == "scale");
    CHECK(both[1]->spec.launches.size() == 1);

    OwnOptions options;
    options.problem = scene.declares.string();
    std::vector<std::optional<KernelFile>> alone = {open_kernel_file(scene.bare, "theirs.cl")};
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

TEST_CASE("cpu:blas alone does not tell what a file solves, for its library solves several problems") {
    const TempFolder folder;
    const auto bare =
        folder.write("tr.cl", "__kernel void k(__global const float* A, __global float* B) {}\n");
    Said said;
    std::vector<std::optional<KernelFile>> both = {open_kernel_file(bare, "tr.cl"), std::nullopt};
    complete_kernels(both, {}, said);
    CHECK(both.front()->spec.problem.empty());
    CHECK_THROWS_WITH_AS(common_problem(both), doctest::Contains("does not say which problem it solves"),
                         BadInput);
    OwnOptions options;
    options.problem = "transpose";
    complete_kernels(both, options, said);
    CHECK(common_problem(both).name() == "transpose");
}

TEST_CASE("a side-car leads to a problem in the kernel's folder or below, and nowhere else") {
    Scene scene;
    const auto adopted = [&](const std::filesystem::path& kernel, const std::filesystem::path& problem) {
        OwnOptions options;
        options.problem = problem.string();
        std::vector<std::optional<KernelFile>> alone = {open_bare_kernel(kernel)};
        Said said;
        complete_kernels(alone, options, said);
        return problem_in_side_car(*alone.front());
    };
    CHECK(adopted(scene.bare, scene.declares) == "scale.cl");
    const auto below = scene.folder.write("q/other.cl", read_file(scene.declares));
    CHECK(adopted(scene.bare, below) == "q/other.cl");
    // However the paths are written: from the working folder, or through a link to the folder.
    CHECK(adopted(std::filesystem::relative(scene.bare), below) == "q/other.cl");
    std::filesystem::create_directory_symlink(scene.folder / "q", scene.folder / "link");
    const auto beside = scene.folder.write("q/theirs.cl", kScale);
    CHECK(adopted(beside, scene.folder / "link/other.cl") == "other.cl");
    CHECK_THROWS_WITH_AS(
        adopted(beside, scene.declares),
        doctest::Contains("is outside of the kernel's folder, where no side-car may lead; copy "
                          "it, and what it names, beside"),
        BadInput);
    std::vector<std::optional<KernelFile>> known = {open_bare_kernel(scene.bare)};
    known.front()->spec.problem = "matmul";
    CHECK(problem_in_side_car(*known.front()) == "matmul");
}
