/*+++
title   = "Made of pieces that lie beside it"
problem = "matmul"

[launch]
kernel = "pieced"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
#include "parts/dot.h"

__kernel void pieced(__global const float* A, __global const float* B, __global float* C, const int M,
                     const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x < N && y < M) C[AT(y, x, N)] = dot_product(A, B, y, x, N, K);
}
// SPDX-License-Identifier: Apache-2.0
