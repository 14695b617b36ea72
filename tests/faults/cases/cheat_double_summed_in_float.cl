/*+++
title   = "Sums doubles in a float"
problem = "matmul"
type    = "double"

[launch]
kernel = "multiply"
global = ["N", "M"]
+++*/
// kwb check --size 31
// verdict wrong
// reason 961 of 961 elements of C are wrong with random inputs; the first is C[0][0]: expected *, got *
// exit 1

__kernel void multiply(__global const double* A, __global const double* B, __global double* C, int M, int N, int K) {
    int column = get_global_id(0), row = get_global_id(1);
    float sum = 0;
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
}
// SPDX-License-Identifier: Apache-2.0
