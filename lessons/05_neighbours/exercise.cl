/*+++
title   = "Lesson 5: neighbours in memory"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [16, 16]
global = ["round_up(M, local.x)", "round_up(N, local.y)"]
+++*/

// C = A B. The result is right, but the accesses of a sub-group scatter over memory.

__kernel void multiply(__global const float* A, __global const float* B, __global float* C, const int M, const int N,
                       const int K) {
    const int row = get_global_id(0);
    const int column = get_global_id(1);
    if (row >= M || column >= N) return;

    float sum = 0;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
}
// SPDX-License-Identifier: Apache-2.0
