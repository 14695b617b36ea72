/*+++
title   = "Atomic: every work-item adds its number to the one result"
problem = "sum"

[launch]
kernel = "sum_atomic"
local  = [256]
global = ["round_up(N, local.x)"]

[init]
R = 0           # before every run, untimed
+++*/

// R[0] = X[0] + X[1] + … + X[N-1]
//
//   X   o o o o o o o o
//       \ \ \ | | / / /
//             R           N work-items contend for one place in memory
//
// OpenCL C has no atomic addition of floats before 3.0's extensions. So the work-item reads the sum, adds, and
// replaces it only if it is unchanged; otherwise it retries.

void add_atomically(volatile __global float* to, const float term) {
    volatile __global unsigned int* bits = (volatile __global unsigned int*)to;
    unsigned int seen = *bits;
    unsigned int before;
    do {
        before = seen;
        seen = atomic_cmpxchg(bits, before, as_uint(as_float(before) + term));
    } while (seen != before);
}

__kernel void sum_atomic(__global const float* X, volatile __global float* R, const int N) {
    const int i = get_global_id(0);
    if (i < N) add_atomically(R, X[i]);
}
// SPDX-License-Identifier: Apache-2.0
