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
// cause work
// The same is computed 64 times instead of 8 times.
kernel void copy(global const float* X, global float* Y) {
    size_t i = get_global_id(0);
    int times = SLOW ? 64 : 8;
    float number = X[i], last = 0;
    for (int k = 0; k < times; ++k) last = number;
    Y[i] = last;
}
// SPDX-License-Identifier: Apache-2.0
