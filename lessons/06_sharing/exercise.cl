/*+++
title   = "Lesson 6: sharing"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [16, 16]
global = ["round_up(N, local.x)", "round_up(M, local.y)"]
+++*/

#define TILE 16

// C = A B, by tiles of 16 x 16 in local memory.

__kernel void multiply(__global const float* A, __global const float* B, __global float* C, const int M, const int N,
                       const int K) {
    __local float a[TILE][TILE];
    __local float b[TILE][TILE];
    const int x = get_local_id(0);
    const int y = get_local_id(1);
    const int column = get_global_id(0);
    const int row = get_global_id(1);

    float sum = 0;
    for (int first = 0; first < K; first += TILE) {
        // Outside the matrices a zero, which adds nothing.
        a[y][x] = row < M && first + x < K ? ____ : 0;
        b[y][x] = first + y < K && column < N ? ____ : 0;
        ____;  // all have stored before any of them reads
        for (int k = 0; k < TILE; ++k) sum += a[y][k] * b[k][x];
        ____;  // all have read before any of them stores again
    }
    if (row < M && column < N) C[row * N + column] = sum;
}
// SPDX-License-Identifier: Apache-2.0
