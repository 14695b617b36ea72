/*+++
title   = "Several rows a work-item: fewer work-items, so fewer index computations"
problem = "transpose"
source  = "G. Ruetsch, P. Micikevicius, Optimizing matrix transpose in CUDA, 2009"

[params]
TILE = [32, 16, 64]     # edge of the blocks
ROWS = [8, 4, 2]        # rows of a block that one work-item moves

[launch]
kernel = "transpose_rows"
local  = ["TILE", "TILE // ROWS"]
global = ["round_up(N, TILE)", "ceil_div(M, TILE) * (TILE // ROWS)"]

[require]
fits = "TILE * TILE // ROWS <= device.max_work_group_size"
room = "4 * TILE * (TILE + 1) <= device.local_mem_bytes"
+++*/

// B[j][i] = A[i][j]; a work-group of TILE x TILE / ROWS transposes a block of TILE x TILE
//
//   block      work-items with ly = 0 move rows 0, STEP, 2 STEP …, those with ly = 1 rows 1, STEP + 1 …
//   +------+
//   |000000|   so that at each step the work-group reads STEP whole rows
//   |111111|
//   |000000|   STEP = TILE / ROWS
//   |111111|
//   +------+

#ifndef TILE
#define TILE 32  // edge of a block
#endif
#ifndef ROWS
#define ROWS 8  // rows of a block that one work-item moves; divides TILE
#endif
#define STEP (TILE / ROWS)

__kernel void transpose_rows(__global const float* A, __global float* B, const int M, const int N) {
    __local float block[TILE][TILE + 1];

    const int lx = get_local_id(0);
    const int ly = get_local_id(1);
    const int left = get_group_id(0) * TILE;
    const int top = get_group_id(1) * TILE;

    for (int y = ly; y < TILE; y += STEP)
        if (top + y < M && left + lx < N) block[y][lx] = A[(size_t)(top + y) * N + left + lx];
    barrier(CLK_LOCAL_MEM_FENCE);  // the block is complete before any work-item reads its columns
    for (int y = ly; y < TILE; y += STEP)
        if (left + y < N && top + lx < M) B[(size_t)(left + y) * M + top + lx] = block[lx][y];
}
// SPDX-License-Identifier: Apache-2.0
