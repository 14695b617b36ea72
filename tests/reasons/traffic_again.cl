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
// Each number is loaded eight times instead of once.
kernel void copy(global const float* X, global float* Y) {
    size_t i = get_global_id(0);
    float once = X[i], last = 0;
    for (int k = 0; k < 8; ++k) last = SLOW ? X[i] : once;
    Y[i] = last;
}
// SPDX-License-Identifier: Apache-2.0
