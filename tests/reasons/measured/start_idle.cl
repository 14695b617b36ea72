/*+++
problem = "copy"
[params]
SLOW = [0, 1]
[require]
whole = "N % 1024 == 0"
[[launch]]
kernel = "idle"
when = "SLOW == 1"
global = ["4 * N"]
local = [16]
[[launch]]
kernel = "copy"
global = ["N"]
local = [64]
+++*/
// cause start_up
// size 1048576
// Work-groups are started that have nothing to do.
kernel void idle(global float* Y) {}

kernel void copy(global const float* X, global float* Y) {
    size_t i = get_global_id(0);
    Y[i] = X[i];
}
// SPDX-License-Identifier: Apache-2.0
