/*+++
title   = "Multiplies inputs that are cut to half precision"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 16x16x8192
// verdict wrong
// reason *of C are wrong with random inputs*
// exit 1

float half_of(float x) {
    return as_float((as_uint(x) + 0x1000u) & 0xffffe000u);
}

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += half_of(A[y * K + k]) * half_of(B[k * N + x]);
    C[y * N + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
