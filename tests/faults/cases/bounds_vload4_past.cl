/*+++
title   = "Loads four floats, of which the last two lie past the end"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *read*element 39* of A*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    if (x == N - 1 && y == M - 1) sum += vload4(0, A + (M * K - 2)).w > 1e30f ? 1.0f : 0.0f;
    C[y * N + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
