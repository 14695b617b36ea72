/*+++
title   = "Naive: read along rows, write along columns"
problem = "transpose"

[launch]
kernel = "transpose_naive"
local  = [16, 16]
global = ["round_up(N, local.x)", "round_up(M, local.y)"]
+++*/

// B[column][row] = A[row][column]
//
//        A, M x N                 B, N x M
//      +----------+             +------+
//      | 0 1 2 3  |             | 0    |
//      |          |     →       | 1    |       neighbours in a row of A are a row of B apart
//      +----------+             | 2    |
//                               | 3    |
//                               +------+
// Reads use every byte of a cache line; writes use one float of each line. Where the row length is a power of two,
// these lines also map to the same cache sets and evict each other: compare --size 4096 with --size 4000.

__kernel void transpose_naive(__global const float* A, __global float* B, const int M, const int N) {
    const int column = get_global_id(0);
    const int row = get_global_id(1);
    if (row < M && column < N) B[(size_t)column * M + row] = A[(size_t)row * N + column];
}
// SPDX-License-Identifier: Apache-2.0
