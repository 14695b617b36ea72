/*+++
title   = "Kernel Tuner's example, several elements per work-item"
problem = "matmul"
source  = "Kernel Tuner (Apache licence 2.0), documentation, Matrix Multiply Example: doc/source/matmul.txt"

[params]
block_size_x = [16, 32, 64]
block_size_y = [8, 1, 2, 4, 16, 32]
tile_size_x  = [4, 1, 2, 8]
tile_size_y  = [2, 1, 4, 8]

[defines]
WIDTH = "N"

[launch]
kernel = "matmul_kernel"
local  = ["block_size_x", "block_size_y"]
global = ["ceil_div(N, block_size_x * tile_size_x) * block_size_x", "ceil_div(M, block_size_y * tile_size_y) * block_size_y"]

[require]
square = "block_size_x == block_size_y * tile_size_y"  # the page's own restriction
fits   = "block_size_x * block_size_y <= min(1024, device.max_work_group_size)"  # 1024: CUDA's largest
room   = "4 * block_size_x * block_size_x * (1 + tile_size_x) <= device.local_mem_bytes"

[[expect]]  # a run crashes where the access is far enough outside
run   = ["out_of_bounds", "kernel_crashed"]
check = "out_of_bounds"
when  = "M % (block_size_y * tile_size_y) != 0 or N % (block_size_x * tile_size_x) != 0"
why   = "there is no guard, so work-items outside C load and store out of bounds"

[[expect]]  # except on a CPU, an out-of-bounds load shows only by its value
run   = ["wrong", "kernel_crashed"]
check = "out_of_bounds"
when  = "K < N and device.kind == 'cpu'"
why   = "one WIDTH stands for all three sizes, which is right only for square matrices; here it goes past the end of K"

[[expect]]
verdict = "wrong"
why     = "the sums are never set to zero: they start with whatever the memory holds"
+++*/

// C[y][x] = sum over blocks k, sum over kb in block k of A[y][k + kb] * B[k + kb][x]
//
//                +----+----+----+        x: the first dimension of the NDRange, along the columns
//                | sB | sB | sB |
//                +----+----+----+        tile_size_x blocks of B; each block is block_size_x wide and
//       +----+   +----+----+----+        block_size_y * tile_size_y high, which must be the same
//       | sA |   | C  | C  | C  |
//       +----+   +----+----+----+        a work-item computes tile_size_y x tile_size_x elements, a block apart
//
// As published, for square matrices of WIDTH x WIDTH. Find the missing line that makes it wrong at every size.
// (How wrong changes from run to run; with some parameters the first run may even be right.) Then continue with
// 18_kernel_tuner_block_zeroed.cl.
//
// Translated: blockIdx and threadIdx are get_group_id and get_local_id, __shared__ is __local, __syncthreads() a
// barrier. The arguments keep their order, C first; the workbench matches them by name. WIDTH is N.

#ifndef block_size_x
#define block_size_x 16  // work-items of a work-group along x, and edge of the block of A
#endif
#ifndef block_size_y
#define block_size_y 8  // work-items along y
#endif
#ifndef tile_size_x
#define tile_size_x 4  // elements of C that a work-item computes along x
#endif
#ifndef tile_size_y
#define tile_size_y 2  // and along y
#endif
#ifndef WIDTH
#define WIDTH 4096  // rows and columns of all three matrices
#endif

__kernel void matmul_kernel(__global float *C, __global float *A, __global float *B) {

    __local float sA[block_size_y*tile_size_y][block_size_x];
    __local float sB[block_size_y*tile_size_y][block_size_x * tile_size_x];

    int tx = get_local_id(0);
    int ty = get_local_id(1);
    int x = get_group_id(0) * block_size_x * tile_size_x + get_local_id(0);
    int y = get_group_id(1) * block_size_y * tile_size_y + get_local_id(1);
    int k, kb;

    float sum[tile_size_y][tile_size_x];

    for (k = 0; k < WIDTH; k += block_size_x) {

        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma unroll
        for (int i = 0; i < tile_size_y; i++) {
            sA[ty + block_size_y * i][tx] = A[y * WIDTH + block_size_y * i * WIDTH + k + tx];

            #pragma unroll
            for (int j = 0; j < tile_size_x; j++) {
                sB[ty + block_size_y * i][tx + j * block_size_x] = B[(k + ty + block_size_y * i) * WIDTH + x + j * block_size_x];
            }
        }
        barrier(CLK_LOCAL_MEM_FENCE);

        //compute
        #pragma unroll
        for (kb = 0; kb < block_size_x; kb++) {

            #pragma unroll
            for (int i = 0; i < tile_size_y; i++) {
                #pragma unroll
                for (int j = 0; j < tile_size_x; j++) {
                    sum[i][j] += sA[ty + block_size_y * i][kb] * sB[kb][tx + j * block_size_x];
                }
            }

        }

    }

    //store result
    #pragma unroll
    for (int i = 0; i < tile_size_y; i++) {
        #pragma unroll
        for (int j = 0; j < tile_size_x; j++) {
            C[y * WIDTH + x + block_size_y * i * WIDTH + j * block_size_x] = sum[i][j];
        }
    }

}
// SPDX-License-Identifier: Apache-2.0
