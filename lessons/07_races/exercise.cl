/*+++
title   = "Lesson 7: races and atomic operations"
problem = "histogram"

[launch]
kernel = "count"
local  = [64]
global = ["round_up(N, local.x)"]

[init]
H = 0           # before every run
+++*/

// H[v] = how many elements of X are v.

__kernel void count(__global const uint* X, __global uint* H, const int N) {
    const int i = get_global_id(0);
    if (i < N) H[X[i]] = H[X[i]] + 1;
}
// SPDX-License-Identifier: Apache-2.0
