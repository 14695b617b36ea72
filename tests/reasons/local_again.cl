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
// Each number is loaded sixteen times from local memory instead of once.
kernel void copy(global const float* X, global float* Y) {
    local float tile[64];
    size_t i = get_global_id(0), l = get_local_id(0);
    tile[l] = X[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float once = tile[63 - l], last = 0;
    for (int k = 0; k < 16; ++k) last = SLOW ? tile[l] : once;
    Y[i] = SLOW ? last : tile[l];
}
// SPDX-License-Identifier: Apache-2.0
