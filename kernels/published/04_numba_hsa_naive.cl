/*+++
title   = "Numba's HSA example, naive, from a plain-text copy"
problem = "matmul"
source  = "Numba (BSD 2-clause licence), documentation of numba.hsa, 5.7 Examples, from a plain-text copy of the page"

[launch]
kernel = "matmul"
local  = [16, 16]
global = ["round_up(M, local.x)", "round_up(N, local.y)"]

[require]
double = "device.has_fp64"

[[expect]]  # a run crashes where the access is far enough outside
run   = ["out_of_bounds", "kernel_crashed"]
check = "out_of_bounds"
when  = "M % local.x != 0 or N % local.y != 0"
why   = "the guard has lost its return, so work-items outside C load and store out of bounds"
+++*/

// C[i][j] = sum over k of A[i][k] * B[k][j]        i: the first dimension of the NDRange, along the rows
//
// As published in that copy, which lost one line of the page. Find what that does. (Numba's own file has the
// line. Without it Python rejects the code; C accepts it.) At which sizes is that not noticed?
//
// Translated: C.shape is M and N, A.shape[1] is K; A[i, k] is A[i * K + k]. `tmp` starts as Python's 0 and adds
// floats, so Numba makes it a double.

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
// SPDX-License-Identifier: BSD-2-Clause
