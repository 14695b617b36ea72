/*+++
title   = "Numba's ROC example, naive"
problem = "matmul"
source  = "Numba (BSD 2-clause licence), documentation of numba.roc, Examples: docs/source/roc/examples.rst"

[launch]
kernel = "matmul"
local  = [16, 16]
global = ["round_up(M, local.x)", "round_up(N, local.y)"]

[require]
double = "device.has_fp64"
+++*/

// C[i][j] = sum over k of A[i][k] * B[k][j]        i: the first dimension of the NDRange, along the rows
//
// As published: right at every size. Work-items outside in either dimension return, and there is no barrier.
// numba.pydata.org/numba-doc/latest/roc/examples.html has the same listing, and a Chinese translation of it.
//
// Translated: C.shape is M and N, A.shape[1] is K; A[i, k] is A[i * K + k]. `tmp` starts as Python's 0 and adds
// floats, so Numba makes it a double.

__kernel void matmul(__global const float* A, __global const float* B, __global float* C, const int M,
                     const int N, const int K) {
    const int i = get_global_id(0);
    const int j = get_global_id(1);

    if (i >= M || j >= N) return;

    double tmp = 0;

    for (int k = 0; k < K; ++k) tmp += A[(size_t)i * K + k] * B[(size_t)k * N + j];

    C[(size_t)i * N + j] = tmp;
}
// SPDX-License-Identifier: BSD-2-Clause
