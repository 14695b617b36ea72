/*+++
problem = "copy"
[params]
SLOW = [0, 1]
[require]
whole = "N % 1024 == 0"
[launch]
kernel = "copy"
global = ["64", "N / 64"]
local = [32, 2]
+++*/
// cause coalescing
// Neighbouring work-items access a column instead of a row.
kernel void copy(global const float* X, global float* Y) {
    size_t x = get_global_id(0), y = get_global_id(1), width = 64, height = get_global_size(1);
    size_t at = SLOW ? x * height + y : y * width + x;
    Y[at] = X[at];
}
// SPDX-License-Identifier: Apache-2.0
