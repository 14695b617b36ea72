/*+++
problem = "copy"
[params]
SLOW = [0, 1]
[require]
whole = "N % 1024 == 0"
[[launch]]
kernel = "idle"
repeat = "16 * SLOW"
global = [32]
local = [32]
[[launch]]
kernel = "copy"
global = ["N"]
local = [32]
+++*/
// cause launches
// Sixteen launches do nothing before the copy.
kernel void idle(global float* Y) {}

kernel void copy(global const float* X, global float* Y) {
    size_t i = get_global_id(0);
    Y[i] = X[i];
}
// SPDX-License-Identifier: Apache-2.0
