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
// The loops of neighbouring work-items are of different lengths.
kernel void copy(global const float* X, global float* Y) {
    size_t i = get_global_id(0), l = get_local_id(0);
    size_t length = SLOW ? l % 32 * 2 + 1 : 32;
    float number = X[i], last = 0;
    for (size_t k = 0; k < length; ++k) last = number;
    Y[i] = last;
}
// SPDX-License-Identifier: Apache-2.0
