/*+++
title   = "Kernel Tuner's example, several elements per work-item, repaired"
problem = "matmul"
source  = "Kernel Tuner (Apache licence 2.0), documentation, Matrix Multiply Example: doc/source/matmul.txt; repaired here"

[params]
block_size_x = [16, 32, 64]
block_size_y = [8, 1, 2, 4, 16, 32]
tile_size_x  = [4, 1, 2, 8]
tile_size_y  = [2, 1, 4, 8]

[launch]
kernel = "matmul_kernel"
local  = ["block_size_x", "block_size_y"]
global = ["ceil_div(N, block_size_x * tile_size_x) * block_size_x", "ceil_div(M, block_size_y * tile_size_y) * block_size_y"]

[require]
square = "block_size_x == block_size_y * tile_size_y"  # the page's own restriction
fits   = "block_size_x * block_size_y <= min(1024, device.max_work_group_size)"  # 1024: CUDA's largest
room   = "4 * block_size_x * block_size_x * (1 + tile_size_x) <= device.local_mem_bytes"
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
// Repaired: the sums start at zero, the extents of each matrix, loads outside give zeros, stores are guarded; no
// work-item returns early, because all must reach the barriers.

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

__kernel void matmul_kernel(__global float *C, __global float *A, __global float *B, const int M, const int N,
                            const int K) {

    __local float sA[block_size_y*tile_size_y][block_size_x];
    __local float sB[block_size_y*tile_size_y][block_size_x * tile_size_x];

    int tx = get_local_id(0);
    int ty = get_local_id(1);
    int x = get_group_id(0) * block_size_x * tile_size_x + get_local_id(0);
    int y = get_group_id(1) * block_size_y * tile_size_y + get_local_id(1);
    int k, kb;

    float sum[tile_size_y][tile_size_x];
    for (int i = 0; i < tile_size_y; i++) {
        for (int j = 0; j < tile_size_x; j++) sum[i][j] = 0.0f;
    }

    for (k = 0; k < K; k += block_size_x) {

        barrier(CLK_LOCAL_MEM_FENCE);
        #pragma unroll
        for (int i = 0; i < tile_size_y; i++) {
            const int row = y + block_size_y * i;
            const int from = k + ty + block_size_y * i;
            sA[ty + block_size_y * i][tx] = row < M && k + tx < K ? A[(size_t)row * K + k + tx] : 0.0f;

            #pragma unroll
            for (int j = 0; j < tile_size_x; j++) {
                const int col = x + j * block_size_x;
                sB[ty + block_size_y * i][tx + j * block_size_x] = from < K && col < N ? B[(size_t)from * N + col] : 0.0f;
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
            const int row = y + block_size_y * i;
            const int col = x + j * block_size_x;
            if (row < M && col < N) C[(size_t)row * N + col] = sum[i][j];
        }
    }

}
// SPDX-License-Identifier: Apache-2.0
