/*+++
title   = "Register block in two dimensions, with the four parameters of the tuning tutorials"
problem = "matmul"
source  = "B. van Werkhoven, Kernel Tuner: a search-optimizing GPU code auto-tuner, 2019"

[params]
block_size_x = [16, 32, 64]             # work-items of a work-group along x, and edge of the blocks
block_size_y = [8, 2, 4, 16, 32]        # work-items along y
tile_size_x  = [4, 1, 2, 8]             # elements of C that a work-item computes along x
tile_size_y  = [2, 1, 4, 8]             # and along y

[launch]
kernel = "matmul_block"
local  = ["block_size_x", "block_size_y"]
global = ["ceil_div(N, block_size_x * tile_size_x) * block_size_x", "ceil_div(M, block_size_y * tile_size_y) * block_size_y"]

[require]
square = "block_size_x == block_size_y * tile_size_y"
fits   = "block_size_x * block_size_y <= device.max_work_group_size"
room   = "4 * block_size_x * block_size_x * (1 + tile_size_x) <= device.local_mem_bytes"
+++*/

// C[row][col] = sum over blocks, sum over k of A[row][k] * B[k][col]
//
//                +----+----+----+        one work-item computes tile_size_y x tile_size_x elements: for each k
//                | b  | b  | b  |        tile_size_y + tile_size_x loads from local memory serve as many
//                +----+----+----+        multiply-adds as their product
//       +----+   +----+----+----+
//       | a  |   | x  | x  | x  |        x = block_size_x, the edge of each block; as many blocks of B as
//       |    |   | x  | x  | x  |        tile_size_x
//       +----+   +----+----+----+
//
// The elements of a work-item are a block apart, so that accesses stay coalesced.

#ifndef block_size_x
#define block_size_x 16  // work-items along x, and edge of the blocks
#endif
#ifndef block_size_y
#define block_size_y 8  // work-items along y
#endif
#ifndef tile_size_x
#define tile_size_x 4  // elements of C along x
#endif
#ifndef tile_size_y
#define tile_size_y 2  // elements of C along y; block_size_x is block_size_y * tile_size_y
#endif

__kernel void matmul_block(__global const float* A, __global const float* B, __global float* C, const int M,
                           const int N, const int K) {
    __local float a[block_size_x][block_size_x];
    __local float b[block_size_x][block_size_x * tile_size_x];

    const int tx = get_local_id(0);
    const int ty = get_local_id(1);
    const int left = get_group_id(0) * block_size_x * tile_size_x + tx;
    const int top = get_group_id(1) * block_size_y * tile_size_y + ty;

    float sum[tile_size_y][tile_size_x];
    for (int i = 0; i < tile_size_y; ++i)
        for (int j = 0; j < tile_size_x; ++j) sum[i][j] = 0.0f;

    for (int k0 = 0; k0 < K; k0 += block_size_x) {
        // Outside the matrices, stage a zero: it adds nothing.
        for (int i = 0; i < tile_size_y; ++i) {
            const int y = ty + i * block_size_y;
            const int row = top + i * block_size_y;
            a[y][tx] = (row < M && k0 + tx < K) ? A[(size_t)row * K + k0 + tx] : 0.0f;
            for (int j = 0; j < tile_size_x; ++j) {
                const int col = left + j * block_size_x;
                b[y][tx + j * block_size_x] =
                    (k0 + y < K && col < N) ? B[(size_t)(k0 + y) * N + col] : 0.0f;
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);  // the blocks are complete before any work-item reads them

        for (int k = 0; k < block_size_x; ++k)
            for (int i = 0; i < tile_size_y; ++i) {
                const float ak = a[ty + i * block_size_y][k];
                for (int j = 0; j < tile_size_x; ++j) sum[i][j] += ak * b[k][tx + j * block_size_x];
            }
        barrier(CLK_LOCAL_MEM_FENCE);  // all have read them before any work-item overwrites them
    }

    for (int i = 0; i < tile_size_y; ++i)
        for (int j = 0; j < tile_size_x; ++j) {
            const int row = top + i * block_size_y;
            const int col = left + j * block_size_x;
            if (row < M && col < N) C[(size_t)row * N + col] = sum[i][j];
        }
}
// SPDX-License-Identifier: Apache-2.0
