/*+++
title   = "Rows of vectors: for CPU devices, a work-item sweeps some rows sixteen elements at a time"
problem = "stencil"
moves   = "8 * H * W * S"       # every step reads and writes everything

[params]
ROWS = [16, 4, 64]      # rows of a work-item

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
// Three rows of an image stay in the cache while a work-item walks along them, so each line comes from memory
// once. Four loads, three additions, one store for sixteen elements: the memory decides.

#ifndef ROWS
#define ROWS 16  // rows of a work-item
#endif

__kernel void jacobi_rows(__global const float* from, __global float* to, const int H, const int W) {
    const int first = get_global_id(0) * ROWS;
    for (int y = first; y < min(first + ROWS, H); ++y) {
        __global const float* here = from + (size_t)y * W;
        __global float* out = to + (size_t)y * W;
        if (y == 0 || y == H - 1) {
            for (int x = 0; x < W; ++x) out[x] = here[x];
            continue;
        }
        out[0] = here[0];
        int x = 1;
        for (; x + 16 <= W - 1; x += 16)
            vstore16(0.25f * (vload16(0, here + x - W) + vload16(0, here + x + W) + vload16(0, here + x - 1) +
                              vload16(0, here + x + 1)),
                     0, out + x);
        for (; x < W - 1; ++x) out[x] = 0.25f * (here[x - W] + here[x + W] + here[x - 1] + here[x + 1]);
        if (W > 1) out[W - 1] = here[W - 1];
    }
}
