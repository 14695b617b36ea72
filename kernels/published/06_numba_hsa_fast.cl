/*+++
title   = "Numba's HSA example, blocks in local memory, from a plain-text copy"
problem = "matmul"
source  = "Numba (BSD 2-clause licence), documentation of numba.hsa, 5.7 Examples, from a plain-text copy of the page"

[params]
blocksize = [20]
gridsize = [20]

[launch]
kernel = "matmulfast"
local  = ["blocksize", "blocksize"]
global = ["round_up(M, blocksize)", "round_up(N, blocksize)"]

[require]
double = "device.has_fp64"

[[expect]]  # a run crashes where the access is far enough outside
run   = ["out_of_bounds", "kernel_crashed"]
check = "out_of_bounds"
when  = "M % blocksize != 0 or N % blocksize != 0"
why   = "the guard has lost its return, so work-items outside C load and store out of bounds"

[[expect]]  # except on a CPU, an out-of-bounds load shows only by its value
run   = ["wrong", "kernel_crashed"]
check = "out_of_bounds"
when  = "K < blocksize * gridsize and device.kind == 'cpu'"
why   = "the loop over blocks ends at a constant, so it always sums blocksize * gridsize = 400 terms; and the barriers are missing"

[[expect]]
verdict = "wrong"
why     = "the barriers are missing, so work-items read blocks that their neighbours have not loaded yet; and the loop sums 400 terms, whatever K is"
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
// As published in that copy, for square matrices of 400 x 400. Find what each of the lost lines does, and one fault
// that the page itself has. (The text below the listing still describes what is lost.)
//
// Translated: C.shape is M and N, A.shape[1] is K. `tmp` starts as Python's 0 and adds floats, so Numba makes
// it a double. The work-groups cover C, as those of the example do at its one size.

#ifndef blocksize
#define blocksize 20  // work-items of a work-group in each dimension, and edge of the blocks
#endif
#ifndef gridsize
#define gridsize 20  // work-groups in each dimension of the one size that the example runs
#endif

__kernel void matmulfast(__global const float* A, __global const float* B, __global float* C, const int M,
                         const int N, const int K) {
    __local float sA[blocksize][blocksize];
    __local float sB[blocksize][blocksize];

    const int x = get_global_id(0);
    const int y = get_global_id(1);

    const int tx = get_local_id(0);
    const int ty = get_local_id(1);

    if (x >= M || y >= N) {
    }

    double tmp = 0;
    for (int i = 0; i < gridsize; ++i) {
        sA[tx][ty] = A[(size_t)x * K + ty + i * blocksize];
        sB[tx][ty] = B[(size_t)(tx + i * blocksize) * N + y];
        for (int j = 0; j < blocksize; ++j) tmp += sA[tx][j] * sB[j][ty];
    }

    C[(size_t)x * N + y] = tmp;
}
// SPDX-License-Identifier: BSD-2-Clause
