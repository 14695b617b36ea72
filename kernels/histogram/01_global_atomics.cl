/*+++
title   = "Global atomics: all work-items increment the same counters in global memory"
problem = "histogram"

[launch]
kernel = "count_globally"
local  = [256]
global = ["round_up(N, local.x)"]

[init]
H = 0           # before every run, untimed
+++*/

// H[X[i]] += 1
//
//   X   3 1 3 3 0 3 …
//   H   [0] [1] [2] [3] …      all threes contend for one counter
//
// Without an atomic addition, counts would be lost when two work-items increment one counter at once.

__kernel void count_globally(__global const unsigned int* X, volatile __global unsigned int* H, const int N) {
    const int i = get_global_id(0);
    if (i < N) atomic_inc(&H[X[i]]);
}
// SPDX-License-Identifier: Apache-2.0
