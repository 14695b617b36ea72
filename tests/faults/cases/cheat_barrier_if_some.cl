/*+++
title   = "A barrier for the first work-items alone"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [64]
global = ["round_up(M * N, 64)"]
+++*/
// kwb check --size 17x19x23
// verdict undefined
// reason *line 24:9*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int i = get_global_id(0);
    const int x = i % N;
    const int y = i / N;
    float sum = 0.0f;
    for (int k = 0; y < M && k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    if (i < 8) {
        sum *= 2.0f;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum *= 0.5f;
    }
    if (y < M) C[y * N + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
