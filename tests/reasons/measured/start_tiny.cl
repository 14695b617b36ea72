/*+++
problem = "copy"
[params]
SLOW = [0, 1]
[require]
whole = "N % 1024 == 0"
[launch]
kernel = "copy"
global = ["N"]
local = ["64 - 63 * SLOW"]
+++*/
// cause start_up
// size 1048576
// A work-group has one work-item instead of 64.
kernel void copy(global const float* X, global float* Y) {
    size_t i = get_global_id(0);
    Y[i] = X[i];
}
// SPDX-License-Identifier: Apache-2.0
