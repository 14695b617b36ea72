/*+++
title   = "Counts its runs, and is wrong from the third on"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb run --size 17x19x23 --rounds 3 --no-xray
// needs x86_64
// verdict wrong
// reason *timed run*
// exit 1

#include "neighbours/kept_memory.h"

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    __global int* runs = (__global int*)kept_memory(0x6b1000000000) + y * N + x;
    C[y * N + x] = ++*runs <= 2 ? sum : sum + 1.0f;
}
// SPDX-License-Identifier: Apache-2.0
