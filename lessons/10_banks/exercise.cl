/*+++
title   = "Lesson 10: banks"
problem = "transpose"

[launch]
kernel = "transpose"
local  = [32, 8]
global = ["round_up(N, 32)", "round_up(M, 32) // 4"]
+++*/

#define TILE 32  // each work-item takes four elements of a tile

// B[column][row] = A[row][column], by tiles of 32 x 32.

__kernel void transpose(__global const float* A, __global float* B, const int M, const int N) {
    __local float tile[TILE][TILE];
    const int x = get_local_id(0);
    const int left = get_group_id(0) * TILE;
    const int top = get_group_id(1) * TILE;

    for (int y = get_local_id(1); y < TILE; y += 8)
        if (top + y < M && left + x < N) tile[y][x] = A[(top + y) * N + left + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int y = get_local_id(1); y < TILE; y += 8)
        if (left + y < N && top + x < M) B[(left + y) * M + top + x] = tile[x][y];
}
// SPDX-License-Identifier: Apache-2.0
