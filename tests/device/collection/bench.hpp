// SPDX-License-Identifier: Apache-2.0
// The judge shared by all tests of a program, and the shipped kernels.
#pragma once

#include "catalog/catalogue.hpp"
#include "experiment/experiment.hpp"
#include "support/judge_client.hpp"

namespace kwb::test {

struct CollectionBench {
    CollectionBench();

    /// Check a kernel at one size.
    KernelResult check(const KernelFile& file, const Sizes& sizes, const ParamChoice& params = {});

    JudgeClient judge;
    DeviceInfo device;
    Catalogue catalogue{{KWB_SHIPPED_KERNELS}};
};

CollectionBench& bench();

}  // namespace kwb::test
