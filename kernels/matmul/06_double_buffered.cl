/*+++
title   = "Double-buffered: loads the next blocks while it multiplies the current ones"
problem = "matmul"
source  = "C. Nugteren, OpenCL matrix-multiplication SGEMM tutorial, 2014"

[params]
TILE = [32, 16, 64]     # edge of the blocks
EACH = [8, 4, 2]        # elements of C that a work-item computes

[launch]
kernel = "matmul_double"
local  = ["TILE", "TILE // EACH"]
global = ["round_up(N, TILE)", "ceil_div(M, TILE) * (TILE // EACH)"]

[require]
fits = "TILE * TILE // EACH <= device.max_work_group_size"
room = "16 * TILE * TILE <= device.local_mem_bytes"
+++*/

// C[row][col] = sum over blocks t, sum over k in block t of A[row][k] * B[k][col]
//
//   02, 03:   load 0 → local | multiply 0 | load 1 → local | multiply 1 | …            two barriers per step
//   here:     load 0 → local | load 1 → registers                    | load 2 → registers …
//                            | multiply 0 | registers → other blocks | multiply 1 …      one barrier per step
//
// A work-item loads its part of the next blocks into registers, multiplies while the loads are in flight, and only then
// stores it to the blocks that are not being read. A load straight into local memory would have to end before the first
// multiplication. The price: twice the local memory, and 2 EACH more registers. On a GPU this hides latency that other
// work-groups do not hide already. A CPU core starts loads ahead of the arithmetic by itself, in 03 as well as here.

#ifndef TILE
#define TILE 32  // edge of the blocks
#endif
#ifndef EACH
#define EACH 8  // elements of C that a work-item computes; divides TILE
#endif
#define STEP (TILE / EACH)

// One number of a matrix of rows x columns; zero outside, which adds nothing.
float load(__global const float* matrix, const int row, const int col, const int rows, const int columns) {
    return row < rows && col < columns ? matrix[(size_t)row * columns + col] : 0.0f;
}

__kernel void matmul_double(__global const float* A, __global const float* B, __global float* C, const int M,
                            const int N, const int K) {
    __local float a[2][TILE][TILE];
    __local float b[2][TILE][TILE];

    const int lx = get_local_id(0);
    const int ly = get_local_id(1);
    const int col = get_group_id(0) * TILE + lx;
    const int top = get_group_id(1) * TILE;

    float sum[EACH];
    for (int r = 0; r < EACH; ++r) sum[r] = 0.0f;

    float next_a[EACH], next_b[EACH];
    for (int r = 0; r < EACH; ++r) {
        const int y = ly + r * STEP;
        a[0][y][lx] = load(A, top + y, lx, M, K);
        b[0][y][lx] = load(B, y, col, K, N);
    }
    barrier(CLK_LOCAL_MEM_FENCE);  // the first blocks are complete before any work-item reads them

    int now = 0;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        const int k1 = k0 + TILE;
        const bool more = k1 < K;  // the same for all work-items
        if (more)
            for (int r = 0; r < EACH; ++r) {
                next_a[r] = load(A, top + ly + r * STEP, k1 + lx, M, K);
                next_b[r] = load(B, k1 + ly + r * STEP, col, K, N);
            }
        for (int k = 0; k < TILE; ++k) {
            const float bk = b[now][k][lx];
            for (int r = 0; r < EACH; ++r) sum[r] += a[now][ly + r * STEP][k] * bk;
        }
        if (more)
            for (int r = 0; r < EACH; ++r) {
                a[1 - now][ly + r * STEP][lx] = next_a[r];
                b[1 - now][ly + r * STEP][lx] = next_b[r];
            }
        barrier(CLK_LOCAL_MEM_FENCE);  // the next blocks are complete, and all have read the current ones
        now = 1 - now;
    }

    for (int r = 0; r < EACH; ++r) {
        const int row = top + ly + r * STEP;
        if (row < M && col < N) C[(size_t)row * N + col] = sum[r];
    }
}
// SPDX-License-Identifier: Apache-2.0
