/*+++
problem = "copy"
[params]
SLOW = [0, 1]
[require]
whole = "N % 1024 == 0"
[launch]
kernel = "copy"
global = ["N"]
local = ["64 - 56 * SLOW"]
+++*/
// cause group_size
// Work-groups of 8 work-items leave most lanes of a sub-group empty.
kernel void copy(global const float* X, global float* Y) {
    size_t i = get_global_id(0);
    Y[i] = X[i];
}
// SPDX-License-Identifier: Apache-2.0
