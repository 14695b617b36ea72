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
// size 1048576
// The work-group waits sixteen times for nothing.
kernel void copy(global const float* X, global float* Y) {
    local float tile[64];
    size_t i = get_global_id(0), l = get_local_id(0);
    tile[l] = X[i];
    for (int k = 0; k < 16; ++k) {
        float number = tile[l];
#if SLOW
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        tile[l] = -number;
    }
    Y[i] = tile[l];
}
// SPDX-License-Identifier: Apache-2.0
