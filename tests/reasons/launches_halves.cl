/*+++
problem = "copy"
[params]
SLOW = [0, 1]
[require]
whole = "N % 1024 == 0"
[launch]
kernel = "copy"
global = ["N // (1 + SLOW)"]
local = [32]
repeat = {half = "1 + SLOW"}
args = {first = "half * (N // 2)"}
+++*/
// cause launches
// Each half of the numbers has a launch of its own.
kernel void copy(global const float* X, global float* Y, int first) {
    size_t i = first + get_global_id(0);
    Y[i] = X[i];
}
// SPDX-License-Identifier: Apache-2.0
