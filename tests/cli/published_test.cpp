// SPDX-License-Identifier: Apache-2.0
// The published kernels as in a class: output of `kwb` and its exit status.
#include "cli/kwb.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

constexpr const char* kEnd = "+++*/";

/// Everything from the first [[expect]] of a kernel file to the end of its front matter.
std::string announcements(const std::string& source) {
    const std::size_t begin = source.find("[[expect]]");
    return source.substr(begin, source.find(kEnd) - begin);
}

}  // namespace

TEST_CASE("a published kernel that is as wrong as its file announces is as it should be") {
    CHECK_TELLS(run_kwb({"check", "published/numba_cuda_fast", "--size", "17"}), 0,
                "out_of_bounds, as expected", "0 of 1 size correct, all as expected", "--explain shows why");
    CHECK_TELLS(run_kwb({"check", "published/numba_cuda_fast", "--size", "17", "--explain"}), 0, "&&");
    CHECK_TELLS(run_kwb({"run", "published/kernel_tuner_naive", "--size", "32", "--rounds", "1"}), 0,
                "compile_error, as expected", "undeclared identifier 'i'");
    CHECK_TELLS(run_kwb({"run", "published/numba_roc_fast", "--size", "32x16x256", "--rounds", "1"}), 0);
}

TEST_CASE("a stray read is wrong in a run, and out of bounds in a check and in a run with --check") {
    const Args run = {"run", "published/numba_cuda_fast", "--size", "32x16x16", "--rounds", "1"};
    CHECK_TELLS(run_kwb(run), 0, "wrong, as expected");
    Args with_check = run;
    with_check.push_back("--check");
    CHECK_TELLS(run_kwb(with_check), 0, "out_of_bounds, as expected");
    CHECK_TELLS(run_kwb({"check", "published/numba_cuda_fast", "--size", "32x16x16"}), 0,
                "out_of_bounds, as expected");
}

TEST_CASE("a repaired kernel that still announces the fault is not as it should be") {
    const TempFolder folder;
    const std::string told = announcements(kernel_source("published/02_numba_cuda_fast.cl"));
    const std::string source =
        replaced(kernel_source("published/03_numba_cuda_fast_repaired.cl"), kEnd, "\n" + told + kEnd);
    const std::string file = folder.write("repaired.cl", source).string();
    CHECK_TELLS(run_kwb({"check", file, "--size", "17"}), 1, "correct, not as expected",
                "expected to be out_of_bounds");
    CHECK_TELLS(run_kwb({"run", file, "--size", "16x16x32", "--rounds", "1"}), 1, "correct, not as expected");
    CHECK_TELLS(run_kwb({"check", file, "--size", "32"}), 0, "1 of 1 size correct");
}

TEST_CASE("a faulty kernel that announces nothing is not as it should be") {
    const TempFolder folder;
    const std::string source = kernel_source("published/02_numba_cuda_fast.cl");
    const std::string file = folder.write("silent.cl", replaced(source, announcements(source), "")).string();
    CHECK_TELLS(run_kwb({"check", file, "--size", "17"}), 1, "out_of_bounds", "0 of 1 size correct");
}

TEST_CASE("help explains exit code 0 for such a kernel, and show lists where and how it is wrong") {
    CHECK_TELLS(run_kwb({"check", "--help"}), 0, "Exit code 0", "[expect]", "kernels/published");
    CHECK_TELLS(run_kwb({"run", "--help"}), 0, "Exit code 0", "[expect]");
    CHECK_TELLS(run_kwb({"show", "published/numba_cuda_fast"}), 0,
                "out_of_bounds in a check where K < M and device.kind == 'cpu'; --explain shows why",
                "wrong where K != M");
    CHECK_TELLS(run_kwb({"show", "published/numba_cuda_fast", "--explain"}), 0, "wrong where K != M: ");
}
