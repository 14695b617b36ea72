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
    size_t i = get_global_id(0);
    float number = X[i];
    for (int k = 0; k < 16; ++k) {
        number = number * 2;
#if SLOW
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        number = number * 0.5f;
    }
    Y[i] = number;
}
// SPDX-License-Identifier: Apache-2.0
