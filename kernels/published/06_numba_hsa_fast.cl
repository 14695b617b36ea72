/*+++
title   = "Numba's HSA example, blocks in local memory, as a text copy has it"
problem = "matmul"
source  = "Numba (BSD 2-clause licence), documentation of numba.hsa, 5.7 Examples, as a plain-text copy of the page has it"

[params]
blocksize = [20]
gridsize = [20]

[launch]
kernel = "matmulfast"
local  = ["blocksize", "blocksize"]
global = ["round_up(M, blocksize)", "round_up(N, blocksize)"]

[require]
double = "device.has_fp64"

[[expect]]  # in a run, a crash where what is touched lies far enough outside
run   = ["out_of_bounds", "kernel_crashed"]
check = "out_of_bounds"
when  = "M % blocksize != 0 or N % blocksize != 0"
why   = "the guard has lost its return: work-items outside of C load and store as the others do"

[[expect]]  # elsewhere than on a CPU a stray load shows by what it brings alone
run   = ["wrong", "kernel_crashed"]
check = "out_of_bounds"
when  = "K < blocksize * gridsize and device.kind == 'cpu'"
why   = "the loop over blocks ends at a constant, so it always sums blocksize * gridsize = 400 terms, and the barriers are gone"

[[expect]]
verdict = "wrong"
why     = "the barriers are gone: blocks are read before the neighbours have loaded them; and the loop sums 400 terms, whatever K is"
+++*/

// C[x][y] = sum over blocks i, sum over j in block i of A[x][j] * B[j][y]
//
//            i = 0, 1, 2 …                           x: the first dimension of the NDRange, along the rows
//         +----+====+----+        +----+----+
//       M |    | sA |    |  .   K +====+----+        per step a work-group copies a block of A and a block of B
//         +----+====+----+        | sB |    |        into local memory, and multiplies them there
//               K                 +====+----+
//                                      N
//
// As published in that copy, for square matrices of 400 x 400. Find what the lost lines have done, all of them, and
// one fault that the page itself has. (The sentences below the listing still speak of what is lost.)
//
// Carried over: C.shape is M and N, A.shape[1] is K. `tmp` begins as Python's 0 and takes what is added, as Numba
// types it: a double. The work-groups cover C, as those of the example do at its one size.

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
