/*+++
title   = "One dimension, and work-groups as the driver likes them"
problem = "matmul"

[launch]
kernel = "flat"
local  = "auto"
global = ["M * N"]
+++*/
__kernel void flat(__global const float* A, __global const float* B, __global float* C, const int N,
                   const int K) {
    const int i = get_global_id(0);
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[i / N * K + k] * B[k * N + i % N];
    C[i] = sum;
}
// SPDX-License-Identifier: Apache-2.0
