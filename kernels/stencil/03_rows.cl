/*+++
title   = "Rows of vectors: for CPU devices, a work-item processes some rows, sixteen elements at a time"
problem = "stencil"
moves   = "8 * H * W * S"       # every step reads and writes everything

[params]
ROWS = [64, 4, 16]      # rows of a work-item

[scratch]
T = "H * W"

[[launch]]
kernel = "jacobi_rows"
local  = [1]
global = ["ceil_div(H, ROWS)"]
args   = {from = "X", to = "Y"}
when   = "S % 2 == 1"

[[launch]]
kernel = "jacobi_rows"
local  = [1]
global = ["ceil_div(H, ROWS)"]
args   = {from = "X", to = "T"}
when   = "S % 2 == 0"

[[launch]]
kernel = "jacobi_rows"
local  = [1]
global = ["ceil_div(H, ROWS)"]
args   = {from = "Y", to = "T"}
when   = "S % 2 == 1 and S > 1"
repeat = "S - 1"
swap   = ["Y", "T"]

[[launch]]
kernel = "jacobi_rows"
local  = [1]
global = ["ceil_div(H, ROWS)"]
args   = {from = "T", to = "Y"}
when   = "S % 2 == 0"
repeat = "S - 1"
swap   = ["Y", "T"]
+++*/

// to[y][x … x + 15] = (from[y-1][x …] + from[y+1][x …] + from[y][x-1 …] + from[y][x+1 …]) / 4, S times
//
//   from   y-1   ================        a work-item processes ROWS rows. Three of them stay in the cache, so
//          y    ================         each line is read from memory once
//          y          ================
//          y+1   ================        ==== is a vector of sixteen: four loads, three additions, a
//   to     y     ================        multiplication and a store for sixteen elements
//
// Every step still reads and writes the whole matrix. How far is that from a copy of the same bytes?

#ifndef ROWS
#define ROWS 64  // rows of a work-item
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

__kernel void jacobi_rows(__global const float* restrict from, __global float* restrict to, const int H,
                          const int W) {
    const int first = get_global_id(0) * ROWS;
    for (int y = first; y < min(first + ROWS, H); ++y) {
        __global const float* here = from + (size_t)y * W;
        __global float* out = to + (size_t)y * W;
        if (y == 0 || y == H - 1) {
            for (int x = 0; x < W; ++x) out[x] = here[x];
        } else {
            step_row(here - W, here, here + W, out, W);
        }
    }
}
// SPDX-License-Identifier: Apache-2.0
