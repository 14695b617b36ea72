/*+++
title   = "Tiled with halo: a work-group stages the window of its whole block in local memory"
problem = "convolution"
source  = "V. Podlozhnyuk, Image convolution with CUDA, 2007"

[params]
TILE = [16, 8, 32]      # edge of the block of results, and of the work-group

[launch]
kernel    = "convolve_tiled"
local     = ["TILE", "TILE"]
global    = ["round_up(W, TILE)", "round_up(H, TILE)"]
local_mem = {window = "(TILE + F - 1) * (TILE + F - 1)"}

[require]
fits = "TILE * TILE <= device.max_work_group_size"
room = "4 * (TILE + F - 1) * (TILE + F - 1) <= device.local_mem_bytes"
+++*/

// result[y][x] = sum over i, j of image[y + i][x + j] * filter[i][j]
//
//   +-----------------+   TILE + F - 1
//   |  halo           |
//   |   +---------+   |   the work-items stage all of it in local memory together;
//   |   |  TILE   |   |   each element is then read up to F · F times from there,
//   |   +---------+   |   and once from global memory per work-group
//   +-----------------+
//
// The larger the tile, the smaller the share of the halo: (TILE + F - 1)² loads serve TILE² results.

#ifndef TILE
#define TILE 16  // edge of the block of results; the work-group is TILE x TILE
#endif

__kernel void convolve_tiled(__global const float* image, __global const float* filter, __global float* result,
                             const int H, const int W, const int F, __local float* window) {
    const int lx = get_local_id(0);
    const int ly = get_local_id(1);
    const int left = get_group_id(0) * TILE;
    const int top = get_group_id(1) * TILE;
    const int edge = TILE + F - 1;
    const size_t pitch = W + F - 1;
    const int bottom = H + F - 1;

    for (int i = ly; i < edge; i += TILE)
        for (int j = lx; j < edge; j += TILE)
            window[i * edge + j] =
                (top + i < bottom && left + j < (int)pitch) ? image[(top + i) * pitch + left + j] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);  // the window is complete before any work-item reads it

    if (top + ly < H && left + lx < W) {
        float sum = 0.0f;
        for (int i = 0; i < F; ++i)
            for (int j = 0; j < F; ++j) sum += window[(ly + i) * edge + lx + j] * filter[i * F + j];
        result[(size_t)(top + ly) * W + left + lx] = sum;
    }
}
// SPDX-License-Identifier: Apache-2.0
