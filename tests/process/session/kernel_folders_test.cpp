#include "session/kernel_folders.hpp"

#include <doctest/doctest.h>

#include "session/experiment.hpp"
#include "support/temp_folder.hpp"

using namespace kwb;
using namespace kwb::test;

namespace fs = std::filesystem;

namespace {

constexpr const char* kKernel =
    "/*+++\nproblem = 'matmul'\n[launch]\nkernel = 'k'\nlocal = [1, 1]\nglobal = ['N', 'M']\n+++*/\n"
    "__kernel void k(__global float* C) { }\n";

}  // namespace

TEST_CASE("a kernel below the installed folder is shipped, any other file is the person's own") {
    const TempFolder folder;
    const fs::path shipped = folder.path() / "kernels";
    fs::create_directories(shipped / "matmul");
    fs::create_directories(folder.path() / "kernels-of-mine");
    const fs::path installed = folder.write("kernels/matmul/01_naive.cl", kKernel);
    const fs::path mine = folder.write("kernels-of-mine/k.cl", kKernel);
    CHECK(trust_of(installed, shipped) == Trust::Shipped);
    CHECK(trust_of(shipped / "matmul" / ".." / "matmul" / "01_naive.cl", shipped) == Trust::Shipped);
    CHECK(trust_of(mine, shipped) == Trust::Own);  // its path only begins alike
    CHECK(trust_of(shipped / ".." / "kernels-of-mine" / "k.cl", shipped) == Trust::Own);
    CHECK(trust_of(folder.path() / "missing.cl", shipped) == Trust::Own);
    CHECK(trust_of(mine, "") == Trust::Own);  // nothing is installed
}

TEST_CASE("links count for what they lead to") {
    const TempFolder folder;
    const fs::path shipped = folder.path() / "kernels";
    fs::create_directories(shipped);
    const fs::path installed = folder.write("kernels/k.cl", kKernel);
    const fs::path mine = folder.write("mine.cl", kKernel);
    fs::create_symlink(mine, shipped / "planted.cl");
    fs::create_symlink(installed, folder.path() / "borrowed.cl");
    CHECK(trust_of(shipped / "planted.cl", shipped) == Trust::Own);
    CHECK(trust_of(folder.path() / "borrowed.cl", shipped) == Trust::Shipped);
}

TEST_CASE("a request carries whose kernels it runs, and whether to look for stray accesses") {
    const TempFolder folder;
    Experiment experiment;
    experiment.contestants = {open_kernel_file(folder.write("k.cl", kKernel), "k.cl"), std::nullopt};
    const Problem& problem = get_problem("matmul");
    const auto request = [&] {
        return make_request(experiment, problem, problem.default_sizes(), DeviceInfo{});
    };
    CHECK(request().contestants[0].kernel->trust == Trust::Own);
    CHECK(!request().unreadable_pages);
    experiment.foreign = true;
    experiment.unreadable_pages = true;
    CHECK(request().contestants[0].kernel->trust == Trust::Foreign);
    CHECK(request().unreadable_pages);
}
