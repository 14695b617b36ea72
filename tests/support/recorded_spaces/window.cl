/*+++
title   = "A convolution with six parameters, recorded for the comparison of search strategies"
problem = "convolution"

[params]
GROUP_X = [8, 16, 32, 64]   # work-items of a work-group along x
GROUP_Y = [1, 2, 4, 8]      # and along y
EACH_X  = [1, 2, 4]         # results of a work-item along x
EACH_Y  = [1, 2, 4]         # and along y
STRIDED = [0, 1]            # 1: the results of a work-item are a work-group apart; 0: they are neighbours
STAGED  = [0, 1]            # 1: the window of a work-group is copied to local memory first

[launch]
kernel = "window"
local  = ["GROUP_X", "GROUP_Y"]
global = ["round_up(ceil_div(W, EACH_X), GROUP_X)", "round_up(ceil_div(H, EACH_Y), GROUP_Y)"]

[defines]
EDGE = "F"

[require]
group  = "GROUP_X * GROUP_Y <= 128"
block  = "EACH_X * EACH_Y <= 8"
+++*/

#define BLOCK_X (GROUP_X * EACH_X)
#define BLOCK_Y (GROUP_Y * EACH_Y)
#if STRIDED
#define X(j) ((j) * GROUP_X + get_local_id(0))
#define Y(i) ((i) * GROUP_Y + get_local_id(1))
#else
#define X(j) (get_local_id(0) * EACH_X + (j))
#define Y(i) (get_local_id(1) * EACH_Y + (i))
#endif

__kernel void window(__global const float* image, __global const float* filter, __global float* result, const int H,
                     const int W, const int F) {
    const int left = get_group_id(0) * BLOCK_X;
    const int top = get_group_id(1) * BLOCK_Y;
    const int pitch = W + F - 1;
    const int bottom = H + F - 1;
#if STAGED
    __local float staged[BLOCK_Y + EDGE - 1][BLOCK_X + EDGE - 1];
    for (int y = get_local_id(1); y < BLOCK_Y + EDGE - 1; y += GROUP_Y)
        for (int x = get_local_id(0); x < BLOCK_X + EDGE - 1; x += GROUP_X)
            staged[y][x] = (top + y < bottom && left + x < pitch) ? image[(top + y) * pitch + left + x] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);  // the window is complete before anyone reads it
#define PIXEL(y, x) staged[y][x]
#else
    // Outside the image, its last row or column is read again; those results are dropped.
#define PIXEL(y, x) image[min(top + (int)(y), bottom - 1) * pitch + min(left + (int)(x), pitch - 1)]
#endif
    float sum[EACH_Y][EACH_X];
#pragma unroll
    for (int i = 0; i < EACH_Y; ++i)
#pragma unroll
        for (int j = 0; j < EACH_X; ++j) sum[i][j] = 0.0f;

    for (int v = 0; v < EDGE; ++v)
        for (int u = 0; u < EDGE; ++u) {
            const float weight = filter[v * EDGE + u];
#pragma unroll
            for (int i = 0; i < EACH_Y; ++i)
#pragma unroll
                for (int j = 0; j < EACH_X; ++j) sum[i][j] += weight * PIXEL(Y(i) + v, X(j) + u);
        }
    for (int i = 0; i < EACH_Y; ++i)
        for (int j = 0; j < EACH_X; ++j)
            if (top + Y(i) < H && left + X(j) < W) result[(top + Y(i)) * W + left + X(j)] = sum[i][j];
}
// SPDX-License-Identifier: Apache-2.0
