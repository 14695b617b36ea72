/*+++
title   = "Lesson 14: sub-groups"
problem = "sum"

[launch]
kernel = "add_all"
local  = [256]
global = ["round_up(N, local.x)"]

[init]
R = 0
+++*/

#define GROUP 256

#ifdef cl_khr_subgroups
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
#else
// The compiler does not know sub-groups here: each work-item is a sub-group of one. AMD's needs -cl-std=CL2.0.
#define get_sub_group_local_id() 0u
#define get_sub_group_id() ((uint)get_local_id(0))
#define get_num_sub_groups() ((uint)get_local_size(0))
#define sub_group_reduce_add(x) (x)
#endif

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

// R = X[0] + X[1] + … Each sub-group adds in registers; one work-item per work-group adds these sums.

__kernel void add_all(__global const float* X, volatile __global float* R, const int N) {
    __local float part[GROUP];  // one number per sub-group; there are at most GROUP sub-groups
    const int i = get_global_id(0);
    const float mine = i < N ? X[i] : 0;

    const float sum = sub_group_reduce_add(mine);
    if (get_sub_group_local_id() == 0) part[get_sub_group_id()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);  // all sums are stored

    if (get_local_id(0) == 0) {
        float total = 0;
        for (uint g = 0; g < get_num_sub_groups(); ++g) total += part[g];
        add_atomically(R, total);
    }
}
// SPDX-License-Identifier: Apache-2.0
