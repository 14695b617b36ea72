/*+++
title   = "Copies doubles by way of floats"
problem = "copy"
type    = "double"

[launch]
kernel = "copy_all"
global = ["N"]
+++*/
// kwb check --size 100
// verdict wrong
// reason * of 100 elements of Y are wrong with integer inputs; the first is Y[*]: expected *, got *
// exit 1

__kernel void copy_all(__global const double* X, __global double* Y) {
    int i = get_global_id(0);
    Y[i] = (float)X[i];
}
// SPDX-License-Identifier: Apache-2.0
