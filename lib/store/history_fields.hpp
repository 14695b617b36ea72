// SPDX-License-Identifier: Apache-2.0
// Descriptions (base/record.hpp) of what the history keeps.
#pragma once

#include "model/result_fields.hpp"
#include "store/history.hpp"
#include "store/time_json.hpp"

namespace kwb {

template <class Fields>
void describe(Fields& f, PastKernel& kernel) {
    f("kernel", kernel.kernel);
    f("source_sha256", kernel.source_sha256);
    f("verdict", kernel.verdict);
    f("as_expected", kernel.as_expected);
    f("median_ms", kernel.median_ms, kKeptDuration);
}

template <class Fields>
void describe(Fields& f, RunSummary& run) {
    f("when_ms", run.when);
    f("device", run.device);
    f("driver", run.driver);
    f("problem", run.problem);
    f("sizes", run.sizes);
    f("steps", run.steps);
    f("kernels", run.kernels);
}

}  // namespace kwb
