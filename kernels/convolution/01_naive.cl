/*+++
title   = "Naive: one work-item computes one result, with all loads from global memory"
problem = "convolution"

[launch]
kernel = "convolve_naive"
local  = [16, 16]
global = ["round_up(W, local.x)", "round_up(H, local.y)"]
+++*/

// result[y][x] = sum over i, j of image[y + i][x + j] * filter[i][j]
//
//   image, (H + F - 1) x (W + F - 1)        filter, F x F        result, H x W
//     +-----------------+                     +-----+              +-------------+
//     |   +-----+       |                     | f f |              |             |
//     |   | F·F |       |          ·          | f f |      =       |   o (y, x)  |
//     |   +-----+       |                     +-----+              |             |
//     |  (y, x) …       |                                          +-------------+
//     +-----------------+
// The filter is not flipped: strictly this is a cross-correlation, which is what most programs call convolution.
// Each element of the image is read by up to F · F work-items; each weight by all of them.

__kernel void convolve_naive(__global const float* image, __global const float* filter, __global float* result,
                             const int H, const int W, const int F) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= W || y >= H) return;  // no barrier follows

    const size_t pitch = W + F - 1;
    float sum = 0.0f;
    for (int i = 0; i < F; ++i)
        for (int j = 0; j < F; ++j) sum += image[(y + i) * pitch + x + j] * filter[i * F + j];
    result[(size_t)y * W + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
