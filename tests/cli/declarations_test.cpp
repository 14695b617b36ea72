// What a person declares, said wrongly: refused before anything runs, or told beside the result.
#include <fmt/format.h>

#include "cli/kwb.hpp"

using namespace kwb::test;

namespace {

/// y = x · x over floats of this fill; the kernel is wrong, but for the reference's infinities.
std::string squared(TempFolder& folder, const std::string& fill) {
    folder.write("mine.cl",
                 fmt::format("/*+++\n[problem]\nsizes = {{N = 100}}\n"
                             "reference = {{launch = {{kernel = \"squared\", global = [\"N\"]}}}}\n"
                             "[problem.buffers]\nx = {{shape = [\"N\"], fill = {}}}\n"
                             "y = {{shape = [\"N\"], output = true, tolerance = {{relative = 1e-6}}}}\n"
                             "[launch]\nkernel = \"tripled\"\nglobal = [\"N\"]\n+++*/\n"
                             "__kernel void squared(__global const float* x, __global float* y) {{\n"
                             "    int i = get_global_id(0);\n    y[i] = x[i] * x[i];\n}}\n"
                             "__kernel void tripled(__global const float* x, __global float* y) {{\n"
                             "    int i = get_global_id(0);\n    y[i] = 3 * x[i] * x[i];\n}}\n",
                             fill));
    return (folder / "mine.cl").string();
}

}  // namespace

TEST_CASE("a truth that is not finite is told beside the verdict that rests on it") {
    TempFolder folder;
    const auto json = kwb_json({"run", squared(folder, "3e38"), "--rounds", "1", "--json", "-"});
    CHECK(json["results"][0]["verdict"] == "correct");
    CHECK_SAYS(json["results"][0]["warnings"].dump(), "100 of 100 expected values of y are not finite");
    const auto checked = kwb_json({"check", squared(folder, "3e38"), "--size", "100", "--json", "-"});
    CHECK_SAYS(checked["results"][0]["warnings"].dump(), "100 of 100 expected values of y are not finite");
    CHECK_TELLS(run_kwb({"run", squared(folder, "2"), "--rounds", "1"}), 1, "wrong");
}
