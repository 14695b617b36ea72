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
// cause divergence
// Every other work-item of a sub-group takes the other branch.
kernel void copy(global const float* X, global float* Y) {
    size_t i = get_global_id(0), l = get_local_id(0);
    float number = X[i], last = 0;
    if ((SLOW ? l : l / 32) % 2 == 0)
        for (int k = 0; k < 32; ++k) last = number;
    else
        for (int k = 0; k < 32; ++k) last = -number;
    Y[i] = last == number ? last : -last;
}
// SPDX-License-Identifier: Apache-2.0
