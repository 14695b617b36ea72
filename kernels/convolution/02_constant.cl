/*+++
title   = "Constant memory for the filter: all work-items read the same weight at once"
problem = "convolution"

[launch]
kernel = "convolve_constant"
local  = [16, 16]
global = ["round_up(W, local.x)", "round_up(H, local.y)"]

[require]
room = "4 * F * F <= device.max_constant_bytes"
+++*/

// result[y][x] = sum over i, j of image[y + i][x + j] * filter[i][j], as in 01_naive; one word differs
//
//   work-item      0    1    2    3  …
//                   \   |    |   /
//   filter[i][j]          o            at every step all of them read one weight
//
// All work-items read the same weight at the same time. On a GPU, constant memory broadcasts one number to a whole
// sub-group; a CPU keeps the weights in its L1 cache anyway. Only one word of the source differs:
// predict what it gains here.

__kernel void convolve_constant(__global const float* image, __constant float* filter, __global float* result,
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
