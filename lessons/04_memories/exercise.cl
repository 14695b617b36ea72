/*+++
title   = "Lesson 4: who sees what"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [16, 16]
global = ["round_up(N, local.x)", "round_up(M, local.y)"]
+++*/

// C = A B, accumulated in global memory.

__kernel void multiply(__global const float* A, __global const float* B, __global float* C, const int M, const int N,
                       const int K) {
    const int column = get_global_id(0);
    const int row = get_global_id(1);
    if (row >= M || column >= N) return;

    C[row * N + column] = 0;
    for (int k = 0; k < K; ++k) C[row * N + column] += A[row * K + k] * B[k * N + column];
}
// SPDX-License-Identifier: Apache-2.0
