/*+++
title   = "The filter in constant memory: what all work-items read at once"
problem = "convolution"

[launch]
kernel = "convolve_constant"
local  = [16, 16]
global = ["round_up(W, local.x)", "round_up(H, local.y)"]

[require]
room = "4 * F * F <= device.max_constant_bytes"
+++*/

// result[y][x] = sum over i, j of image[y + i][x + j] * filter[i][j], as 01_naive, but for one word
//
//   work-item      0    1    2    3  …
//                   \   |    |   /
//   filter[i][j]          o            at every step one weight, wanted by all of them
//
// At every moment all work-items want the same weight. On a GPU constant memory hands one number to a whole row
// of work-items at once; a CPU keeps the weights in its first cache anyway. One word in the source, nothing
// else: predict what it brings here.

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
