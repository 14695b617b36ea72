/*+++
title   = "Clears its inputs so that zero is right"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 17x19x23
// verdict wrong
// reason *changed its input*
// exit 1

__kernel void multiply(__global float* A, __global float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    C[y * N + x] = 0.0f;
    for (int k = 0; k < K; ++k) A[y * K + k] = B[k * N + x] = 0.0f;
}
// SPDX-License-Identifier: Apache-2.0
