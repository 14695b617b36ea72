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
// An array is indexed by a number that the compiler does not know.
kernel void copy(global const float* X, global float* Y) {
    size_t i = get_global_id(0);
    float number = X[i], parts[16];
    for (int k = 0; k < 16; ++k) parts[k] = number * (1 << k);
    size_t chosen = SLOW ? i % 16 : 3;
    Y[i] = parts[chosen] / (1 << chosen);
}
// SPDX-License-Identifier: Apache-2.0
