/*+++
title   = "Numba's ROC example, blocks in local memory, repaired"
problem = "matmul"
source  = "Numba (BSD 2-clause licence), documentation of numba.roc, Examples: docs/source/roc/examples.rst; repaired here"

[params]
blocksize = [16, 8, 32]

[launch]
kernel = "matmulfast"
local  = ["blocksize", "blocksize"]
global = ["round_up(M, blocksize)", "round_up(N, blocksize)"]

[require]
double = "device.has_fp64"
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
// Repaired: no work-item returns before the barriers, loads outside the matrices give zeros, stores are guarded,
// and the blocks are counted along K.

#ifndef blocksize
#define blocksize 16  // work-items of a work-group in each dimension, and edge of the blocks
#endif

__kernel void matmulfast(__global const float* A, __global const float* B, __global float* C, const int M,
                         const int N, const int K) {
    __local float sA[blocksize][blocksize];
    __local float sB[blocksize][blocksize];

    const int x = get_global_id(0);
    const int y = get_global_id(1);

    const int tx = get_local_id(0);
    const int ty = get_local_id(1);
    const int bpk = (K + blocksize - 1) / blocksize;  // blocks along K

    double tmp = 0;
    for (int i = 0; i < bpk; ++i) {
        const int k = i * blocksize;
        sA[tx][ty] = x < M && k + ty < K ? A[(size_t)x * K + k + ty] : 0.0f;
        sB[tx][ty] = k + tx < K && y < N ? B[(size_t)(k + tx) * N + y] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);  // both blocks are complete

        for (int j = 0; j < blocksize; ++j) tmp += sA[tx][j] * sB[j][ty];
        barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have read them
    }

    if (x < M && y < N) C[(size_t)x * N + y] = tmp;
}
// SPDX-License-Identifier: BSD-2-Clause
