/*+++
title   = "Calls a function that there is not"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 17x19x23
// verdict compile_error
// reason *dot_product*
// diagnostic 21 error *dot_product*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = dot_product(A, B, x, y);
    C[y * N + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
