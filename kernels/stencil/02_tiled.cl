/*+++
title   = "Tiled: a work-group stages a block and its halo in local memory"
problem = "stencil"
moves   = "8 * H * W * S"       # every step reads and writes everything

[params]
TILE = [16, 8, 32]      # edge of the block, and of the work-group

[scratch]
T = "H * W"

[require]
fits = "TILE * TILE <= device.max_work_group_size"

[[launch]]
kernel = "jacobi_tiled"
local  = ["TILE", "TILE"]
global = ["round_up(W, TILE)", "round_up(H, TILE)"]
args   = {from = "X", to = "Y"}
when   = "S % 2 == 1"

[[launch]]
kernel = "jacobi_tiled"
local  = ["TILE", "TILE"]
global = ["round_up(W, TILE)", "round_up(H, TILE)"]
args   = {from = "X", to = "T"}
when   = "S % 2 == 0"

[[launch]]
kernel = "jacobi_tiled"
local  = ["TILE", "TILE"]
global = ["round_up(W, TILE)", "round_up(H, TILE)"]
args   = {from = "Y", to = "T"}
when   = "S % 2 == 1 and S > 1"
repeat = "S - 1"
swap   = ["Y", "T"]

[[launch]]
kernel = "jacobi_tiled"
local  = ["TILE", "TILE"]
global = ["round_up(W, TILE)", "round_up(H, TILE)"]
args   = {from = "T", to = "Y"}
when   = "S % 2 == 0"
repeat = "S - 1"
swap   = ["Y", "T"]
+++*/

// to[y][x] = (from[y-1][x] + from[y+1][x] + from[y][x-1] + from[y][x+1]) / 4, except at the border, S times
//
//      h h h h          halo (h): one row or column of each neighbouring block
//    h +-----+ h
//    h |     | h        a work-group loads each number from global memory about once, not four times;
//    h +-----+ h        but were the other three ever more than cache hits?
//      h h h h

#ifndef TILE
#define TILE 16  // edge of the block; the work-group is TILE x TILE
#endif

__kernel void jacobi_tiled(__global const float* from, __global float* to, const int H, const int W) {
    __local float block[TILE + 2][TILE + 2];

    const int lx = get_local_id(0);
    const int ly = get_local_id(1);
    const int left = get_group_id(0) * TILE;
    const int top = get_group_id(1) * TILE;

    for (int i = ly; i < TILE + 2; i += TILE)
        for (int j = lx; j < TILE + 2; j += TILE) {
            const int y = top + i - 1;
            const int x = left + j - 1;
            block[i][j] = (y >= 0 && y < H && x >= 0 && x < W) ? from[(size_t)y * W + x] : 0.0f;
        }
    barrier(CLK_LOCAL_MEM_FENCE);  // the block is complete before any work-item reads it

    const int y = top + ly;
    const int x = left + lx;
    if (x < W && y < H) {
        const bool inner = x > 0 && x < W - 1 && y > 0 && y < H - 1;
        to[(size_t)y * W + x] =
            inner ? 0.25f * (block[ly][lx + 1] + block[ly + 2][lx + 1] + block[ly + 1][lx] + block[ly + 1][lx + 2])
                  : block[ly + 1][lx + 1];
    }
}
// SPDX-License-Identifier: Apache-2.0
