/*+++
title   = "Computes one component, and repeats it"
problem = "vector_add"
type    = "float4"

[launch]
kernel = "add"
global = ["N"]
+++*/
// kwb check --size 100
// verdict wrong
// reason *elements of C are wrong with integer inputs; the first is C[*
// exit 1

__kernel void add(__global const float4* A, __global const float4* B, __global float4* C) {
    int i = get_global_id(0);
    C[i] = (float4)(A[i].x + B[i].x);
}
// SPDX-License-Identifier: Apache-2.0
