/*+++
title   = "Vectors in registers: for CPU devices, a block of C in vectors of sixteen"
problem = "matmul"
source  = "K. Goto, R. van de Geijn, Anatomy of high-performance matrix multiplication, 2008"

[params]
ROWS = [4, 2, 6]        # rows of C of a work-item, 64 columns each

[launch]
kernel = "matmul_vectors"
local  = [1, 1]
global = ["ceil_div(N, 64)", "ceil_div(M, ROWS)"]
+++*/

// C[row + r][col … col + 63] = sum over k of A[row + r][k] * B[k][col … col + 63]
//
//                    B:  k  | ======== ======== ======== ======== |      four vectors of sixteen
//
//      A: row     . k .  C  | ======== ======== ======== ======== |      each number of A multiplies four
//         row + 1 . k .     | ======== ======== ======== ======== |      vectors; each vector of B serves
//         …                 | ======== ======== ======== ======== |      ROWS rows
//
// ROWS · 4 vectors of sums stay in registers over all of K: 4 + ROWS loads for 4 · ROWS multiply-adds of
// sixteen. No local memory and no work-group: on a CPU a work-item is a loop, and its registers are the tile.
// What remains: rows of B are N floats apart, and if N is a power of two they map to the same cache sets.

#ifndef ROWS
#define ROWS 4  // rows of C of a work-item
#endif

// The columns at the right edge that do not fill four vectors, one number at a time.
void multiply_narrow(__global const float* A, __global const float* B, __global float* C, const int rows,
                     const int columns, const int N, const int K) {
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c) {
            float sum = 0.0f;
            for (int k = 0; k < K; ++k) sum = fma(A[(size_t)r * K + k], B[(size_t)k * N + c], sum);
            C[(size_t)r * N + c] = sum;
        }
}

__kernel void matmul_vectors(__global const float* A, __global const float* B, __global float* C, const int M,
                             const int N, const int K) {
    const int col = get_global_id(0) * 64;
    const int row = get_global_id(1) * ROWS;
    const int rows = min(ROWS, M - row);
    A += (size_t)row * K;
    B += col;
    C += (size_t)row * N + col;
    if (col + 64 > N) {
        multiply_narrow(A, B, C, rows, N - col, N, K);
        return;
    }
    __global const float* a[ROWS];
    float16 sum[ROWS][4];
#pragma unroll
    for (int r = 0; r < ROWS; ++r) {
        a[r] = A + (size_t)min(r, rows - 1) * K;  // rows beyond the last repeat it, and are not stored
#pragma unroll
        for (int c = 0; c < 4; ++c) sum[r][c] = 0.0f;
    }
    for (int k = 0; k < K; ++k, B += N) {
        const float16 b0 = vload16(0, B), b1 = vload16(1, B), b2 = vload16(2, B), b3 = vload16(3, B);
#pragma unroll
        for (int r = 0; r < ROWS; ++r) {
            const float16 ak = a[r][k];
            sum[r][0] = fma(ak, b0, sum[r][0]);
            sum[r][1] = fma(ak, b1, sum[r][1]);
            sum[r][2] = fma(ak, b2, sum[r][2]);
            sum[r][3] = fma(ak, b3, sum[r][3]);
        }
    }
#pragma unroll
    for (int r = 0; r < ROWS; ++r)
        if (r < rows)
#pragma unroll
            for (int c = 0; c < 4; ++c) vstore16(sum[r][c], c, C + (size_t)r * N);
}
// SPDX-License-Identifier: Apache-2.0
