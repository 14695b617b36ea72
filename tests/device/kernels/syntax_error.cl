/*+++
title   = "Does not compile"
problem = "matmul"

[launch]
kernel = "broken"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
__kernel void broken(__global const float* A, __global float* C) {
    const int x = get_global_id(0);
    C[x] = A[x] + undeclared_thing;
}
// SPDX-License-Identifier: Apache-2.0
