/*+++
title   = "Lesson 8: a tree"
problem = "sum"

[launch]
kernel = "add_all"
local  = [256]
global = ["round_up(N, local.x)"]

[init]
R = 0           # before every run
+++*/

#define GROUP 256

// OpenCL C 1.2 has no atomic addition of floats; this is one.
void add_atomically(volatile __global float* to, const float term) {
    volatile __global uint* bits = (volatile __global uint*)to;
    uint seen = *bits;
    uint before;
    do {
        before = seen;
        seen = atomic_cmpxchg(bits, before, as_uint(as_float(before) + term));
    } while (seen != before);
}

// R = X[0] + X[1] + … Each work-group adds in local memory, then adds its sum to the result.

__kernel void add_all(__global const float* X, volatile __global float* R, const int N) {
    __local float part[GROUP];
    const int i = get_global_id(0);
    const int lane = get_local_id(0);
    part[lane] = i < N ? X[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);  // all parts are stored
    for (int step = 1; step < GROUP; step *= 2) {
        if (lane % (2 * step) == 0) part[lane] += part[lane + step];
        barrier(CLK_LOCAL_MEM_FENCE);  // before the next step
    }
    if (lane == 0) add_atomically(R, part[0]);
}
// SPDX-License-Identifier: Apache-2.0
