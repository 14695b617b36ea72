/*+++
title   = "Register block: for CPU devices, a work-item keeps several rows of vectors of results in registers"
problem = "convolution"

[params]
ROWS  = [4, 2, 6, 8]      # rows of results of a work-item
WIDE  = [4, 1, 2, 3]      # vectors of sixteen results in each of them

[launch]
kernel = "convolve_block"
local  = [1, 1]
global = ["ceil_div(W, 16 * WIDE)", "ceil_div(H, ROWS)"]
+++*/

// result[y + r][x … x + 15] = sum over i, j of image[y + r + i][x + j … x + j + 15] * filter[i][j]
//
//   row y + k of the image contributes to the results of row y + r through row k - r of the filter: a vector of it is
//   loaded once and used for ROWS rows of results
//
//     image row y     =====   · f[0]                      results of row y,
//               y+1   =====   · f[1]  · f[0]                            y,  y+1,
//               y+2   =====   · f[2]  · f[1]  · f[0]                    y,  y+1,  y+2
//               …             each ===== is a vector of sixteen neighbours; every weight multiplies a whole vector
//
// ROWS · WIDE vectors of sums stay in registers. Where the block does not fit, at the right and the lower edge,
// elements are computed one by one.

#ifndef ROWS
#define ROWS 4  // rows of results of a work-item
#endif
#ifndef WIDE
#define WIDE 4  // vectors of sixteen results in each of them
#endif

float convolve_one(__global const float* image, __global const float* filter, const size_t pitch, const int F) {
    float sum = 0.0f;
    for (int i = 0; i < F; ++i)
        for (int j = 0; j < F; ++j) sum += image[i * pitch + j] * filter[i * F + j];
    return sum;
}

__kernel void convolve_block(__global const float* image, __global const float* filter, __global float* result,
                             const int H, const int W, const int F) {
    const int x = get_global_id(0) * 16 * WIDE;
    const int y = get_global_id(1) * ROWS;
    const size_t pitch = W + F - 1;
    if (x + 16 * WIDE > W || y + ROWS > H) {
        for (int r = y; r < min(y + ROWS, H); ++r)
            for (int c = x; c < min(x + 16 * WIDE, W); ++c)
                result[(size_t)r * W + c] = convolve_one(image + r * pitch + c, filter, pitch, F);
        return;
    }
    float16 sums[ROWS][WIDE];
#pragma unroll
    for (int r = 0; r < ROWS; ++r)
#pragma unroll
        for (int c = 0; c < WIDE; ++c) sums[r][c] = 0.0f;

    for (int k = 0; k < F + ROWS - 1; ++k) {
        __global const float* from = image + (y + k) * pitch + x;
        const bool serves_all = k >= ROWS - 1 && k < F;  // otherwise it contributes only to some rows of results
        for (int j = 0; j < F; ++j) {
            float16 pixels[WIDE];
#pragma unroll
            for (int c = 0; c < WIDE; ++c) pixels[c] = vload16(c, from + j);
#pragma unroll
            for (int r = 0; r < ROWS; ++r) {
                const int i = k - r;  // row of the filter
                if (serves_all || (i >= 0 && i < F)) {
                    const float16 weight = filter[i * F + j];
#pragma unroll
                    for (int c = 0; c < WIDE; ++c) sums[r][c] = fma(weight, pixels[c], sums[r][c]);
                }
            }
        }
    }
#pragma unroll
    for (int r = 0; r < ROWS; ++r)
#pragma unroll
        for (int c = 0; c < WIDE; ++c) vstore16(sums[r][c], c, result + (size_t)(y + r) * W + x);
}
// SPDX-License-Identifier: Apache-2.0
