/*+++
title   = "Kernel Tuner's example, blocks in local memory, made to compile"
problem = "matmul"
source  = "Kernel Tuner (Apache licence 2.0), documentation, Matrix Multiply Example: doc/source/matmul.txt; the barriers are spelt right, otherwise as published"

[params]
block_size = [16, 8, 32]

[defines]
WIDTH = "N"

[launch]
kernel = "matmul_kernel"
local  = ["block_size", "block_size"]
global = ["round_up(N, block_size)", "round_up(M, block_size)"]

[require]
fits = "block_size * block_size <= device.max_work_group_size"

[[expect]]  # a run crashes where the access is far enough outside
run   = ["out_of_bounds", "kernel_crashed"]
check = "out_of_bounds"
when  = "M % block_size != 0 or N % block_size != 0"
why   = "there is no guard, so work-items outside C load and store out of bounds"

[[expect]]  # except on a CPU, an out-of-bounds load shows only by its value
run   = ["wrong", "kernel_crashed"]
check = "out_of_bounds"
when  = "K < N and device.kind == 'cpu'"
why   = "one WIDTH stands for all three sizes, which is right only for square matrices; here it goes past the end of K"

[[expect]]
verdict = "wrong"
when    = "K != N"
why     = "one WIDTH stands for all three sizes, which is right only for square matrices; here it stops before the end of K"
+++*/

// C[y][x] = sum over blocks k, sum over kb in block k of A[y][k + kb] * B[k + kb][x]
//
//         +----+====+----+        +----+----+        x: the first dimension of the NDRange, along the columns
//         |    | sA |    |  .     +====+----+
//         +----+====+----+        | sB |    |        at each step a work-group copies a block of A and one of B
//                                 +====+----+        into local memory, and multiplies them there
//
// As published, except for the name of the barrier. One of the two barriers is at the start of the loop; others put it
// at the end: is that right? Find what the single WIDTH and the missing guards break. At which sizes is it right?
//
// Translated: blockIdx and threadIdx are get_group_id and get_local_id, __shared__ is __local, __syncthreads() a
// barrier. The arguments keep their order, C first; the workbench matches them by name. WIDTH is N.

#ifndef block_size
#define block_size 16  // work-items of a work-group in each dimension, and edge of the blocks
#endif
#ifndef WIDTH
#define WIDTH 4096  // rows and columns of all three matrices
#endif

__kernel void matmul_kernel(__global float *C, __global float *A, __global float *B) {

    __local float sA[block_size][block_size];
    __local float sB[block_size][block_size];

    int tx = get_local_id(0);
    int ty = get_local_id(1);
    int x = get_group_id(0) * block_size + tx;
    int y = get_group_id(1) * block_size + ty;

    float sum = 0.0;
    int k,kb;

    for (k=0; k<WIDTH; k+=block_size) {
        barrier(CLK_LOCAL_MEM_FENCE);
        sA[ty][tx] = A[y*WIDTH+k+tx];
        sB[ty][tx] = B[(k+ty)*WIDTH+x];
        barrier(CLK_LOCAL_MEM_FENCE);

        for (kb=0; kb<block_size; kb++) {
            sum += sA[ty][kb] * sB[kb][tx];
        }

    }

    C[y*WIDTH+x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
