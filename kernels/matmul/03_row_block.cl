/*+++
title   = "Register block in one dimension: each work-item computes several elements of a column"
problem = "matmul"
source  = "V. Volkov, J. Demmel, Benchmarking GPUs to tune dense linear algebra, 2008"

[params]
TILE = [32, 16, 64]     # edge of the blocks
EACH = [8, 4, 2]        # elements of C that a work-item computes

[launch]
kernel = "matmul_row_block"
local  = ["TILE", "TILE // EACH"]
global = ["round_up(N, TILE)", "ceil_div(M, TILE) * (TILE // EACH)"]

[require]
fits = "TILE * TILE // EACH <= device.max_work_group_size"
room = "8 * TILE * TILE <= device.local_mem_bytes"
+++*/

// C[row][col] = sum over blocks t, sum over k in block t of A[row][k] * B[k][col]
//
//            b                        one work-item: EACH rows of the block, one column
//          +----+
//          | |  |                     for each k it reads b[k][lx] once and uses it EACH times:
//          | v  |                     1 + EACH loads from local memory for EACH multiply-adds, where 02_tiled
//   +----+ +----+                     needs two loads for each
//   | →  | |x   |
//   | →  | |x   |
//   +----+ +----+
//     a      c

#ifndef TILE
#define TILE 32  // edge of the blocks
#endif
#ifndef EACH
#define EACH 8  // elements of C that a work-item computes; divides TILE
#endif
#define STEP (TILE / EACH)

__kernel void matmul_row_block(__global const float* A, __global const float* B, __global float* C, const int M,
                               const int N, const int K) {
    __local float a[TILE][TILE];
    __local float b[TILE][TILE];

    const int lx = get_local_id(0);
    const int ly = get_local_id(1);
    const int col = get_group_id(0) * TILE + lx;
    const int top = get_group_id(1) * TILE;

    float sum[EACH];
    for (int r = 0; r < EACH; ++r) sum[r] = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        // Outside the matrices, stage a zero: it adds nothing.
        for (int y = ly; y < TILE; y += STEP) {
            a[y][lx] = (top + y < M && k0 + lx < K) ? A[(size_t)(top + y) * K + k0 + lx] : 0.0f;
            b[y][lx] = (k0 + y < K && col < N) ? B[(size_t)(k0 + y) * N + col] : 0.0f;
        }
        barrier(CLK_LOCAL_MEM_FENCE);  // both blocks are complete before any work-item reads them

        for (int k = 0; k < TILE; ++k) {
            const float bk = b[k][lx];
            for (int r = 0; r < EACH; ++r) sum[r] += a[ly + r * STEP][k] * bk;
        }
        barrier(CLK_LOCAL_MEM_FENCE);  // all have read them before any work-item overwrites them
    }

    for (int r = 0; r < EACH; ++r) {
        const int row = top + ly + r * STEP;
        if (row < M && col < N) C[(size_t)row * N + col] = sum[r];
    }
}
// SPDX-License-Identifier: Apache-2.0
