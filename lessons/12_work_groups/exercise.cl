/*+++
title   = "Lesson 12: work-groups"
problem = "sum"

[params]
GROUP = [8, 64, 256, 1024]   # work-items of a work-group; the first value is the default

[launch]
kernel = "add_all"
local  = ["GROUP"]
global = ["round_up(ceil_div(N, 8), GROUP)"]

[init]
R = 0
+++*/

#ifndef GROUP
#define GROUP 8
#endif
#define ROOM 4096  // numbers that a work-group shares: enough for every GROUP

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

// R = X[0] + X[1] + … Each work-item adds up to eight numbers, then its work-group adds these sums in a tree.

__kernel void add_all(__global const float* X, volatile __global float* R, const int N) {
    __local float part[ROOM];
    const int lane = get_local_id(0);

    float sum = 0;
    for (int i = get_global_id(0); i < N; i += get_global_size(0)) sum += X[i];
    part[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);  // all parts are stored
    for (int step = GROUP / 2; step > 0; step /= 2) {
        if (lane < step) part[lane] += part[lane + step];
        barrier(CLK_LOCAL_MEM_FENCE);  // before the next step
    }
    if (lane == 0) add_atomically(R, part[0]);
}
// SPDX-License-Identifier: Apache-2.0
