/*+++
problem = "copy"
[params]
SLOW = [0, 1]
[require]
whole = "N % 1024 == 0"
[launch]
kernel = "copy"
global = ["N // 4"]
local = [64]
+++*/
// cause width
// Four accesses of one number instead of one access of four.
kernel void copy(global const float* X, global float* Y) {
    size_t i = get_global_id(0), n = get_global_size(0);
#if SLOW
    Y[i] = X[i];
    Y[i + n] = X[i + n];
    Y[i + 2 * n] = X[i + 2 * n];
    Y[i + 3 * n] = X[i + 3 * n];
#else
    vstore4(vload4(i, X), i, Y);
#endif
}
// SPDX-License-Identifier: Apache-2.0
