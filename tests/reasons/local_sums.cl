/*+++
problem = "copy"
[params]
SLOW = [0, 1]
[require]
whole = "N % 1024 == 0"
[launch]
kernel = "copy"
global = ["N"]
local = [64]
+++*/
// cause local_traffic
// The work-items of a group add up the same numbers in local memory, not a fourth of them each.
kernel void copy(global const float* X, global float* Y) {
    local float tile[64];
    size_t i = get_global_id(0), l = get_local_id(0);
    tile[l] = X[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0, zero = 0;
    for (int k = 0; k < 64; ++k) {
        if (k % 4 == 3) zero = 0 * tile[k];
#if SLOW
        zero = 0 * tile[(k + 1) % 64];
#endif
        sum += zero;
    }
    Y[i] = tile[l] + sum;
}
// SPDX-License-Identifier: Apache-2.0
