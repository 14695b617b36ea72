// SPDX-License-Identifier: Apache-2.0
// Runs kernel files with the real judge on PoCL.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "bench.hpp"
#include "experiment/opened_experiment.hpp"
#include "support/judge_client.hpp"

namespace kwb::test {

class DeviceBench {
public:
    DeviceBench();

    /// A request for one kernel: from tests/device/kernels ("slices") or a shipped one ("matmul/01_naive").
    /// @param param  "TILE=8", "WIDTH=4 CHAINS=2"; may be empty
    RunRequest request(const std::string& kernel, const Sizes& sizes, const std::string& param = "",
                       bool check_only = true) const;

    /// Check one kernel at one size.
    KernelResult check(const std::string& kernel, const Sizes& sizes, const std::string& param = "");
    /// Check the kernel and time it for a few rounds.
    KernelResult run(const std::string& kernel, const Sizes& sizes, const std::string& param = "");

    /// Require that this judge still finds the shipped naive kernel correct.
    void require_health();

    JudgeClient judge;
    DeviceInfo device;
};

inline Sizes sizes_of(std::int64_t m, std::int64_t n, std::int64_t k) {
    return {{"M", m}, {"N", n}, {"K", k}};
}

inline bool mentions(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// The judge shared by all tests of this program.
DeviceBench& bench();

// Requests for kernels given as text in a test.

/// A matrix product with one work-item per element of C. `statements` are inserted before the store of the
/// result and may change `sum`; `first` and `last` are true in the work-items of the first and the last
/// element.
inline std::string product_with(const std::string& statements, const std::string& before = "") {
    return before +
           "kernel void product(global float* A, global float* B, global float* C, const int M, const int N, "
           "const int K) {\n"
           "    const int x = get_global_id(0), y = get_global_id(1);\n"
           "    if (x >= N || y >= M) return;\n"
           "    const int first = x == 0 && y == 0, last = x == N - 1 && y == M - 1;\n"
           "    float sum = 0;\n"
           "    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];\n" +
           statements +
           "\n"
           "    C[y * N + x] = sum;\n"
           "    (void)first, (void)last;\n"
           "}\n";
}

/// @param source  contains the kernel function `product`
inline RunRequest request_for(const std::string& source, const Sizes& sizes, bool check_only = true) {
    RunRequest request = bench().request("matmul/01_naive", sizes, "", check_only);
    KernelPlan& plan = *request.contestants[0].kernel;
    plan.file = "product.cl";
    plan.name = "product";
    plan.source_text = source;
    plan.source_sha256 = std::to_string(std::hash<std::string>()(source));
    plan.launches[0].kernel = "product";
    plan.trust = Trust::Own;
    return request;
}

inline KernelResult check_text(const std::string& source, const Sizes& sizes) {
    return bench().judge.result_of(request_for(source, sizes));
}

}  // namespace kwb::test
