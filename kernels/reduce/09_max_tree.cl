/*+++
title   = "The largest, with a tree, and an atomic maximum on the bits of a float"
problem = "max"

[params]
GROUP = [256, 64, 128]      # work-items of a work-group; a power of two

[[launch]]
kernel = "begin_lowest"
local  = [1]
global = [1]

[[launch]]
kernel = "max_tree"
local  = ["GROUP"]
global = ["round_up(N, GROUP)"]
+++*/

// R[0] = the largest of X[0], …, X[N-1]; a tree as in 03_contiguous_tree, with max in place of +
//
//   step 2   0|2  1|3   .    .        a | b is the larger of the two; active work-items are contiguous
//   step 1   all   .    .    .
//
// The neutral element of a maximum is -INFINITY; a finite number would be wrong if all inputs were lower. [init]
// accepts only finite numbers, so a launch of one work-item writes it to R. The work-groups then combine their results
// in R with atomic_cmpxchg; the loop ends early if a larger number is already stored.

#ifndef GROUP
#define GROUP 256  // work-items of a work-group; a power of two
#endif

void raise_atomically(volatile __global float* to, const float value) {
    volatile __global unsigned int* bits = (volatile __global unsigned int*)to;
    unsigned int seen = *bits;
    while (as_float(seen) < value) {
        const unsigned int before = seen;
        seen = atomic_cmpxchg(bits, before, as_uint(value));
        if (seen == before) return;
    }
}

__kernel void begin_lowest(__global float* R) {
    R[0] = -INFINITY;
}

__kernel void max_tree(__global const float* X, volatile __global float* R, const int N) {
    __local float part[GROUP];

    const int i = get_global_id(0);
    const int lane = get_local_id(0);
    part[lane] = i < N ? X[i] : -INFINITY;
    barrier(CLK_LOCAL_MEM_FENCE);  // all parts are stored

    for (int step = GROUP / 2; step > 0; step /= 2) {
        if (lane < step) part[lane] = fmax(part[lane], part[lane + step]);
        barrier(CLK_LOCAL_MEM_FENCE);  // this step's results are stored before the next step reads them
    }
    if (lane == 0) raise_atomically(R, part[0]);
}
// SPDX-License-Identifier: Apache-2.0
