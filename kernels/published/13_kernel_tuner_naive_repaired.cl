/*+++
title   = "Kernel Tuner's example, naive, repaired"
problem = "matmul"
source  = "Kernel Tuner (Apache licence 2.0), documentation, Matrix Multiply Example: doc/source/matmul.txt; repaired here"

[params]
block_size_x = [16, 32, 64]
block_size_y = [16, 1, 2, 4, 8, 32]

[launch]
kernel = "matmul_kernel"
local  = ["block_size_x", "block_size_y"]
global = ["round_up(N, block_size_x)", "round_up(M, block_size_y)"]

[require]
fits = "block_size_x * block_size_y <= device.max_work_group_size"
+++*/

// C[y][x] = sum over k of A[y][k] * B[k][x]        x: the first dimension of the NDRange, along the columns
//
// Repaired: row k of B, the extents of each matrix, and a guard that returns, because there is no barrier.

#ifndef block_size_x
#define block_size_x 16  // work-items of a work-group along x
#endif
#ifndef block_size_y
#define block_size_y 16  // and along y
#endif

__kernel void matmul_kernel(__global float *C, __global float *A, __global float *B, const int M, const int N,
                            const int K) {
    int x = get_group_id(0) * block_size_x + get_local_id(0);
    int y = get_group_id(1) * block_size_y + get_local_id(1);
    float sum = 0.0;

    if (x >= N || y >= M) return;

    for (int k=0; k<K; k++) {
        sum += A[(size_t)y*K+k] * B[(size_t)k*N+x];
    }

    C[(size_t)y*N+x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
