/*+++
title   = "Padded tile: one more column, so that the elements of a column are in different banks"
problem = "transpose"
source  = "G. Ruetsch, P. Micikevicius, Optimizing matrix transpose in CUDA, 2009"

[params]
TILE = [16, 8, 32]      # edge of the blocks, and of the work-group

[launch]
kernel = "transpose_padded"
local  = ["TILE", "TILE"]
global = ["round_up(N, TILE)", "round_up(M, TILE)"]

[require]
fits = "TILE * TILE <= device.max_work_group_size"
+++*/

// B[j][i] = A[i][j], as in 02_tiled, with one unused column in local memory
//
//   bank   0 1 2 3              0 1 2 3
//          a b c d              a b c d
//          e f g h      →       . e f g        the column a e i m was in one bank, and is now in four
//          i j k l              h . i j
//          m n o p              k l . m
//
// A GPU reads one number from each bank at a time; several in one bank conflict. A CPU has no banks: there the two
// kernels should be equally fast, and a measured difference needs an explanation.

#ifndef TILE
#define TILE 16  // edge of a block; the work-group is TILE x TILE
#endif

__kernel void transpose_padded(__global const float* A, __global float* B, const int M, const int N) {
    __local float block[TILE][TILE + 1];

    const int lx = get_local_id(0);
    const int ly = get_local_id(1);
    const int left = get_group_id(0) * TILE;
    const int top = get_group_id(1) * TILE;

    if (top + ly < M && left + lx < N) block[ly][lx] = A[(size_t)(top + ly) * N + left + lx];
    barrier(CLK_LOCAL_MEM_FENCE);  // the block is complete before any work-item reads its columns
    if (left + ly < N && top + lx < M) B[(size_t)(left + ly) * M + top + lx] = block[lx][ly];
}
// SPDX-License-Identifier: Apache-2.0
