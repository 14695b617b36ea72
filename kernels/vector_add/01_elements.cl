/*+++
title   = "One element a work-item"
problem = "vector_add"

[launch]
kernel = "add_elements"
local  = [256]
global = ["round_up(N, local.x)"]
+++*/

// C[i] = A[i] + B[i]
//
//   work-item   0   1   2   3 …
//   A           o   o   o   o
//   B           o   o   o   o      neighbouring work-items access neighbours: coalesced
//   C           o   o   o   o
//
// Twelve bytes move for one addition. Faster arithmetic cannot help: memory bandwidth is the limit.

__kernel void add_elements(__global const float* A, __global const float* B, __global float* C, const int N) {
    const int i = get_global_id(0);
    if (i < N) C[i] = A[i] + B[i];
}
// SPDX-License-Identifier: Apache-2.0
