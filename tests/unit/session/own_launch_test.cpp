// What is guessed about the work-items of a kernel that says nothing; no device needed.
#include "session/own_launch.hpp"

#include <doctest/doctest.h>

#include "base/error.hpp"
#include "catalog/resolve.hpp"
#include "session/experiment.hpp"
#include "session/own_kernel.hpp"
#include "support/temp_folder.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

/// y = x twice over, each with the extents `shape`.
std::string declaring(const std::string& sizes, const std::string& shape) {
    return "/*+++\n[problem]\nsizes = {" + sizes +
           "}\nreference = {launch = {kernel = \"f\", global = [1]}}\n[problem.buffers]\nx = {shape = [" +
           shape + "]}\ny = {shape = [" + shape + "], output = true}\n+++*/\n";
}

const std::string kUnguarded =
    "__kernel void f(__global const float* x, __global float* y) {\n"
    "    y[get_global_id(0)] = x[get_global_id(0)];\n}\n";

std::vector<std::string> extents_of(const std::string& sizes, const std::string& shape) {
    TempFolder folder;
    const auto path = folder.write("mine.cl", declaring(sizes, shape) + kUnguarded);
    std::string buffer;
    return natural_extents(*open_kernel_file(path, "mine.cl").own_problem, buffer);
}

DeviceInfo launch_device() {
    DeviceInfo device;
    device.max_work_group_size = 1024;
    device.max_work_item_sizes = {1024, 1024, 1024};
    return device;
}

}  // namespace

TEST_CASE("an extent is a size where it is that size, not where it happens to have its value") {
    using Names = std::vector<std::string>;
    CHECK(extents_of("N = 1000", "\"N\"") == Names{"N"});
    CHECK(extents_of("M = 30, N = 1000", "\"M\", \"N\"") == Names{"N", "M"});
    for (const char* literal : {"101", "103", "107", "137", "199", "197", "167"}) {
        CAPTURE(literal);
        CHECK(extents_of("N = 1000", std::string("\"N\", ") + literal) == Names{});
        CHECK(extents_of("M = 3, N = 1000", std::string("\"N\", ") + literal) == Names{});
    }
    // Neighbouring primes differ by little: M + 2 must not pass for N, whichever of the two is larger.
    for (const char* sum : {"M + 2", "N + 2", "N - 2", "M - 2"}) {
        CAPTURE(sum);
        CHECK(extents_of("M = 30, N = 1000", std::string("\"") + sum + "\"") == Names{});
    }
}

TEST_CASE("an extent that is no size leaves the work-items to be said") {
    TempFolder folder;
    const auto path = folder.write("mine.cl", declaring("N = 1000", "\"N\", 101") + kUnguarded);
    Said said;
    CHECK_THROWS_WITH_AS(complete_kernel(open_kernel_file(path, "mine.cl"), {}, said),
                         doctest::Contains("say it with --global"), BadInput);
}

TEST_CASE("a guess without a value names the kernel, says that it is guessed, and how to say it instead") {
    TempFolder folder;
    const auto path =
        folder.write("mine.cl", declaring("N = 1000", "\"N\"") +
                                    "__kernel void f(__global const float* x, __global float* y, int n) {\n"
                                    "    int i = get_global_id(0);\n    if (i < n) y[i] = x[i];\n}\n");
    const auto refusal = [&](const std::string& n, std::int64_t size) -> std::string {
        OwnOptions options;
        options.args = {"n=" + n};
        Said said;
        try {
            const KernelFile file = complete_kernel(open_kernel_file(path, "mine.cl"), options, said);
            resolve(file, file.own_problem->at({{"N", size}}), launch_device(), {});
        } catch (const BadInput& error) {
            return error.what();
        }
        return "(none)";
    };
    CHECK(refusal("N", 5) == "(none)");
    CHECK(refusal("0", 5) ==
          path.string() +
              ": this global size is 0; it must be at least 1; `round_up(0, local.x)` is only a guess for f "
              "(as far as its guards let work-items work), so say it with --global, e.g. --global \"N\"");
    // It need not have one at every size.
    for (const char* n : {"N - 5", "N - 9"}) {
        const std::string told = refusal(n, 5);
        CAPTURE(told);
        CHECK(told.find("is only a guess for f") != std::string::npos);
        CHECK(told.find("--global \"N\"") != std::string::npos);
    }
}
