/*+++
title   = "Kernel Tuner's example, blocks in local memory"
problem = "matmul"
source  = "Kernel Tuner (Apache licence 2.0), documentation, Matrix Multiply Example: doc/source/matmul.txt"

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

[[expect]]
verdict = "compile_error"
why     = "__synchthreads has an h too many: CUDA's barrier is __syncthreads, OpenCL's barrier(CLK_LOCAL_MEM_FENCE)"
+++*/

// C[y][x] = sum over blocks k, sum over kb in block k of A[y][k + kb] * B[k + kb][x]
//
//         +----+====+----+        +----+----+        x: the first dimension of the NDRange, along the columns
//         |    | sA |    |  .     +====+----+
//         +----+====+----+        | sB |    |        at each step a work-group copies a block of A and one of B
//                                 +====+----+        into local memory, and multiplies them there
//
// As published, for square matrices of WIDTH x WIDTH. It never compiled, not even in CUDA: find out why. Then
// continue with 15_kernel_tuner_tiled_spelt.cl.
//
// Translated: blockIdx and threadIdx are get_group_id and get_local_id, __shared__ is __local; the misspelt name
// stays as it was. The arguments keep their order, C first; the workbench matches them by name. WIDTH is
// given as N.

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
        __synchthreads();
        sA[ty][tx] = A[y*WIDTH+k+tx];
        sB[ty][tx] = B[(k+ty)*WIDTH+x];
        __synchthreads();

        for (kb=0; kb<block_size; kb++) {
            sum += sA[ty][kb] * sB[kb][tx];
        }

    }

    C[y*WIDTH+x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
