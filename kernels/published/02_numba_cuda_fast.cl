/*+++
title   = "Numba's CUDA example, blocks in local memory"
problem = "matmul"
source  = "Numba (BSD 2-clause licence), documentation of numba.cuda, Examples: docs/source/cuda/examples.rst"

[params]
TPB = [16, 8, 32]

[launch]
kernel = "fast_matmul"
local  = ["TPB", "TPB"]
global = ["round_up(M, TPB)", "round_up(N, TPB)"]

[require]
double = "device.has_fp64"

[[expect]]  # a run crashes where the access is far enough outside
run   = ["out_of_bounds", "kernel_crashed"]
check = "out_of_bounds"
when  = "M % TPB != 0 or N % TPB != 0"
why   = "the guard uses && where it needs ||, so work-items outside in one dimension load and store out of bounds"

[[expect]]  # except on a CPU, an out-of-bounds load shows only by its value
run   = ["wrong", "kernel_crashed"]
check = "out_of_bounds"
when  = "K < M and device.kind == 'cpu'"
why   = "the loop counts the work-groups along the rows, ceil(M / TPB), and goes past the end of K"

[[expect]]
verdict = "wrong"
when    = "K != M"
why     = "the loop counts the work-groups along the rows, ceil(M / TPB), but there are ceil(K / TPB) blocks to sum"
+++*/

// C[x][y] = sum over blocks i, sum over j in block i of A[x][j] * B[j][y]
//
//            i = 0, 1, 2 …                           x: the first dimension of the NDRange, along the rows
//         +----+====+----+        +----+----+
//       M |    | sA |    |  .   K +====+----+        at each step a work-group copies a block of A and one of B
//         +----+====+----+        | sB |    |        into local memory, and multiplies them there
//               K                 +====+----+
//                                      N
//
// As published, for square matrices. Find three faults: who passes the guard, how many blocks are summed, and
// what work-items that return early leave undone for the others. At which sizes is it right nevertheless?
//
// Translated: cuda.grid(2) is get_global_id, cuda.gridDim.x get_num_groups(0), syncthreads() a barrier;
// C.shape is M and N, A.shape[1] is K.

#ifndef TPB
#define TPB 16  // work-items of a work-group in each dimension, and edge of the blocks
#endif

__kernel void fast_matmul(__global const float* A, __global const float* B, __global float* C, const int M,
                          const int N, const int K) {
    __local float sA[TPB][TPB];
    __local float sB[TPB][TPB];

    const int x = get_global_id(0);
    const int y = get_global_id(1);

    const int tx = get_local_id(0);
    const int ty = get_local_id(1);
    const int bpg = get_num_groups(0);  // work-groups along the rows

    if (x >= M && y >= N) return;

    double tmp = 0.;
    for (int i = 0; i < bpg; ++i) {
        sA[tx][ty] = A[(size_t)x * K + ty + i * TPB];
        sB[tx][ty] = B[(size_t)(tx + i * TPB) * N + y];
        barrier(CLK_LOCAL_MEM_FENCE);  // both blocks are complete

        for (int j = 0; j < TPB; ++j) tmp += sA[tx][j] * sB[j][ty];
        barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have read them
    }

    C[(size_t)x * N + y] = tmp;
}
// SPDX-License-Identifier: BSD-2-Clause
