/*+++
title   = "Blelloch, padded: the same tree, with one unused element after every 32, so that no bank serves two work-items"
problem = "scan"
source  = "M. Harris, S. Sengupta, J. Owens, Parallel prefix sum (scan) with CUDA, GPU Gems 3, chapter 39, 2007"

[params]
GROUP = [256, 64, 128]      # elements of a block, and work-items of the only work-group; a power of two

[launch]
kernel = "scan_blelloch_padded"
local  = ["GROUP"]
global = ["GROUP"]
+++*/

// Y[i] = X[0] + … + X[i], GROUP elements at a time; as 02_blelloch, except where the tree is in local memory
//
// Local memory has 32 banks of 4 bytes on most GPUs: element i is in bank i % 32, which serves one element per cycle.
// At step s, neighbouring work-items of 02_blelloch use elements 2 s apart, so they share banks:
//
//   element     7   15   23   31   39   47   55   63    step 4
//   bank        7   15   23   31    7   15   23   31    02_blelloch: 4 banks serve 32 work-items, 8 cycles
//   here        7   15   23   31    8   16   24    0    element i is stored at i + i / 32: 32 banks, 1 cycle
//
// With one unused element after every 32, the bank shifts by one where it would repeat. The price: GROUP / 32 more
// elements of local memory and a shift and an addition for each access. A CPU has no banks. Predict what it sees.

#ifndef GROUP
#define GROUP 256  // elements of a block, and work-items of the only work-group; a power of two
#endif

#define BANKS 32
#define at(i) ((i) + (i) / BANKS)  // where element i of the tree is

__kernel void scan_blelloch_padded(__global const float* X, __global float* Y, const int N) {
    __local float tree[at(GROUP)];
    __local float total;

    const int lane = get_local_id(0);
    float carry = 0.0f;
    for (size_t first = 0; first < (size_t)N; first += GROUP) {
        const size_t i = first + lane;
        const float own = i < (size_t)N ? X[i] : 0.0f;
        tree[at(lane)] = own;
        barrier(CLK_LOCAL_MEM_FENCE);  // all numbers are stored

        for (int step = 1; step < GROUP; step *= 2) {
            const int right = (lane + 1) * 2 * step - 1;
            if (right < GROUP) tree[at(right)] += tree[at(right - step)];
            barrier(CLK_LOCAL_MEM_FENCE);  // this level's sums are stored
        }
        if (lane == 0) {
            total = tree[at(GROUP - 1)];
            tree[at(GROUP - 1)] = 0.0f;
        }
        barrier(CLK_LOCAL_MEM_FENCE);  // the root is cleared
        for (int step = GROUP / 2; step > 0; step /= 2) {
            const int right = (lane + 1) * 2 * step - 1;
            if (right < GROUP) {
                const float left_sum = tree[at(right - step)];
                tree[at(right - step)] = tree[at(right)];
                tree[at(right)] += left_sum;
            }
            barrier(CLK_LOCAL_MEM_FENCE);  // this level's sums are stored
        }
        if (i < (size_t)N) Y[i] = carry + tree[at(lane)] + own;
        carry += total;
        barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have read the tree and the total
    }
}
// SPDX-License-Identifier: Apache-2.0
