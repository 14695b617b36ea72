/*+++
problem = "copy"
[params]
SLOW = [0, 1]
[require]
whole = "N % 1024 == 0"
[launch]
kernel = "copy"
global = [64, "2 + 6 * (1 - SLOW)"]
local = [64, 1]
+++*/
// cause work_groups
// Two work-groups share the rows that eight could share.
kernel void copy(global const float* X, global float* Y, int N) {
    for (size_t row = get_global_id(1); row < N / 64; row += get_global_size(1)) {
        size_t i = row * 64 + get_global_id(0);
        Y[i] = X[i];
    }
}
// SPDX-License-Identifier: Apache-2.0
