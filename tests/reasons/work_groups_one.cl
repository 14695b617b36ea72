/*+++
problem = "copy"
[params]
SLOW = [0, 1]
[require]
whole = "N % 1024 == 0"
[launch]
kernel = "copy"
global = ["64 + (N // 8 - 64) * (1 - SLOW)"]
local = [64]
+++*/
// cause work_groups
// A single work-group copies all numbers.
kernel void copy(global const float* X, global float* Y, int N) {
    for (size_t i = get_global_id(0); i < N; i += get_global_size(0)) Y[i] = X[i];
}
// SPDX-License-Identifier: Apache-2.0
