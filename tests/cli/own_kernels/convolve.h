// SPDX-License-Identifier: Apache-2.0
#ifndef CONVOLVE_H
#define CONVOLVE_H

typedef float pixel_t;
typedef int index_t;

// IMAGE_WIDTH, OUT_WIDTH, OUT_HEIGHT and MASK_WIDTH come from the build options.
#define PIXEL(row, col) image[(row) * IMAGE_WIDTH + (col)]

#endif
