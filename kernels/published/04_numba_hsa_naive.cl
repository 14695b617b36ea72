/*+++
title   = "Numba's HSA example, naive, as a text copy has it"
problem = "matmul"
source  = "Numba (BSD 2-clause licence), documentation of numba.hsa, 5.7 Examples, as a plain-text copy of the page has it"

[launch]
kernel = "matmul"
local  = [16, 16]
global = ["round_up(M, local.x)", "round_up(N, local.y)"]

[require]
double = "device.has_fp64"

[[expect]]  # in a run, a crash where what is touched lies far enough outside
run   = ["out_of_bounds", "kernel_crashed"]
check = "out_of_bounds"
when  = "M % local.x != 0 or N % local.y != 0"
why   = "the guard has lost its return: work-items outside of C load and store as the others do"
+++*/

// C[i][j] = sum over k of A[i][k] * B[k][j]        i: the first dimension of the NDRange, along the rows
//
// As published in that copy. Find what a line lost on the way from the page has done. (Numba's own file has the
// line; Python would refuse what is left, C takes it.) At which sizes does nobody notice?
//
// Carried over: C.shape is M and N, A.shape[1] is K; A[i, k] is A[i * K + k]. `tmp` begins as Python's 0 and takes
// what is added, as Numba types it: a double.

__kernel void matmul(__global const float* A, __global const float* B, __global float* C, const int M,
                     const int N, const int K) {
    const int i = get_global_id(0);
    const int j = get_global_id(1);

    if (i >= M || j >= N) {
    }

    double tmp = 0;

    for (int k = 0; k < K; ++k) tmp += A[(size_t)i * K + k] * B[(size_t)k * N + j];

    C[(size_t)i * N + j] = tmp;
}
