/*+++
title   = "Hillis and Steele: one work-group; at each step every element adds one from twice as far away"
problem = "scan"
source  = "W. D. Hillis, G. Steele, Data parallel algorithms, 1986"

[params]
GROUP = [256, 64, 128]      # work-items of the only work-group

[launch]
kernel = "scan_hillis_steele"
local  = ["GROUP"]
global = ["GROUP"]
+++*/

// Y[i] = X[0] + … + X[i], GROUP elements at a time
//
//   distance 1    a   a+b   b+c   c+d   …      each element adds the one before it,
//            2    a   a+b   a…c   a…d   …      the one two before,
//            4    …                            four before: log2(GROUP) steps
//
// N log2(GROUP) additions where N - 1 are enough: the price for having work for every work-item at every step. Two
// arrays alternate, so that no work-item reads what another one is writing. The sum of the blocks so far is carried on.

#ifndef GROUP
#define GROUP 256  // work-items of the only work-group
#endif

__kernel void scan_hillis_steele(__global const float* X, __global float* Y, const int N) {
    __local float sums[2][GROUP];

    const int lane = get_local_id(0);
    float carry = 0.0f;
    for (size_t first = 0; first < (size_t)N; first += GROUP) {
        const size_t i = first + lane;
        int now = 0;
        sums[now][lane] = i < (size_t)N ? X[i] : 0.0f;
        barrier(CLK_LOCAL_MEM_FENCE);  // all numbers are stored
        for (int distance = 1; distance < GROUP; distance *= 2) {
            sums[1 - now][lane] =
                sums[now][lane] + (lane >= distance ? sums[now][lane - distance] : 0.0f);
            now = 1 - now;
            barrier(CLK_LOCAL_MEM_FENCE);  // this step's sums are stored before the next step reads them
        }
        if (i < (size_t)N) Y[i] = carry + sums[now][lane];
        carry += sums[now][GROUP - 1];
        barrier(CLK_LOCAL_MEM_FENCE);  // all have the carry before the next block overwrites it
    }
}
// SPDX-License-Identifier: Apache-2.0
