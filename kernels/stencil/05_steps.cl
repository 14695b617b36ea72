/*+++
title   = "Several steps per launch: rows go through all of them while they are in the cache"
problem = "stencil"
source  = "M. Wolfe, Loop skewing: the wavefront method revisited, 1986"
moves   = "8 * H * W * ceil_div(S, STEPS)"     # every launch reads and writes everything

[params]
STEPS = [4, 1, 2, 8]            # steps of a launch
ROWS  = [128, 32, 64, 256]      # rows of a work-item

[scratch]
T     = "H * W"
rings = "ceil_div(H, ROWS) * STEPS * 3 * W"

[[launch]]
kernel = "jacobi_steps"
local  = [1]
global = ["ceil_div(H, ROWS)"]
args   = {from = "X", to = "Y", steps = "S - (ceil_div(S, STEPS) - 1) * STEPS"}
when   = "ceil_div(S, STEPS) % 2 == 1"

[[launch]]
kernel = "jacobi_steps"
local  = [1]
global = ["ceil_div(H, ROWS)"]
args   = {from = "X", to = "T", steps = "S - (ceil_div(S, STEPS) - 1) * STEPS"}
when   = "ceil_div(S, STEPS) % 2 == 0"

[[launch]]
kernel = "jacobi_steps"
local  = [1]
global = ["ceil_div(H, ROWS)"]
args   = {from = "Y", to = "T", steps = "STEPS"}
when   = "ceil_div(S, STEPS) % 2 == 1 and ceil_div(S, STEPS) > 1"
repeat = "ceil_div(S, STEPS) - 1"
swap   = ["Y", "T"]

[[launch]]
kernel = "jacobi_steps"
local  = [1]
global = ["ceil_div(H, ROWS)"]
args   = {from = "T", to = "Y", steps = "STEPS"}
when   = "ceil_div(S, STEPS) % 2 == 0"
repeat = "ceil_div(S, STEPS) - 1"
swap   = ["Y", "T"]
+++*/

// level t: elements after t steps. level[t][y][x] = mean of the four neighbours in level[t - 1]
//
//   row      level 0 = from    1            2            3 = to     round s computes the rows x, level 1 first:
//   s - 3         .            .            o            .          level t computes its row s - t + 1, one row above
//   s - 2         .            o            o            x third    that of the level before
//   s - 1         o            o            x second     .
//   s             o            x first      .            .          an x reads three rows of the level before: above,
//   s + 1         o            .            .            .          at and below its own; the lowest has just been made
//
// So three rows of each level are enough: they stay in the cache, and memory sees one read and one write for all steps.
//
// A work-item computes ROWS rows of `to`. It also computes, for itself, the rows above and below that these depend on:
// a few redundant additions, so that no work-item waits for another.

#ifndef STEPS
#define STEPS 4  // most steps of a launch
#endif
#ifndef ROWS
#define ROWS 128  // rows of a work-item
#endif

// One row: the borders stay, vectors of sixteen in between. The first and the last vector overlap their neighbours, so
// that all other stores are aligned to cache lines if W is a multiple of 16 (otherwise the rows are not aligned).
void step_row(__global const float* above, __global const float* here, __global const float* below,
              __global float* out, const int W) {
    out[0] = here[0];
    out[W - 1] = here[W - 1];
    if (W < 18) {
        for (int x = 1; x < W - 1; ++x) out[x] = 0.25f * (above[x] + below[x] + here[x - 1] + here[x + 1]);
        return;
    }
    for (int line = 1; line < W - 1; line = (line + 16) & ~15) {
        const int x = min(line, W - 17);
        vstore16(0.25f * (vload16(0, above + x) + vload16(0, below + x) + vload16(0, here + x - 1) +
                          vload16(0, here + x + 1)),
                 0, out + x);
    }
}

__kernel void jacobi_steps(__global const float* restrict from, __global float* restrict to,
                           __global float* restrict rings, const int H, const int W, const int steps) {
    const int top = get_global_id(0) * ROWS;
    const int bottom = min(top + ROWS, H);
    const size_t w = W;
    __global float* ring = rings + get_global_id(0) * (STEPS * 3 * w);  // three rows a level, reused in turn

    for (int s = max(top - steps, 0); s < min(bottom + 2 * steps, H + steps); ++s)
        for (int level = 1; level <= steps; ++level) {
            const int y = s - level + 1;
            const int margin = steps - level;  // rows above and below that later levels need
            if (y < max(top - margin, 0) || y >= min(bottom + margin, H)) continue;
            __global float* mine = ring + (size_t)level % STEPS * 3 * w;
            __global float* out = level == steps ? to + y * w : mine + y % 3 * w;
            __global const float* before = ring + (size_t)(level - 1) * 3 * w;
            __global const float* here = level == 1 ? from + y * w : before + y % 3 * w;
            if (y == 0 || y == H - 1) {
                for (int x = 0; x < W; ++x) out[x] = here[x];
            } else {
                __global const float* above = level == 1 ? here - w : before + (y - 1) % 3 * w;
                __global const float* below = level == 1 ? here + w : before + (y + 1) % 3 * w;
                step_row(above, here, below, out, W);
            }
        }
}
// SPDX-License-Identifier: Apache-2.0
