/*+++
title   = "Kernel Tuner's example, blocks in local memory, as it compiles"
problem = "matmul"
source  = "Kernel Tuner (Apache licence 2.0), documentation, Matrix Multiply Example: doc/source/matmul.txt; the barriers spelt right, else as published"

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

[[expect]]  # in a run, a crash where what is touched lies far enough outside
run   = ["out_of_bounds", "kernel_crashed"]
check = "out_of_bounds"
when  = "M % block_size != 0 or N % block_size != 0"
why   = "there is no guard: work-items outside of C load and store as the others do"

[[expect]]  # elsewhere than on a CPU a stray load shows by what it brings alone
run   = ["wrong", "kernel_crashed"]
check = "out_of_bounds"
when  = "K < N and device.kind == 'cpu'"
why   = "one WIDTH stands for all three sizes, so it is right for square matrices only; here it walks past the end of K"

[[expect]]
verdict = "wrong"
when    = "K != N"
why     = "one WIDTH stands for all three sizes, so it is right for square matrices only; here it stops before the end of K"
+++*/

// C[y][x] = sum over blocks k, sum over kb in block k of A[y][k + kb] * B[k + kb][x]
//
//         +----+====+----+        +----+----+        x: the first dimension of the NDRange, along the columns
//         |    | sA |    |  .     +====+----+
//         +----+====+----+        | sB |    |        per step a work-group copies a block of A and a block of B
//                                 +====+----+        into local memory, and multiplies them there
//
// As published, but for the name of the barrier. One of the two barriers stands where others put it at the end of the
// loop: is that right? Find what the WIDTH and the missing guards cost. At which sizes is it right?
//
// Carried over: blockIdx and threadIdx are get_group_id and get_local_id, __shared__ is __local, __syncthreads() a
// barrier. The arguments keep their order, C first; they are found by their names. WIDTH is given as N.

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
