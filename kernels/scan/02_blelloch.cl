/*+++
title   = "Blelloch: up a tree of sums and down again, with about half the additions"
problem = "scan"
source  = "G. Blelloch, Prefix sums and their applications, 1990"

[params]
GROUP = [256, 64, 128]      # elements of a block, and work-items of the only work-group; a power of two

[launch]
kernel = "scan_blelloch"
local  = ["GROUP"]
global = ["GROUP"]
+++*/

// Y[i] = X[0] + … + X[i], GROUP elements at a time
//
//   up      a   b   c   d           down    .    .    .    0
//           a  a+b  c  c+d                  .    0    .   a+b
//           a  a+b  c  a…d                  0    a   a+b  a…c      the sums *before* each element;
//                                                                  with the element itself: inclusive
// About 2 GROUP additions in the tree instead of GROUP log2(GROUP), and two more per element at the end. But there are
// twice as many steps, and most of them keep few work-items busy. And the elements of a step are 2, 4, 8 … apart, so on
// a GPU several are in one bank of local memory: 03_blelloch_padded. Predict which scan wins on this device.

#ifndef GROUP
#define GROUP 256  // elements of a block, and work-items of the only work-group; a power of two
#endif

__kernel void scan_blelloch(__global const float* X, __global float* Y, const int N) {
    __local float tree[GROUP];
    __local float total;

    const int lane = get_local_id(0);
    float carry = 0.0f;
    for (size_t first = 0; first < (size_t)N; first += GROUP) {
        const size_t i = first + lane;
        const float own = i < (size_t)N ? X[i] : 0.0f;
        tree[lane] = own;
        barrier(CLK_LOCAL_MEM_FENCE);  // all numbers are stored

        for (int step = 1; step < GROUP; step *= 2) {
            const int right = (lane + 1) * 2 * step - 1;
            if (right < GROUP) tree[right] += tree[right - step];
            barrier(CLK_LOCAL_MEM_FENCE);  // this level's sums are stored
        }
        if (lane == 0) {
            total = tree[GROUP - 1];
            tree[GROUP - 1] = 0.0f;
        }
        barrier(CLK_LOCAL_MEM_FENCE);  // the root is cleared
        for (int step = GROUP / 2; step > 0; step /= 2) {
            const int right = (lane + 1) * 2 * step - 1;
            if (right < GROUP) {
                const float left_sum = tree[right - step];
                tree[right - step] = tree[right];
                tree[right] += left_sum;
            }
            barrier(CLK_LOCAL_MEM_FENCE);  // this level's sums are stored
        }
        if (i < (size_t)N) Y[i] = carry + tree[lane] + own;
        carry += total;
        barrier(CLK_LOCAL_MEM_FENCE);  // all work-items have read the tree and the total
    }
}
// SPDX-License-Identifier: Apache-2.0
