/*+++
title   = "Streamed: for CPU devices, four rows at a time, with stores that bypass the cache"
problem = "stencil"
moves   = "8 * H * W * S"       # every step reads and writes everything

[params]
ROWS = [32, 8, 64]      # rows of a work-item, a multiple of 4

[scratch]
T = "H * W"

[[launch]]
kernel = "jacobi_streamed"
local  = [1]
global = ["ceil_div(H, ROWS)"]
args   = {from = "X", to = "Y"}
when   = "S % 2 == 1"

[[launch]]
kernel = "jacobi_streamed"
local  = [1]
global = ["ceil_div(H, ROWS)"]
args   = {from = "X", to = "T"}
when   = "S % 2 == 0"

[[launch]]
kernel = "jacobi_streamed"
local  = [1]
global = ["ceil_div(H, ROWS)"]
args   = {from = "Y", to = "T"}
when   = "S % 2 == 1 and S > 1"
repeat = "S - 1"
swap   = ["Y", "T"]

[[launch]]
kernel = "jacobi_streamed"
local  = [1]
global = ["ceil_div(H, ROWS)"]
args   = {from = "T", to = "Y"}
when   = "S % 2 == 0"
repeat = "S - 1"
swap   = ["Y", "T"]
+++*/

// to[y][x … x + 15] = (from[y-1][x …] + from[y+1][x …] + from[y][x-1 …] + from[y][x+1 …]) / 4, S times
//
//   from   y-1   ====      read      Four rows together read six rows for four rows of results; one row at a time reads
//          y     ====      read      twelve, though from the cache.
//          y+1   ====      read
//          y+2   ====      read      An ordinary store first fetches the line that it is about to overwrite; a
//          y+3   ====      read      non-temporal store, which bypasses the cache, does not. Of three transfers on the
//          y+4   ====      read      memory bus, two are left.
//   to     y … y+3         streamed
//
// Two changes at once, and both only where W is a multiple of 16: to separate them, define stream16 as vstore16 in a
// copy of this file. The next step reads streamed results from memory. When is it better to leave them in the cache?

#ifndef ROWS
#define ROWS 32  // rows of a work-item, a multiple of 4
#endif

#define TOGETHER 4  // rows processed together

// Compilers built on Clang have non-temporal stores; with others this is an ordinary store. The address must be
// aligned to a vector.
#ifdef __has_builtin
#if __has_builtin(__builtin_nontemporal_store)
#define stream16(v, p) __builtin_nontemporal_store(v, (__global float16*)(p))
#endif
#endif
#ifndef stream16
#define stream16(v, p) vstore16(v, 0, p)
#endif

// TOGETHER rows, none of them the first or the last. W is a multiple of 16, so that rows are aligned to cache lines.
// Vectors read past the ends of a row into its neighbours; the two border elements that this spoils are corrected
// afterwards.
void stream_rows(__global const float* restrict from, __global float* restrict to, const int W) {
    for (int x = 0; x < W; x += 16) {
        float16 row[TOGETHER + 2];
#pragma unroll
        for (int i = 0; i < TOGETHER + 2; ++i) row[i] = vload16(0, from + (i - 1) * W + x);
#pragma unroll
        for (int i = 0; i < TOGETHER; ++i) {
            __global const float* here = from + i * W + x;
            stream16(0.25f * (row[i] + row[i + 2] + vload16(0, here - 1) + vload16(0, here + 1)), to + i * W + x);
        }
    }
    for (int i = 0; i < TOGETHER; ++i) {
        to[i * W] = from[i * W];
        to[i * W + W - 1] = from[i * W + W - 1];
    }
}

// One row of any length, but not the first or the last.
void store_row(__global const float* restrict from, __global float* restrict to, const int W) {
    for (int line = 0; line < W && W >= 16; line += 16) {
        const int x = min(line, W - 16);
        const float16 sides = vload16(0, from + x - 1) + vload16(0, from + x + 1);
        vstore16(0.25f * (vload16(0, from + x - W) + vload16(0, from + x + W) + sides), 0, to + x);
    }
    for (int x = 1; x < W - 1 && W < 16; ++x)
        to[x] = 0.25f * (from[x - W] + from[x + W] + from[x - 1] + from[x + 1]);
    to[0] = from[0];
    to[W - 1] = from[W - 1];
}

__kernel void jacobi_streamed(__global const float* restrict from, __global float* restrict to, const int H,
                              const int W) {
    const int first = get_global_id(0) * ROWS;
    const int end = min(first + ROWS, H);
    if (first == 0)
        for (int x = 0; x < W; ++x) to[x] = from[x];
    int y = max(first, 1);
    for (; W % 16 == 0 && y + TOGETHER <= min(end, H - 1); y += TOGETHER)
        stream_rows(from + (size_t)y * W, to + (size_t)y * W, W);
    for (; y < min(end, H - 1); ++y) store_row(from + (size_t)y * W, to + (size_t)y * W, W);
    if (end == H && H > 1)
        for (size_t x = (size_t)(H - 1) * W; x < (size_t)H * W; ++x) to[x] = from[x];
}
// SPDX-License-Identifier: Apache-2.0
