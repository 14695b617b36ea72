// Requests for kernels that stand in a test as text.
#pragma once

#include "bench.hpp"

namespace kwb::test {

/// A matrix product, one work-item an element of C, with statements before its last one. They may change
/// `sum`; `first` and `last` are true for the work-items of the first and the last element.
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

/// @param source  with the kernel function `product`
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
