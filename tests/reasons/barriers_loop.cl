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
// cause barriers
// The work-group waits in each iteration instead of once before the loop.
kernel void copy(global const float* X, global float* Y) {
    local float tile[64];
    size_t i = get_global_id(0), l = get_local_id(0);
    tile[l] = X[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float last = 0;
    for (int k = 0; k < 16; ++k) {
#if SLOW
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        last = tile[l];
    }
    Y[i] = last;
}
// SPDX-License-Identifier: Apache-2.0
