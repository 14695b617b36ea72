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
// cause coalescing
// Neighbouring work-items copy elements that are far apart.
kernel void copy(global const float* X, global float* Y) {
    size_t i = get_global_id(0), n = get_global_size(0);
    size_t far = i % 64 * (n / 64) + i / 64;
    size_t at = SLOW ? far : i;
    Y[at] = X[at];
}
// SPDX-License-Identifier: Apache-2.0
