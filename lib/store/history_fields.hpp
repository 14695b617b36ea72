// SPDX-License-Identifier: Apache-2.0
// Descriptions (base/record.hpp) of what the history keeps.
#pragma once

#include "base/record_json.hpp"
#include "model/result_fields.hpp"
#include "store/history.hpp"

namespace kwb {

/// Milliseconds since 1970, UTC.
template <>
struct JsonForm<std::chrono::system_clock::time_point> {
    using Time = std::chrono::system_clock::time_point;
    using Milliseconds = std::chrono::milliseconds;

    static Json write(const Time& time) {
        return std::chrono::floor<Milliseconds>(time.time_since_epoch()).count();
    }
    static void read(const JsonPlace& place, Time& time) {
        std::int64_t ms = 0;
        read_json(place, ms, between(-1e12, 1e13));
        time = Time(Milliseconds(ms));
    }
};

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
