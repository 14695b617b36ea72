/*+++
title   = "Tiled: each work-group stages blocks of A and B in local memory"
problem = "matmul"
source  = "M. Lam, E. Rothberg, M. Wolf, The cache performance and optimizations of blocked algorithms, 1991"

[params]
TILE = [16, 8, 32]      # edge of the square blocks, and of the work-group

[launch]
kernel = "matmul_tiled"
local  = ["TILE", "TILE"]
global = ["round_up(N, TILE)", "round_up(M, TILE)"]

[require]
fits = "TILE * TILE <= device.max_work_group_size"
+++*/

// C[row][col] = sum over blocks t, sum over k in block t of A[row][k] * B[k][col]
//
//            K: t = 0, 1, 2 …            N
//         +----+----+----+--+      +----+----+--+
//         |    |    |    |  |      |    | t0 |  |
//       M +----+====+----+--+      +----+====+--+
//         |    | a  |    |  |    K |    | b  |  |      per step t the work-group loads block a of A and
//         +----+====+----+--+      +----+====+--+      block b of B together, once, into local memory;
//         |    |    |    |  |      |    | t2 |  |      then every work-item uses TILE numbers of each
//         +----+----+----+--+      +----+----+--+
//
// A work-group now loads each number from global memory once and uses it TILE times: TILE times less
// traffic. The price: local memory, and two barriers per step.

#ifndef TILE
#define TILE 16  // edge of a block; the work-group is TILE x TILE
#endif

__kernel void matmul_tiled(__global const float* A, __global const float* B, __global float* C,
                           const int M, const int N, const int K) {
    __local float a[TILE][TILE];
    __local float b[TILE][TILE];

    const int lx = get_local_id(0);
    const int ly = get_local_id(1);
    const int col = get_group_id(0) * TILE + lx;
    const int row = get_group_id(1) * TILE + ly;

    float sum = 0.0f;
    for (int k0 = 0; k0 < K; k0 += TILE) {
        // Outside the matrices, stage a zero: it adds nothing, and no work-item returns before the barriers.
        a[ly][lx] = (row < M && k0 + lx < K) ? A[(size_t)row * K + k0 + lx] : 0.0f;
        b[ly][lx] = (k0 + ly < K && col < N) ? B[(size_t)(k0 + ly) * N + col] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);  // both blocks are complete before any work-item reads them

        for (int k = 0; k < TILE; ++k) sum += a[ly][k] * b[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);  // all have read them before any work-item overwrites them
    }

    if (row < M && col < N) C[(size_t)row * N + col] = sum;
}
// SPDX-License-Identifier: Apache-2.0
