/*+++
title   = "Wide loads: four neighbours at a time, from global memory to registers"
problem = "matmul"
source  = "C. Nugteren, OpenCL matrix-multiplication SGEMM tutorial, 2014"

[params]
TILE = [32, 16, 64]     # edge of the blocks
ROWS = [4, 2, 8]        # rows of C that a work-item computes, four columns each

[launch]
kernel = "matmul_wide"
local  = ["TILE // 4", "TILE // ROWS"]
global = ["ceil_div(N, TILE) * (TILE // 4)", "ceil_div(M, TILE) * (TILE // ROWS)"]

[require]
fits = "(TILE // 4) * (TILE // ROWS) <= device.max_work_group_size"
room = "8 * TILE * TILE <= device.local_mem_bytes"
+++*/

// C[row][col … col + 3] = sum over blocks, sum over k of A[row][k] * B[k][col … col + 3]
//
//   b   | ==== | ==== | ==== |       ==== is a float4: one load, one store, one multiply-add for four numbers
//
//   a   | ==== | ==== |
//
// A work-item computes ROWS x 4 elements of C. Where a matrix ends within four numbers, it loads them one by
// one: right at every size, wide almost everywhere.

#ifndef TILE
#define TILE 32  // edge of the blocks
#endif
#ifndef ROWS
#define ROWS 4  // rows of C that a work-item computes; divides TILE
#endif
#define STEP (TILE / ROWS)

// Four neighbours in a row of a matrix of rows x columns; zero outside, which adds nothing.
float4 load(__global const float* matrix, const int row, const int col, const int rows, const int columns) {
    if (row >= rows || col >= columns) return 0.0f;
    __global const float* from = matrix + (size_t)row * columns + col;
    if (col + 4 <= columns) return vload4(0, from);
    return (float4)(from[0], col + 1 < columns ? from[1] : 0.0f, col + 2 < columns ? from[2] : 0.0f, 0.0f);
}

__kernel void matmul_wide(__global const float* A, __global const float* B, __global float* C, const int M,
                          const int N, const int K) {
    __local float4 a[TILE][TILE / 4];
    __local float4 b[TILE][TILE / 4];

    const int lx = get_local_id(0);
    const int ly = get_local_id(1);
    const int col = get_group_id(0) * TILE + lx * 4;
    const int top = get_group_id(1) * TILE;

    float4 sum[ROWS];
    for (int r = 0; r < ROWS; ++r) sum[r] = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        for (int y = ly; y < TILE; y += STEP) {
            a[y][lx] = load(A, top + y, k0 + lx * 4, M, K);
            b[y][lx] = load(B, k0 + y, col, K, N);
        }
        barrier(CLK_LOCAL_MEM_FENCE);  // both blocks are complete before any work-item reads them

        for (int k = 0; k < TILE / 4; ++k)
            for (int r = 0; r < ROWS; ++r) {
                const float4 ak = a[ly + r * STEP][k];
                sum[r] += ak.x * b[4 * k][lx] + ak.y * b[4 * k + 1][lx] + ak.z * b[4 * k + 2][lx] +
                          ak.w * b[4 * k + 3][lx];
            }
        barrier(CLK_LOCAL_MEM_FENCE);  // all have read them before any work-item overwrites them
    }

    for (int r = 0; r < ROWS; ++r) {
        const int row = top + ly + r * STEP;
        if (row >= M || col >= N) continue;
        __global float* to = C + (size_t)row * N + col;
        if (col + 4 <= N) {
            vstore4(sum[r], 0, to);
        } else {
            to[0] = sum[r].x;
            if (col + 1 < N) to[1] = sum[r].y;
            if (col + 2 < N) to[2] = sum[r].z;
        }
    }
}
// SPDX-License-Identifier: Apache-2.0
