/*+++
title   = "Sums integers in a float"
problem = "sum"
type    = "int"

[launch]
kernel = "add"
global = [1]
+++*/
// kwb check --size 100003
// verdict wrong
// reason 1 of 1 element of R is wrong with integer inputs; the first is R[0]: expected *, got *
// exit 1

__kernel void add(__global const int* X, __global int* R, int N) {
    float sum = 0;
    for (int i = 0; i < N; ++i) sum += X[i];
    R[0] = sum;
}
// SPDX-License-Identifier: Apache-2.0
