/*+++
title   = "Keeps half of each integer"
problem = "matmul"
type    = "int"

[launch]
kernel = "multiply"
global = ["N", "M"]
+++*/
// kwb check --size 128
// verdict wrong
// reason *elements of C are wrong with integer inputs; the first is C[*
// exit 1

__kernel void multiply(__global const int* A, __global const int* B, __global int* C, int M, int N, int K) {
    int column = get_global_id(0), row = get_global_id(1);
    int sum = 0;
    for (int k = 0; k < K; ++k) sum += (short)A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
}
// SPDX-License-Identifier: Apache-2.0
