// SPDX-License-Identifier: Apache-2.0
// Kernels in a line, observed by a real kwb-xray.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/text.hpp"
#include "support/xray_client.hpp"

namespace kwb::test {

inline constexpr ElementType kFloat{Scalar::Float32};
inline constexpr ElementType kInt{Scalar::Int32};

/// 64 work-items in two groups.
inline XrayJob job_of(const std::string& source) {
    XrayJob job;
    job.source = source;
    job.kernel = "k";
    job.global = {64};
    job.local = {32};
    return job;
}

/// Observes it and requires exactly these kinds of findings.
inline XrayAnswer expect_codes(const XrayJob& job, const std::vector<std::string>& codes) {
    XrayAnswer answer = observe(KWB_XRAY_PROGRAM, job);
    CAPTURE(job.source);
    REQUIRE_MESSAGE(answer.report.has_value(), answer.failure);
    CHECK(join(answer.codes(), ", ") == join(codes, ", "));
    return answer;
}

}  // namespace kwb::test
