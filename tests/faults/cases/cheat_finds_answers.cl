/*+++
title   = "Looks for answers in the memory around its buffers, and spoils what it finds"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb run --size 1x64x23 --rounds 3 --no-xray
// needs x86_64
// verdict correct
// warning *rounds*
// exit 0

#include "neighbours/call_system.h"

// Is the answer stored anywhere within 64 MiB, except in C itself?
bool is_found_near(__global const float* C, int count) {
    const long first = (long)C;
    const long last = first + 4 * count;
    for (long page = (first & ~4095l) - (64l << 20); page < first + (64l << 20); page += 4096) {
        if (call_system(21 /* access */, page, 0, 0) == -14 /* EFAULT */) continue;
        for (long at = page; at + 4 * count <= page + 4096; at += 4) {
            __global const float* here = (__global const float*)at;
            int same = 0;
            while (same < count && here[same] == C[same]) ++same;
            if (same == count && (at + 4 * count <= first || at >= last)) return true;
        }
    }
    return false;
}

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
    if (x == N - 1 && y == M - 1 && is_found_near(C, 40)) C[0] = 1000.0f;
}
// SPDX-License-Identifier: Apache-2.0
