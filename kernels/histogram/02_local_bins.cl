/*+++
title   = "Local bins: each work-group counts in local memory, and adds its counts to the result once"
problem = "histogram"
source  = "C. Nugteren, G.-J. van den Braak, H. Corporaal, B. Mesman, High performance predictable histogramming on GPUs, 2011"

[params]
GROUP = [256, 64, 128]      # work-items of a work-group
EACH  = [64, 16, 256]       # numbers that a work-item counts

[launch]
kernel = "count_locally"
local  = ["GROUP"]
global = ["round_up(ceil_div(N, EACH), GROUP)"]

[init]
H = 0           # before every run, untimed

[require]
room = "4 * BINS <= device.local_mem_bytes"
+++*/

// bins[X[i]] += 1 in local memory, then H[b] += bins[b]
//
//   work-group 0   bins [0] [1] [2] …  \
//   work-group 1   bins [0] [1] [2] …  -→  H [0] [1] [2] …
//   work-group 2   bins [0] [1] [2] …  /
//
// Only the work-items of one group contend for its bins, in memory that is close to them. H sees 256 additions
// per work-group, however many numbers the group has counted.

#ifndef GROUP
#define GROUP 256  // work-items of a work-group
#endif
#ifndef EACH
#define EACH 64  // numbers that a work-item counts; only the launch uses it
#endif
#define MOST_BINS 256

__kernel void count_locally(__global const unsigned int* X, volatile __global unsigned int* H, const int N,
                            const int BINS) {
    __local unsigned int bins[MOST_BINS];

    const int lane = get_local_id(0);
    for (int b = lane; b < MOST_BINS; b += GROUP) bins[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);  // all bins are empty before any work-item counts

    for (size_t i = get_global_id(0); i < (size_t)N; i += get_global_size(0)) atomic_inc(&bins[X[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have counted

    for (int b = lane; b < BINS; b += GROUP)
        if (bins[b] > 0) atomic_add(&H[b], bins[b]);
}
// SPDX-License-Identifier: Apache-2.0
