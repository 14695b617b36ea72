/*+++
title   = "Kernel Tuner's example, naive, made to compile"
problem = "matmul"
source  = "Kernel Tuner (Apache licence 2.0), documentation, Matrix Multiply Example: doc/source/matmul.txt; the row of B is k, otherwise as published"

[params]
block_size_x = [16, 32, 64]
block_size_y = [16, 1, 2, 4, 8, 32]

[defines]
WIDTH = "N"

[launch]
kernel = "matmul_kernel"
local  = ["block_size_x", "block_size_y"]
global = ["round_up(N, block_size_x)", "round_up(M, block_size_y)"]

[require]
fits = "block_size_x * block_size_y <= device.max_work_group_size"

[[expect]]  # a run crashes where the access is far enough outside
run   = ["out_of_bounds", "kernel_crashed"]
check = "out_of_bounds"
when  = "M % block_size_y != 0 or N % block_size_x != 0"
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

// C[y][x] = sum over k of A[y][k] * B[k][x]        x: the first dimension of the NDRange, along the columns
//
// As published, except that the row of B is k, so that it compiles. Find what the single WIDTH and the missing guard
// break. At which sizes is it right?
//
// Translated: blockIdx and threadIdx are get_group_id and get_local_id, __shared__ is __local, __syncthreads() a
// barrier. The arguments keep their order, C first; the workbench matches them by name. WIDTH is N.

#ifndef block_size_x
#define block_size_x 16  // work-items of a work-group along x
#endif
#ifndef block_size_y
#define block_size_y 16  // and along y
#endif
#ifndef WIDTH
#define WIDTH 4096  // rows and columns of all three matrices
#endif

__kernel void matmul_kernel(__global float *C, __global float *A, __global float *B) {
    int x = get_group_id(0) * block_size_x + get_local_id(0);
    int y = get_group_id(1) * block_size_y + get_local_id(1);
    float sum = 0.0;

    for (int k=0; k<WIDTH; k++) {
        sum += A[y*WIDTH+k] * B[k*WIDTH+x];
    }

    C[y*WIDTH+x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
