/*+++
title   = "The largest by a tree, and an atomic on the bits of a float"
problem = "max"

[params]
GROUP = [256, 64, 128]      # work-items of a work-group; a power of two

[launch]
kernel = "max_tree"
local  = ["GROUP"]
global = ["round_up(N, GROUP)"]

[init]
R = -3.4028234663852886e38     # the smallest float: any number is larger
+++*/

// R[0] = the largest of X[0], …, X[N-1]; a tree as in 03_contiguous_tree, with max in place of +
//
//   step 2   0|2  1|3   .    .        a | b is the larger of the two; those that work stay side by side
//   step 1   all   .    .    .
//
// The work-groups' results meet in R. Where atomic_cmpxchg is all there is, the loop may end at once when
// somebody has stored a larger number already.

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

__kernel void max_tree(__global const float* X, volatile __global float* R, const int N) {
    __local float part[GROUP];

    const int i = get_global_id(0);
    const int lane = get_local_id(0);
    part[lane] = X[min(i, N - 1)];  // those beyond the end repeat the last one: it changes nothing
    barrier(CLK_LOCAL_MEM_FENCE);   // all parts are there

    for (int step = GROUP / 2; step > 0; step /= 2) {
        if (lane < step) part[lane] = fmax(part[lane], part[lane + step]);
        barrier(CLK_LOCAL_MEM_FENCE);  // results of this step are there before the next one reads them
    }
    if (lane == 0) raise_atomically(R, part[0]);
}
