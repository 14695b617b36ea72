/*+++
title   = "Lesson 13: structures"
problem = "transpose"

[launch]
kernel = "take_apart"
local  = [64]
global = ["round_up(M, local.x)"]

[require]
four = "N == 4"   # fields of a structure
+++*/

// A is an array of M structures with four floats each: x, y, z and mass. B is one array per field: all x,
// then all y, all z, and all masses.

__kernel void take_apart(__global const float* A, __global float* B, const int M, const int N) {
    const int i = get_global_id(0);
    if (i >= M) return;
    const float4 body = ____;
    B[0 * M + i] = body.x;
    B[____] = body.y;
    B[2 * M + i] = body.z;
    B[3 * M + i] = body.w;
}
// SPDX-License-Identifier: Apache-2.0
