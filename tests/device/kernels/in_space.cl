/*+++
title   = "Three dimensions: the third goes over pairs of columns"
problem = "matmul"

[launch]
kernel = "in_space"
local  = [2, 4, 2]
global = ["2", "round_up(M, 4)", "round_up(ceil_div(N, 2), 2)"]
+++*/
__kernel void in_space(__global const float* A, __global const float* B, __global float* C, const int M,
                       const int N, const int K) {
    const int x = get_global_id(2) * 2 + get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
