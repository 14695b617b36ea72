/*+++
title   = "Tree, divergent: neighbours are added first, and active work-items are scattered among idle ones"
problem = "sum"
source  = "M. Harris, Optimizing parallel reduction in CUDA, 2007"

[params]
GROUP = [256, 64, 128]      # work-items of a work-group; a power of two

[launch]
kernel = "sum_divergent_tree"
local  = ["GROUP"]
global = ["round_up(N, GROUP)"]

[init]
R = 0           # before every run, untimed
+++*/

// R[0] = X[0] + … + X[N-1]; each work-group adds GROUP numbers in log2(GROUP) steps, then one atomic addition
//
//   step 1   0+1   .   2+3   .   4+5   .   6+7   .      work-items 0, 2, 4, 6 … work
//   step 2   0…3   .    .    .   4…7   .    .    .      0, 4, 8 …
//   step 4   0…7   .    .    .    .    .    .    .      0, 8 …
//
// GROUP - 1 additions without an atomic. But active work-items are scattered among idle ones: divergence. A GPU runs
// a sub-group in lockstep, so one active work-item keeps all of it busy.

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

__kernel void sum_divergent_tree(__global const float* X, volatile __global float* R, const int N) {
    __local float part[GROUP];

    const int i = get_global_id(0);
    const int lane = get_local_id(0);
    part[lane] = i < N ? X[i] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);  // all parts are stored

    for (int step = 1; step < GROUP; step *= 2) {
        if (lane % (2 * step) == 0) part[lane] += part[lane + step];
        barrier(CLK_LOCAL_MEM_FENCE);  // this step's sums are stored before the next step reads them
    }
    if (lane == 0) add_atomically(R, part[0]);
}
// SPDX-License-Identifier: Apache-2.0
