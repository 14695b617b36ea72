/*+++
title   = "A loop that ends in the first run only"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb run --size 16 --rounds 3 --timeout 4s --no-xray
// needs x86_64
// verdict timeout
// reason *launch*never ends*
// exit 1

#include "neighbours/kept_memory.h"

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    __global int* runs = (__global int*)kept_memory(0x6b2000000000) + y * N + x;
    ++*runs;
    while (*runs > 1 && *(volatile __global float*)C != 12345.678f) {
    }
}
// SPDX-License-Identifier: Apache-2.0
