/*+++
title   = "Strided: as naive, but the first dimension runs down the rows of C"
problem = "matmul"

[launch]
kernel = "matmul_strided"
local  = [16, 16]
global = ["round_up(M, local.x)", "round_up(N, local.y)"]
+++*/

// C[row][col] = sum over k of A[row][k] * B[k][col], as in 01_naive, with row and col exchanged
//
//   work-items 0, 1, 2 …     01_naive                             here
//     load A                 A[r][k], A[r][k] …   one address     A[0][k], A[1][k] …   K floats apart
//     load B                 B[k][0], B[k][1] …   neighbours      B[k][c], B[k][c] …   one address
//     store C                C[r][0], C[r][1] …   neighbours      C[0][c], C[1][c] …   N floats apart
//     lines, A / B / C       2 / 1 / 2                            16 / 1 / 16
//
// A GPU runs neighbours in the first dimension together as a sub-group, and fetches whole lines. Here A and C scatter;
// B does not, because one address for all is a broadcast. The last row is X-ray's, for one access of a sub-group of 32,
// which is two rows of the 16 x 16 group, in lines of 128 bytes. The arithmetic is the same to the last bit. Does it
// matter on a CPU?

__kernel void matmul_strided(__global const float* A, __global const float* B, __global float* C, const int M,
                             const int N, const int K) {
    const int row = get_global_id(0);
    const int col = get_global_id(1);
    if (row >= M || col >= N) return;  // no barrier follows

    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[(size_t)row * K + k] * B[(size_t)k * N + col];
    C[(size_t)row * N + col] = sum;
}
// SPDX-License-Identifier: Apache-2.0
