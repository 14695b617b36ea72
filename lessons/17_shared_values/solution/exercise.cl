/*+++
title   = "Lesson 17: values of others"
problem = "scan"

[launch]
kernel = "scan"
local  = [256]
global = [256]
+++*/

#define GROUP 256

// Y[i] = X[0] + … + X[i], by one work-group, 256 elements at a time.

__kernel void scan(__global const float* X, __global float* Y, const int N) {
    __local float sums[2][GROUP];
    const int lane = get_local_id(0);
    float carry = 0;  // the sum of all blocks before this one

    for (int first = 0; first < N; first += GROUP) {
        const int i = first + lane;
        int now = 0;
        sums[now][lane] = i < N ? X[i] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);

        for (int distance = 1; distance < GROUP; distance *= 2) {
            sums[1 - now][lane] = sums[now][lane] + (lane >= distance ? sums[now][lane - distance] : 0);
            now = 1 - now;
            barrier(CLK_LOCAL_MEM_FENCE);  // all have stored the sums of this step
        }
        if (i < N) Y[i] = carry + sums[now][lane];
        carry += sums[now][GROUP - 1];
        barrier(CLK_LOCAL_MEM_FENCE);  // all have read the carry before the next block is stored
    }
}
// SPDX-License-Identifier: Apache-2.0
