/*+++
title   = "Numba's ROC example, blocks in local memory"
problem = "matmul"
source  = "Numba (BSD 2-clause licence), documentation of numba.roc, Examples: docs/source/roc/examples.rst"

[params]
blocksize = [16]
gridsize = [16]

[launch]
kernel = "matmulfast"
local  = ["blocksize", "blocksize"]
global = ["round_up(M, blocksize)", "round_up(N, blocksize)"]

[require]
double = "device.has_fp64"

[[expect]]  # undefined: with PoCL the work-items that returned go on; another device may wait forever
run   = ["out_of_bounds", "wrong", "timeout", "kernel_crashed"]
check = ["out_of_bounds", "wrong", "timeout"]
when  = "M % blocksize != 0 or N % blocksize != 0"
why   = "work-items outside C return before the barriers, where the rest of the work-group waits for them and for their part of the blocks"

[[expect]]  # except on a CPU, an out-of-bounds load shows only by its value
run   = ["wrong", "kernel_crashed"]
check = "out_of_bounds"
when  = "K < blocksize * gridsize and device.kind == 'cpu'"
why   = "the loop over blocks ends at a constant: it always sums blocksize * gridsize = 256 terms, and goes past the end of K"

[[expect]]
verdict = "wrong"
when    = "K != blocksize * gridsize"
why     = "the loop over blocks ends at a constant: it always sums blocksize * gridsize = 256 terms, whatever K is"
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
// As published, for square matrices of 256 x 256, where it is right. Find two faults that only other sizes show. Which
// of them may go unnoticed on one device, and hang another?
// numba.pydata.org/numba-doc/latest/roc/examples.html has the same listing, and a Chinese translation of it.
//
// Translated: C.shape is M and N, A.shape[1] is K. `tmp` starts as Python's 0 and adds floats, so Numba makes
// it a double. The work-groups cover C, as those of the example do at its one size.

#ifndef blocksize
#define blocksize 16  // work-items of a work-group in each dimension, and edge of the blocks
#endif
#ifndef gridsize
#define gridsize 16  // work-groups in each dimension of the one size that the example runs
#endif

__kernel void matmulfast(__global const float* A, __global const float* B, __global float* C, const int M,
                         const int N, const int K) {
    __local float sA[blocksize][blocksize];
    __local float sB[blocksize][blocksize];

    const int x = get_global_id(0);
    const int y = get_global_id(1);

    const int tx = get_local_id(0);
    const int ty = get_local_id(1);

    if (x >= M || y >= N) return;

    double tmp = 0;
    for (int i = 0; i < gridsize; ++i) {
        sA[tx][ty] = A[(size_t)x * K + ty + i * blocksize];
        sB[tx][ty] = B[(size_t)(tx + i * blocksize) * N + y];
        barrier(CLK_LOCAL_MEM_FENCE);  // both blocks are complete

        for (int j = 0; j < blocksize; ++j) tmp += sA[tx][j] * sB[j][ty];
        barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have read them
    }

    C[(size_t)x * N + y] = tmp;
}
// SPDX-License-Identifier: BSD-2-Clause
