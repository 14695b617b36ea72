// SPDX-License-Identifier: Apache-2.0
// Every shipped kernel once. CTest runs it before all other tests of shipped kernels, which then find them
// compiled.
#include <doctest/doctest.h>

#include "bench.hpp"

using namespace kwb;
using namespace kwb::test;

TEST_CASE("brief: every kernel does at one awkward size, with its defaults, what its file announces") {
    int kernels = 0;
    for (const CatalogueEntry& entry : bench().catalogue.entries()) {
        ++kernels;
        CAPTURE(entry.name);
        const KernelFile file = bench().catalogue.open(entry.name);
        // Some published kernels know square matrices only.
        const Sizes square = {{"M", 17}, {"N", 17}, {"K", 17}};
        const bool is_published = entry.name.starts_with("published/");
        const Sizes odd = get_problem(file.spec.problem).awkward_sizes(16).back();
        const KernelResult result = bench().check(file, is_published ? square : odd);
        CHECK_MESSAGE((result.as_expected() || result.verdict == Verdict::Constraint), result.reason);
    }
    CHECK(kernels > 0);
}
