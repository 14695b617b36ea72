/*+++
title   = "Kernel Tuner's example, blocks in local memory, repaired"
problem = "matmul"
source  = "Kernel Tuner (Apache licence 2.0), documentation, Matrix Multiply Example: doc/source/matmul.txt; repaired here"

[params]
block_size = [16, 8, 32]

[launch]
kernel = "matmul_kernel"
local  = ["block_size", "block_size"]
global = ["round_up(N, block_size)", "round_up(M, block_size)"]

[require]
fits = "block_size * block_size <= device.max_work_group_size"
+++*/

// C[y][x] = sum over blocks k, sum over kb in block k of A[y][k + kb] * B[k + kb][x]
//
//         +----+====+----+        +----+----+        x: the first dimension of the NDRange, along the columns
//         |    | sA |    |  .     +====+----+
//         +----+====+----+        | sB |    |        at each step a work-group copies a block of A and one of B
//                                 +====+----+        into local memory, and multiplies them there
//
// Repaired: the extents of each matrix, loads outside give zeros, stores are guarded; no work-item returns early,
// because all must reach the barriers.

#ifndef block_size
#define block_size 16  // work-items of a work-group in each dimension, and edge of the blocks
#endif

__kernel void matmul_kernel(__global float *C, __global float *A, __global float *B, const int M, const int N,
                            const int K) {

    __local float sA[block_size][block_size];
    __local float sB[block_size][block_size];

    int tx = get_local_id(0);
    int ty = get_local_id(1);
    int x = get_group_id(0) * block_size + tx;
    int y = get_group_id(1) * block_size + ty;

    float sum = 0.0;
    int k,kb;

    for (k=0; k<K; k+=block_size) {
        barrier(CLK_LOCAL_MEM_FENCE);
        sA[ty][tx] = y < M && k + tx < K ? A[(size_t)y*K+k+tx] : 0.0f;
        sB[ty][tx] = k + ty < K && x < N ? B[(size_t)(k+ty)*N+x] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);

        for (kb=0; kb<block_size; kb++) {
            sum += sA[ty][kb] * sB[kb][tx];
        }

    }

    if (x < N && y < M) C[(size_t)y*N+x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
