/*+++
title   = "Leaves an element out, which keeps the NaN that was there"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 17x19x23
// verdict wrong
// reason *1 of 323 elements of C was never written*C[16][18]*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    if (x != N - 1 || y != M - 1) C[y * N + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
