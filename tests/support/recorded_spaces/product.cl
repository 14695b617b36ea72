/*+++
title   = "A product with six parameters, recorded for the comparison of search strategies"
problem = "matmul"

[params]
GROUP_X = [8, 16, 32]       # work-items of a work-group along x
GROUP_Y = [2, 4, 8, 16]     # and along y
EACH_X  = [1, 2, 4, 8]      # elements of C that a work-item computes along x
EACH_Y  = [1, 2, 4, 8]      # and along y
STRIDED = [0, 1]            # 1: the elements of a work-item are a work-group apart; 0: they are neighbours
UNROLL  = [1, 4]            # steps of k in one iteration

[launch]
kernel = "product"
local  = ["GROUP_X", "GROUP_Y"]
global = ["round_up(ceil_div(N, EACH_X), GROUP_X)", "round_up(ceil_div(M, EACH_Y), GROUP_Y)"]

[require]
group  = "GROUP_X * GROUP_Y <= 128"
block  = "EACH_X * EACH_Y <= 16"
+++*/

#if STRIDED
#define COLUMN(j) (get_group_id(0) * GROUP_X * EACH_X + (j) * GROUP_X + get_local_id(0))
#define ROW(i) (get_group_id(1) * GROUP_Y * EACH_Y + (i) * GROUP_Y + get_local_id(1))
#else
#define COLUMN(j) (get_global_id(0) * EACH_X + (j))
#define ROW(i) (get_global_id(1) * EACH_Y + (i))
#endif

__kernel void product(__global const float* A, __global const float* B, __global float* C, const int M, const int N,
                      const int K) {
    float sum[EACH_Y][EACH_X];
#pragma unroll
    for (int i = 0; i < EACH_Y; ++i)
#pragma unroll
        for (int j = 0; j < EACH_X; ++j) sum[i][j] = 0.0f;

    // Outside the matrices, the last row or column is read again; its results are dropped.
#pragma unroll UNROLL
    for (int k = 0; k < K; ++k) {
        float b[EACH_X];
#pragma unroll
        for (int j = 0; j < EACH_X; ++j) b[j] = B[k * N + min((int)COLUMN(j), N - 1)];
#pragma unroll
        for (int i = 0; i < EACH_Y; ++i) {
            const float a = A[min((int)ROW(i), M - 1) * K + k];
#pragma unroll
            for (int j = 0; j < EACH_X; ++j) sum[i][j] += a * b[j];
        }
    }
    for (int i = 0; i < EACH_Y; ++i)
        for (int j = 0; j < EACH_X; ++j)
            if (ROW(i) < M && COLUMN(j) < N) C[ROW(i) * N + COLUMN(j)] = sum[i][j];
}
// SPDX-License-Identifier: Apache-2.0
