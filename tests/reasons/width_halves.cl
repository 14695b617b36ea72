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
// cause width
// Each number is copied in two halves.
kernel void copy(global const float* X, global float* Y) {
    size_t i = get_global_id(0), l = get_local_id(0), first = 2 * (i - l);
#if SLOW
    global const ushort* x = (global const ushort*)X + first;
    global ushort* y = (global ushort*)Y + first;
    y[l] = x[l];
    y[l + 64] = x[l + 64];
#else
    Y[i] = X[i];
#endif
}
// SPDX-License-Identifier: Apache-2.0
