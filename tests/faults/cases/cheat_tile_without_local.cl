/*+++
title   = "Counts on work-groups of 16 x 16, but leaves them to the driver"
problem = "transpose"

[launch]
kernel = "by_tiles"
global = ["round_up(N, 16)", "round_up(M, 16)"]
+++*/
// kwb check --size 48x48
// verdict wrong
// reason *The driver chose the work-group size, but the source declares tile*16*17* in local memory*
// warning *line 23:66*
// exit 1

#define TILE 16

__kernel void by_tiles(__global const float* A, __global float* B, const int M, const int N) {
    __local float tile[TILE][TILE + 1];
    const int lx = get_local_id(0) % TILE, ly = get_local_id(1) % TILE;
    const int x0 = get_group_id(0) * TILE, y0 = get_group_id(1) * TILE;
    if (x0 + lx < N && y0 + ly < M) tile[ly][lx] = A[(y0 + ly) * N + x0 + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (x0 + ly < N && y0 + lx < M) B[(x0 + ly) * M + y0 + lx] = tile[lx][ly];
}
// SPDX-License-Identifier: Apache-2.0
