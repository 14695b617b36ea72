/*+++
title   = "Vectors: for CPU devices, a work-item gathers sixteen rows and stores whole vectors"
problem = "transpose"

[params]
WIDE = [64, 16, 32, 128, 256]   # columns of A that a work-item transposes

[launch]
kernel = "transpose_vectors"
local  = [1, 1]
global = ["ceil_div(M, 16)", "ceil_div(N, WIDE)"]
+++*/

// B[j][i … i + 15] = A[i … i + 15][j]
//
//      A                                B
//      i     + a b c d …                  i … i+15
//      i+1   + e f g h …            j     a e i m …      one vstore of 64 bytes: a whole cache line
//      …     + i j k l …      →     j+1   b f j n …      (if M is a multiple of 16; otherwise two)
//      i+15  + m n o p …            j+2   c g k o …
//
// A work-item gathers one float from each of sixteen rows, which stay in the cache until all their columns are
// done, and stores them as one vector. It does not use local memory, which on a CPU is only one more copy.

#ifndef WIDE
#define WIDE 64  // columns of A that a work-item transposes
#endif

__kernel void transpose_vectors(__global const float* A, __global float* B, const int M, const int N) {
    const int row = get_global_id(0) * 16;
    const int left = get_global_id(1) * WIDE;
    const int right = min(left + WIDE, N);
    if (row + 16 <= M) {
        __global const float* a = A + (size_t)row * N;
        const size_t n = N;
        for (int j = left; j < right; ++j) {
            const float16 column = (float16)(
                a[j], a[n + j], a[2 * n + j], a[3 * n + j], a[4 * n + j], a[5 * n + j], a[6 * n + j],
                a[7 * n + j], a[8 * n + j], a[9 * n + j], a[10 * n + j], a[11 * n + j], a[12 * n + j],
                a[13 * n + j], a[14 * n + j], a[15 * n + j]);
            vstore16(column, 0, B + (size_t)j * M + row);
        }
    } else {
        for (int j = left; j < right; ++j)
            for (int i = row; i < M; ++i) B[(size_t)j * M + i] = A[(size_t)i * N + j];
    }
}
// SPDX-License-Identifier: Apache-2.0
