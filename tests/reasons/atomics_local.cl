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
// cause atomicity
// Each work-item adds sixteen times instead of once.
kernel void copy(global const float* X, global float* Y) {
    local int count;
    size_t i = get_global_id(0);
    if (get_local_id(0) == 0) count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    int times = SLOW ? 16 : 1;
    for (int k = 0; k < 16; ++k) {
        if (k < times) atomic_add(&count, SLOW ? 1 : 16);
    }
    Y[i] = X[i];
}
// SPDX-License-Identifier: Apache-2.0
