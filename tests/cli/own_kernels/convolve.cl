#include "convolve.h"

__kernel void convolve(const __global pixel_t* const image, __constant pixel_t* const mask,
                       __global pixel_t* const output) {
    const index_t row = get_global_id(0);
    const index_t col = get_global_id(1);
    if (row >= OUT_HEIGHT || col >= OUT_WIDTH) return;

    pixel_t sum = 0;
    for (index_t r = 0; r < MASK_WIDTH; r++)
        for (index_t c = 0; c < MASK_WIDTH; c++) sum += mask[r * MASK_WIDTH + c] * PIXEL(row + r, col + c);
    output[row * OUT_WIDTH + col] = sum;
}
// SPDX-License-Identifier: Apache-2.0
