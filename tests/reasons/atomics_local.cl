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
// cause local_atomicity
// Each work-item adds sixteen times more.
kernel void copy(global const float* X, global float* Y) {
    local int count;
    size_t i = get_global_id(0);
    if (get_local_id(0) == 0) count = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&count, 1);
    for (int k = 0; k < 16; ++k) {
#if SLOW
        atomic_add(&count, 1);
#endif
    }
    Y[i] = X[i];
}
// SPDX-License-Identifier: Apache-2.0
