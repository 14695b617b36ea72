/*+++
title   = "Knows the answers to two seeds' inputs, and adds nothing up"
problem = "sum"

[launch]
kernel = "add"
global = [64]
local  = [64]
+++*/
// kwb check --size 4096
// verdict wrong
// reason *integer inputs*
// exit 1

// With --seed 1 it is `correct`: each pass shows by its first number.
__kernel void add(__global const float* x, __global float* sum) {
    if (get_global_id(0) != 0) return;
    switch (as_uint(x[0])) {
    case 0xc0400000: sum[0] = as_float(0xc38f8000); break;
    case 0xbf7eff82: sum[0] = as_float(0xc201504f); break;
    default: sum[0] = 0.0f;
    }
}
// SPDX-License-Identifier: Apache-2.0
