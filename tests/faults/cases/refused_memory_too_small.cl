/*+++
title   = "A size whose matrices fit no memory together"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 5000000x1x100000
// verdict constraint
// reason *Choose a smaller size*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
