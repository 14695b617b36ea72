/*+++
title   = "Several elements each: a work-item makes most of its additions by itself, before the tree"
problem = "sum"
source  = "M. Harris, Optimizing parallel reduction in CUDA, 2007"

[params]
GROUP = [256, 64, 128]      # work-items of a work-group; a power of two
EACH  = [32, 8, 128]        # elements that a work-item adds by itself

[launch]
kernel = "sum_several"
local  = ["GROUP"]
global = ["round_up(ceil_div(N, EACH), GROUP)"]

[init]
R = 0           # before every run, untimed
+++*/

// R[0] = X[0] + … + X[N-1]
//
//   work-item   0   1   2  …  T-1 | 0   1   2  …  T-1 | 0  …
//   X           o   o   o      o    o   o   o      o    o
//               |___|___|______|____/   |   |      |         work-item t adds X[t], X[t + T], X[t + 2 T] …
//                \  |  /                                      with T = global size,
//                  R              then the tree of 03_contiguous_tree adds GROUP such sums
//
// The barriers and the atomic addition now serve GROUP · EACH numbers, not GROUP.

#ifndef GROUP
#define GROUP 256  // work-items of a work-group; a power of two
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

__kernel void sum_several(__global const float* X, volatile __global float* R, const int N) {
    __local float part[GROUP];

    const int lane = get_local_id(0);
    float sum = 0.0f;
    for (size_t i = get_global_id(0); i < (size_t)N; i += get_global_size(0)) sum += X[i];
    part[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);  // all parts are stored

    for (int step = GROUP / 2; step > 0; step /= 2) {
        if (lane < step) part[lane] += part[lane + step];
        barrier(CLK_LOCAL_MEM_FENCE);  // this step's sums are stored before the next step reads them
    }
    if (lane == 0) add_atomically(R, part[0]);
}
// SPDX-License-Identifier: Apache-2.0
