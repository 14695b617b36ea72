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
// Each sub-group copies 32 bytes that begin in the middle of a sector instead of at its begin.
kernel void copy(global const float* X, global float* Y) {
    global const uchar* x = (global const uchar*)X;
    global uchar* y = (global uchar*)Y;
    size_t i = get_global_id(0), n = get_global_size(0), shift = SLOW ? 16 : 0;
    for (int k = 0; k < 4; ++k) {
        size_t at = (i + k * n + shift) % (4 * n);
        y[at] = x[at];
    }
}
// SPDX-License-Identifier: Apache-2.0
