/*+++
title   = "Lesson 2: many work-items"
problem = "vector_add"

[launch]
kernel = "add"
local  = [64]
global = ["round_up(N, local.x)"]
+++*/

// C[i] = A[i] + B[i], one element per work-item.

__kernel void add(__global const float* A, __global const float* B, __global float* C, const int N) {
    const int i = get_global_id(0);
    if (i < N) C[i] = A[i] + B[i];
}
// SPDX-License-Identifier: Apache-2.0
