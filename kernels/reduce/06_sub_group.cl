/*+++
title   = "Sub-groups: adds within each sub-group without local memory, then one sum per sub-group, where the device has them"
problem = "sum"
source  = "Khronos, The OpenCL C specification, 3.0, sub-group functions"

[params]
GROUP = [256, 64, 128]      # work-items of a work-group
EACH  = [32, 8, 128]        # elements that a work-item adds by itself

[build]
options = "-cl-std=CL3.0"

[require]
has_function = "device.has_sub_groups"

[launch]
kernel = "sum_sub_group"
local  = ["GROUP"]
global = ["round_up(ceil_div(N, EACH), GROUP)"]

[init]
R = 0           # before every run, untimed
+++*/

// R[0] = X[0] + … + X[N-1]; as in 04_several_each, with two calls and one barrier in place of the tree
//
//   sub-group 0     s0 + s1 + … + s31      \
//   sub-group 1     s32 + … + s63           -→  part[0], part[1] …  -→  the first sub-group adds these
//   …                                      /
//
// sub_group_reduce_add exchanges registers and synchronises its sub-group: no local memory. One barrier is left.

#pragma OPENCL EXTENSION cl_khr_subgroups : enable

#ifndef GROUP
#define GROUP 256  // work-items of a work-group
#endif
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

__kernel void sum_sub_group(__global const float* X, volatile __global float* R, const int N) {
    __local float part[GROUP];  // a sub-group has at least one work-item

    float sum = 0.0f;
    for (size_t i = get_global_id(0); i < (size_t)N; i += get_global_size(0)) sum += X[i];
    sum = sub_group_reduce_add(sum);  // all work-items of the sub-group must call it
    if (get_sub_group_local_id() == 0) part[get_sub_group_id()] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);  // every sub-group has stored its sum
    if (get_sub_group_id() != 0) return;  // no barrier follows

    float total = 0.0f;
    for (uint g = get_sub_group_local_id(); g < get_num_sub_groups(); g += get_sub_group_size()) total += part[g];
    total = sub_group_reduce_add(total);
    if (get_sub_group_local_id() == 0) add_atomically(R, total);
}
// SPDX-License-Identifier: Apache-2.0
