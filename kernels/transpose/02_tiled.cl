/*+++
title   = "Tiled: transposes a block in local memory, so that global reads and writes are both coalesced"
problem = "transpose"
source  = "G. Ruetsch, P. Micikevicius, Optimizing matrix transpose in CUDA, 2009"

[params]
TILE = [16, 8, 32]      # edge of the blocks, and of the work-group

[launch]
kernel = "transpose_tiled"
local  = ["TILE", "TILE"]
global = ["round_up(N, TILE)", "round_up(M, TILE)"]

[require]
fits = "TILE * TILE <= device.max_work_group_size"
+++*/

// B[j][i] = A[i][j], block by block
//
//     A                     local              B
//   +---+---+---+         +-----+           +---+---+
//   |   | → |   |   row → |     | ↓ column  |   |   |
//   +---+---+---+         +-----+           | → |   |      global memory is only accessed along rows
//   |   |   |   |                           +---+---+
//   +---+---+---+                           |   |   |
//                                           +---+---+
// The strided access is now to local memory, which has no cache lines to waste. But on GPUs it has banks, and a
// column of the block is in few of them: bank conflicts. See 03_padded.

#ifndef TILE
#define TILE 16  // edge of a block; the work-group is TILE x TILE
#endif

__kernel void transpose_tiled(__global const float* A, __global float* B, const int M, const int N) {
    __local float block[TILE][TILE];

    const int lx = get_local_id(0);
    const int ly = get_local_id(1);
    const int left = get_group_id(0) * TILE;
    const int top = get_group_id(1) * TILE;

    if (top + ly < M && left + lx < N) block[ly][lx] = A[(size_t)(top + ly) * N + left + lx];
    barrier(CLK_LOCAL_MEM_FENCE);  // the block is complete before any work-item reads its columns
    if (left + ly < N && top + lx < M) B[(size_t)(left + ly) * M + top + lx] = block[lx][ly];
}
// SPDX-License-Identifier: Apache-2.0
