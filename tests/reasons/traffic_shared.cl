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
// cause global_traffic
// A work-group reads its numbers 64 times from global memory instead of from local memory.
kernel void copy(global const float* X, global float* Y) {
    local float tile[64];
    size_t i = get_global_id(0), l = get_local_id(0), first = i - l;
#if !SLOW
    tile[l] = X[i];
#endif
    barrier(CLK_LOCAL_MEM_FENCE);
    float found = 0;
    for (size_t k = 0; k < 64; ++k) {
#if SLOW
        float number = X[first + k];
#else
        float number = tile[k];
#endif
        found = k == l ? number : found;
    }
    Y[i] = found;
}
// SPDX-License-Identifier: Apache-2.0
