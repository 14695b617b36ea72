/*+++
title   = "Reads local memory that nobody stored to"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 17x19x23
// verdict wrong
// reason *elements of C are wrong*
// warning *line 23:12*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    __local float row[8];
    float sum = 0.0f;
    for (int k = 0; y < M && x < N && k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    sum += row[get_local_id(0)] + 1.0f;
    if (x < N && y < M) C[y * N + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
