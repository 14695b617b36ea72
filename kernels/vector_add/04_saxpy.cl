/*+++
title   = "saxpy: one more multiplication, and in place"
problem = "saxpy"

[launch]
kernel = "saxpy"
local  = [64]
global = ["round_up(ceil_div(N, 16), local.x)"]

[init]
Y = "input"     # every run starts with the same Y
+++*/

// Y[i] = alpha · X[i] + Y[i]
//
//   X   ================
//   Y   ================   · alpha, +        ==== is a vector of sixteen
//   Y   ================   stored in place
//
// Twice the arithmetic of an addition, and the same twelve bytes per element: two numbers are read, one is written
// where it was read. The time shows whether arithmetic or bytes count.

__kernel void saxpy(__global const float* X, __global float* Y, const float alpha, const int N) {
    const size_t first = (size_t)get_global_id(0) * 16;
    if (first + 16 <= (size_t)N) {
        vstore16(fma((float16)(alpha), vload16(0, X + first), vload16(0, Y + first)), 0, Y + first);
    } else {
        for (size_t i = first; i < (size_t)N; ++i) Y[i] = fma(alpha, X[i], Y[i]);
    }
}
// SPDX-License-Identifier: Apache-2.0
