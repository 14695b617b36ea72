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
// cause contention
// The work-items of a sub-group count in the same bin instead of in 32 bins.
kernel void copy(global const float* X, global float* Y) {
    local int bins[32];
    size_t i = get_global_id(0), l = get_local_id(0);
    if (l < 32) bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 8; ++k) atomic_inc(&bins[SLOW ? l / 32 : l % 32]);
    Y[i] = X[i];
}
// SPDX-License-Identifier: Apache-2.0
