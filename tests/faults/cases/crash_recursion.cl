/*+++
title   = "A function that calls itself"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 17x19x23
// verdict compiler_crashed
// reason *compiler*
// hint 18 *calls itself*
// exit 1

float dot_from(__global const float* A, __global const float* B, int row, int x, int k, int N, int K) {
    if (k == K) return 0.0f;
    return A[row * K + k] * B[k * N + x] + dot_from(A, B, row, x, k + 1, N, K);
}

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    const float sum = dot_from(A, B, y, x, 0, N, K);
    C[y * N + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
