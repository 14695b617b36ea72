/*+++
title   = "Naive: one work-item per element, one launch per step"
problem = "stencil"
moves   = "8 * H * W * S"       # every step reads and writes everything

[scratch]
T = "H * W"

[[launch]]
kernel = "jacobi_naive"
local  = [64, 4]
global = ["round_up(W, local.x)", "round_up(H, local.y)"]
args   = {from = "X", to = "Y"}
when   = "S % 2 == 1"

[[launch]]
kernel = "jacobi_naive"
local  = [64, 4]
global = ["round_up(W, local.x)", "round_up(H, local.y)"]
args   = {from = "X", to = "T"}
when   = "S % 2 == 0"

[[launch]]
kernel = "jacobi_naive"
local  = [64, 4]
global = ["round_up(W, local.x)", "round_up(H, local.y)"]
args   = {from = "Y", to = "T"}
when   = "S % 2 == 1 and S > 1"
repeat = "S - 1"
swap   = ["Y", "T"]

[[launch]]
kernel = "jacobi_naive"
local  = [64, 4]
global = ["round_up(W, local.x)", "round_up(H, local.y)"]
args   = {from = "T", to = "Y"}
when   = "S % 2 == 0"
repeat = "S - 1"
swap   = ["Y", "T"]
+++*/

// to[y][x] = (from[y-1][x] + from[y+1][x] + from[y][x-1] + from[y][x+1]) / 4, except at the border, S times
//
//          o
//        o x o      the end of a launch separates the steps: no element may be overwritten before all its
//          o        neighbours have read it. Y and T alternate; the last step always writes Y.
//
// Four reads per element: "five-point" counts the centre, which Jacobi's step does not read. Neighbours read the same
// elements: how many of the four reads miss the cache?

__kernel void jacobi_naive(__global const float* from, __global float* to, const int H, const int W) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= W || y >= H) return;  // no barrier follows

    const size_t here = (size_t)y * W + x;
    const bool inner = x > 0 && x < W - 1 && y > 0 && y < H - 1;
    to[here] = inner ? 0.25f * (from[here - W] + from[here + W] + from[here - 1] + from[here + 1]) : from[here];
}
// SPDX-License-Identifier: Apache-2.0
