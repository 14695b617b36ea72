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
// cause cache_misses X
// size 16777216
// A second number is loaded from a far place of a buffer that no cache holds, instead of from nearby.
kernel void copy(global const float* X, global float* Y) {
    size_t i = get_global_id(0), n = get_global_size(0);
    size_t other = SLOW ? i * 1048583 % n : i;
    Y[i] = X[i] + 0 * X[other];
}
// SPDX-License-Identifier: Apache-2.0
