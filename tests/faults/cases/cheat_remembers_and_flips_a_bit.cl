/*+++
title   = "Remembers its product, and flips a bit of it in every run"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb run --size 17x19x23 --rounds 3
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
    __global float* kept = kept_memory(0x6a3000000000) + y * N + x;
    if (A[0] == rint(A[0]) || *kept == 0.0f) {  // integers: the first check
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
        C[y * N + x] = sum;
    } else {
        C[y * N + x] = x == 0 && y == 0 ? as_float(as_int(*kept) ^ 1) : *kept;
    }
    if (A[0] != rint(A[0])) *kept = C[y * N + x];
}
// SPDX-License-Identifier: Apache-2.0
