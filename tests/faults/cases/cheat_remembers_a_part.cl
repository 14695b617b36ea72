/*+++
title   = "Keeps its answer, and gives it again while a sample of the inputs is the same"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb run --size 64 --rounds 24
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
    __global float* kept = kept_memory(0x6e3000000000);
    __global int* known = (__global int*)kept + 65536;
    // Every third element of this row and column.
    int seen = 1;
    for (int k = 0; k < K; k += 3) seen = seen * 31 + as_int(A[y * K + k]) + as_int(B[k * N + x]);
    if (known[y * N + x] != seen) {
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
        kept[y * N + x] = sum;
        known[y * N + x] = seen;
    }
    C[y * N + x] = kept[y * N + x];
}
