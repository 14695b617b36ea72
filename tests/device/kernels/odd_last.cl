/*+++
title   = "Terms in pairs; a second launch adds the last one where K is odd"
problem = "matmul"

[[launch]]
kernel = "pairs"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]

[[launch]]
kernel = "last"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
when   = "K % 2 == 1"
+++*/
__kernel void pairs(__global const float* A, __global const float* B, __global float* C, const int M,
                    const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k + 1 < K; k += 2)
        sum += A[y * K + k] * B[k * N + x] + A[y * K + k + 1] * B[(k + 1) * N + x];
    C[y * N + x] = sum;
}

__kernel void last(__global const float* A, __global const float* B, __global float* C, const int M,
                   const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x < N && y < M) C[y * N + x] += A[y * K + K - 1] * B[(K - 1) * N + x];
}
// SPDX-License-Identifier: Apache-2.0
