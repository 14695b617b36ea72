/*+++
problem = "copy"
[params]
SLOW = [0, 1]
[require]
whole = "N % 1024 == 0"
[launch]
kernel = "copy"
global = [64, "N // 64"]
local = [8, "8 - 7 * SLOW"]
+++*/
// cause group_size
// A work-group is one row of 8 work-items instead of 8 rows.
kernel void copy(global const float* X, global float* Y) {
    size_t i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    Y[i] = X[i];
}
// SPDX-License-Identifier: Apache-2.0
