/*+++
title   = "Lesson 11: registers"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [16, 4]
global = ["round_up(N, 16)", "ceil_div(M, 16) * 4"]
+++*/

#define TILE 16                // edge of the tiles of A, B and C
#define EACH 4                 // elements of C that a work-item computes
#define APART (TILE / EACH)    // rows between them: y, y + 4, y + 8, y + 12 of the tile

// C = A B. A work-group of 16 x 4 work-items computes a tile of 16 x 16 elements.

__kernel void multiply(__global const float* A, __global const float* B, __global float* C, const int M, const int N,
                       const int K) {
    __local float a[TILE][TILE];
    __local float b[TILE][TILE];
    const int x = get_local_id(0);
    const int y = get_local_id(1);
    const int column = get_group_id(0) * TILE + x;
    const int top = get_group_id(1) * TILE;

    float sum[EACH] = {0, 0, 0, 0};
    for (int first = 0; first < K; first += TILE) {
        for (int r = y; r < TILE; r += APART) {
            a[r][x] = top + r < M && first + x < K ? A[(top + r) * K + first + x] : 0;
            b[r][x] = first + r < K && column < N ? B[(first + r) * N + column] : 0;
        }
        barrier(CLK_LOCAL_MEM_FENCE);  // all have stored

        for (int k = 0; k < TILE; ++k) {
            const float of_b = ____;
            for (int e = 0; e < EACH; ++e) sum[e] += a[____][k] * of_b;
        }
        barrier(CLK_LOCAL_MEM_FENCE);  // all have read
    }

    for (int e = 0; e < EACH; ++e) {
        const int row = ____;
        if (row < M && column < N) C[row * N + column] = sum[e];
    }
}
// SPDX-License-Identifier: Apache-2.0
