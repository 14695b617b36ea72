/*+++
problem = "copy"
[params]
SLOW = [0, 1]
[require]
whole = "N % 1024 == 0"
[launch]
kernel = "copy"
global = ["N // 16"]
local = [64]
+++*/
// cause cache_misses X
// size 16777216
// Loads jump around in the whole buffer instead of in 16 KiB of it.
kernel void copy(global const float* X, global float* Y, int N) {
    size_t i = get_global_id(0), n = get_global_size(0);
    uint window = SLOW ? N : 4096;
    for (int k = 0; k < 16; ++k) {
        size_t at = i + k * n;
        Y[at] = X[at] + 0 * X[(uint)(i * 97 + k * 1000003) % window];
    }
}
// SPDX-License-Identifier: Apache-2.0
