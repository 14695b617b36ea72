/*+++
title   = "Lesson 3: two dimensions"
problem = "transpose"

[launch]
kernel = "transpose"
local  = [16, 16]
global = ["round_up(N, local.x)", "round_up(M, local.y)"]
+++*/

// Element (column, row) of B is element (row, column) of A. A has M rows and N columns.

__kernel void transpose(__global const float* A, __global float* B, const int M, const int N) {
    const int column = get_global_id(0);
    const int row = get_global_id(1);
    if (row < M && column < N) B[column * M + row] = A[row * N + column];
}
// SPDX-License-Identifier: Apache-2.0
