/*+++
title   = "Forgets the last component of each vector"
problem = "vector_add"
type    = "uint4"

[launch]
kernel = "add"
global = ["N"]
+++*/
// kwb check --size 100
// verdict wrong
// reason 100 of 400 elements of C are wrong with integer inputs; the first is C[0][3]: expected *, got *
// exit 1

__kernel void add(__global const uint4* A, __global const uint4* B, __global uint4* C) {
    int i = get_global_id(0);
    C[i] = (uint4)(A[i].xyz + B[i].xyz, A[i].w);
}
// SPDX-License-Identifier: Apache-2.0
