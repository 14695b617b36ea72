/*+++
title   = "Work-group function: OpenCL C's work_group_reduce_add in place of the tree, where the device has it"
problem = "sum"
source  = "Khronos, The OpenCL C specification, 3.0, work-group collective functions"

[params]
GROUP = [256, 64, 128]      # work-items of a work-group
EACH  = [32, 8, 128]        # elements that a work-item adds by itself

[build]
options = "-cl-std=CL3.0"

[require]
has_function = "device.has_work_group_functions"

[launch]
kernel = "sum_work_group"
local  = ["GROUP"]
global = ["round_up(ceil_div(N, EACH), GROUP)"]

[init]
R = 0           # before every run, untimed
+++*/

// R[0] = X[0] + … + X[N-1]; as in 04_several_each, with one call in place of the tree
//
//   work-items    s0   s1   s2   s3   s4   s5   s6   s7
//                  \    |    |    |    |    |    |    /
//                   work_group_reduce_add(s), the same result for all; the driver decides how
//
// No local memory to declare, no barrier to forget, and the driver may use instructions that add across a sub-group.
// Optional since OpenCL 3.0: many drivers do not have it.

#ifndef EACH
#define EACH 32  // elements that a work-item adds by itself; only the launch uses it
#endif

void add_atomically(volatile __global float* to, const float term) {
    volatile __global unsigned int* bits = (volatile __global unsigned int*)to;
    unsigned int seen = *bits;
    unsigned int before;
    do {
        before = seen;
        seen = atomic_cmpxchg(bits, before, as_uint(as_float(before) + term));
    } while (seen != before);
}

__kernel void sum_work_group(__global const float* X, volatile __global float* R, const int N) {
    float sum = 0.0f;
    for (size_t i = get_global_id(0); i < (size_t)N; i += get_global_size(0)) sum += X[i];
    sum = work_group_reduce_add(sum);  // all work-items of the group must call it
    if (get_local_id(0) == 0) add_atomically(R, sum);
}
// SPDX-License-Identifier: Apache-2.0
