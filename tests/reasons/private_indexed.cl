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
// cause private_memory
// An array is indexed by numbers that the compiler does not know.
kernel void copy(global const float* X, global float* Y) {
    size_t i = get_global_id(0), at = SLOW ? i : 3;
    float number = X[i], ring[64];
    for (int k = 0; k < 64; ++k) ring[k] = k;
    for (int k = 0; k < 8; ++k) ring[(at + k * k) % 64] = number;
    Y[i] = ring[(at + 9) % 64];
}
// SPDX-License-Identifier: Apache-2.0
