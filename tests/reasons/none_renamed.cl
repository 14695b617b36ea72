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
// cause none
// The same kernel, with other names and another order of independent lines.
kernel void copy(global const float* X, global float* Y) {
#if SLOW
    size_t element = get_global_id(0);
    float zero = 0;
    float value = X[element] + zero;
    Y[element] = value;
#else
    float zero = 0;
    size_t i = get_global_id(0);
    float number = zero + X[i];
    Y[i] = number;
#endif
}
// SPDX-License-Identifier: Apache-2.0
