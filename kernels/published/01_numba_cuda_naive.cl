/*+++
title   = "Numba's CUDA example, naive"
problem = "matmul"
source  = "Numba (BSD 2-clause licence), documentation of numba.cuda, Examples: docs/source/cuda/examples.rst"

[launch]
kernel = "matmul"
local  = [16, 16]
global = ["round_up(M, local.x)", "round_up(N, local.y)"]

[require]
double = "device.has_fp64"
+++*/

// C[i][j] = sum over k of A[i][k] * B[k][j]        i: the first dimension of the NDRange, along the rows
//
// As published: right at every size. The guard requires both indices to be inside, and the rest of the
// body is inside it. Look at the type of the sum: Python's 0. is a double, so Numba makes `tmp` a double.
//
// Translated: cuda.grid(2) is get_global_id; C.shape is M and N, A.shape[1] is K; A[i, k] is A[i * K + k].

__kernel void matmul(__global const float* A, __global const float* B, __global float* C, const int M,
                     const int N, const int K) {
    const int i = get_global_id(0);
    const int j = get_global_id(1);
    if (i < M && j < N) {
        double tmp = 0.;
        for (int k = 0; k < K; ++k) tmp += A[(size_t)i * K + k] * B[(size_t)k * N + j];
        C[(size_t)i * N + j] = tmp;
    }
}
// SPDX-License-Identifier: BSD-2-Clause
