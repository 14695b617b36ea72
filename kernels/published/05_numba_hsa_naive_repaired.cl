/*+++
title   = "Numba's HSA example, naive, repaired"
problem = "matmul"
source  = "Numba (BSD 2-clause licence), documentation of numba.hsa, 5.7 Examples, from a plain-text copy of the page; repaired here"

[launch]
kernel = "matmul"
local  = [16, 16]
global = ["round_up(M, local.x)", "round_up(N, local.y)"]

[require]
double = "device.has_fp64"
+++*/

// C[i][j] = sum over k of A[i][k] * B[k][j]        i: the first dimension of the NDRange, along the rows
//
// Repaired: work-items outside C return. They may, because there is no barrier.

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
