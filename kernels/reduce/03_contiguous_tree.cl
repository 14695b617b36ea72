/*+++
title   = "Tree, contiguous: the active work-items stay next to each other"
problem = "sum"
source  = "M. Harris, Optimizing parallel reduction in CUDA, 2007"

[params]
GROUP = [256, 64, 128]      # work-items of a work-group; a power of two

[launch]
kernel = "sum_contiguous_tree"
local  = ["GROUP"]
global = ["round_up(N, GROUP)"]

[init]
R = 0           # before every run, untimed
+++*/

// R[0] = X[0] + … + X[N-1]; as many additions as in 02_divergent_tree, in another order
//
//   step 4   0+4  1+5  2+6  3+7   .   .   .   .      work-items 0, 1, 2, 3 work
//   step 2   …    …     .    .    .   .   .   .      0, 1
//   step 1   …     .    .    .    .   .   .   .      0
//
// Whole sub-groups fall idle together, and a GPU skips them. Neighbours also read neighbours: no bank conflicts.

#ifndef GROUP
#define GROUP 256  // work-items of a work-group; a power of two
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

__kernel void sum_contiguous_tree(__global const float* X, volatile __global float* R, const int N) {
    __local float part[GROUP];

    const int i = get_global_id(0);
    const int lane = get_local_id(0);
    part[lane] = i < N ? X[i] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);  // all parts are stored

    for (int step = GROUP / 2; step > 0; step /= 2) {
        if (lane < step) part[lane] += part[lane + step];
        barrier(CLK_LOCAL_MEM_FENCE);  // this step's sums are stored before the next step reads them
    }
    if (lane == 0) add_atomically(R, part[0]);
}
// SPDX-License-Identifier: Apache-2.0
