/*+++
title   = "Naive: one work-item computes one element of C"
problem = "matmul"
source  = "the definition of the matrix product"

[launch]
kernel = "matmul_naive"
local  = [16, 16]
global = ["round_up(N, local.x)", "round_up(M, local.y)"]
+++*/

// C[row][col] = sum over k of A[row][k] * B[k][col]          all matrices row-major, float
//
//              K               N                 N
//         +---------+      +---|---+         +-------+
//      M  |---------| .  K |   |   |  =   M  |   o   |      one work-item walks along one row of A
//         |         |      |   |   |         |       |      and down one column of B
//         +---------+      +---|---+         +-------+
//
// Look at the traffic: for one element, a work-item loads 2 K numbers, and its neighbour in the row loads the
// same row of A again. Each number is loaded N (or M) times from global memory.
//
// The first dimension runs along a row of C. So within a sub-group the loads of B and the stores of C go to neighbours
// (coalesced), and the loads of A to one address for each row (a broadcast). matmul/strided exchanges the two.

__kernel void matmul_naive(__global const float* A, __global const float* B, __global float* C,
                           const int M, const int N, const int K) {
    const int col = get_global_id(0);
    const int row = get_global_id(1);

    // The NDRange is rounded up to whole work-groups: some work-items lie outside C.
    if (row >= M || col >= N) return;

    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[(size_t)row * K + k] * B[(size_t)k * N + col];
    C[(size_t)row * N + col] = sum;
}
// SPDX-License-Identifier: Apache-2.0
