/*+++
title   = "Private copies: for CPU devices, each work-item has its own bins and needs no atomics"
problem = "histogram"

[params]
BLOCK = [65536, 16384, 262144]     # numbers that a work-item counts

[scratch]
counts = {type = "uint", elements = "ceil_div(N, BLOCK) * BINS"}

[[launch]]
kernel = "count_blocks"
local  = [1]
global = ["ceil_div(N, BLOCK)"]

[[launch]]
kernel = "add_copies"
local  = [1]
global = ["ceil_div(BINS, 16)"]
args   = {copies = "ceil_div(N, BLOCK)"}
+++*/

// counts[c][b] = how many of block c are b, then H[b] = counts[0][b] + counts[1][b] + …
//
//   block 0   four copies of [0] [1] [2] …  \
//   block 1   four copies of [0] [1] [2] …  -→  H, in a second launch
//   block 2   …                             /
//
// One work-item counts a whole block, in four copies in turn. Of two equal numbers in a row, the second loads the
// counter that the first has just stored. The CPU forwards the store to the load without waiting for the cache, but
// that takes some cycles each time, so equal numbers form a dependency chain. Four copies make four independent chains.
// On a GPU a work-group would keep a few copies in local memory, and still need local atomics.

#ifndef BLOCK
#define BLOCK 65536  // numbers that a work-item counts
#endif
#define MOST_BINS 256

__kernel void count_blocks(__global const unsigned int* X, __global unsigned int* counts, const int N,
                           const int BINS) {
    unsigned int a[MOST_BINS], b[MOST_BINS], c[MOST_BINS], d[MOST_BINS];
    for (int bin = 0; bin < MOST_BINS; ++bin) a[bin] = b[bin] = c[bin] = d[bin] = 0;

    const size_t first = (size_t)get_global_id(0) * BLOCK;
    const size_t end = min(first + BLOCK, (size_t)N);
    size_t i = first;
    for (; i + 4 <= end; i += 4) {
        ++a[X[i]];
        ++b[X[i + 1]];
        ++c[X[i + 2]];
        ++d[X[i + 3]];
    }
    for (; i < end; ++i) ++a[X[i]];
    for (int bin = 0; bin < BINS; ++bin)
        counts[get_global_id(0) * BINS + bin] = a[bin] + b[bin] + c[bin] + d[bin];
}

__kernel void add_copies(__global const unsigned int* counts, __global unsigned int* H, const int BINS,
                         const int copies) {
    const int first = get_global_id(0) * 16;
    for (int bin = first; bin < min(first + 16, BINS); ++bin) {
        unsigned int sum = 0;
        for (int copy = 0; copy < copies; ++copy) sum += counts[(size_t)copy * BINS + bin];
        H[bin] = sum;
    }
}
// SPDX-License-Identifier: Apache-2.0
