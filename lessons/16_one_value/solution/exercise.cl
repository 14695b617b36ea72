/*+++
title   = "Lesson 16: the history of a value"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [16, 16]
global = ["round_up(N, local.x)", "round_up(M, local.y)"]
+++*/

#define BLOCK 16

// C = A B. The products are added in blocks of 16, so that small numbers do not get lost in a large sum.

__kernel void multiply(__global const float* A, __global const float* B, __global float* C, const int M, const int N,
                       const int K) {
    const int column = get_global_id(0);
    const int row = get_global_id(1);
    if (row >= M || column >= N) return;

    float sum = 0;
    for (int first = 0; first < K; first += BLOCK) {
        float part = 0;  // the products of one block
        const int end = min(first + BLOCK, K);
        for (int k = first; k < end; ++k)
            part += A[row * K + k] * B[k * N + column];
        sum += part;
    }
    C[row * N + column] = sum;
}
// SPDX-License-Identifier: Apache-2.0
