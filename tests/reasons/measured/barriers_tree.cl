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
// Neighbours that work together anyway wait after each step.
kernel void copy(global const float* X, global float* Y) {
    local float tile[64];
    size_t i = get_global_id(0), l = get_local_id(0);
    tile[l] = X[i];
    for (int k = 0; k < 8; ++k) {
#if SLOW
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        tile[l] = tile[l] * 2;
#if SLOW
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        tile[l] = tile[l] * 0.5f;
    }
    Y[i] = tile[l];
}
// SPDX-License-Identifier: Apache-2.0
