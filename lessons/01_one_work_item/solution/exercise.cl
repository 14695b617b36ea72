/*+++
title   = "Lesson 1: one work-item"
problem = "vector_add"

[launch]
kernel = "add"
local  = [1]
global = [1]
+++*/

// C[i] = A[i] + B[i] for every i from 0 to N - 1, by one work-item.

__kernel void add(__global const float* A, __global const float* B, __global float* C, const int N) {
    for (int i = 0; i < N; ++i) C[i] = A[i] + B[i];
}
// SPDX-License-Identifier: Apache-2.0
