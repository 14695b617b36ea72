/*+++
title   = "A loop with a barrier that never ends"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 16 --timeout 4s --no-xray
// verdict timeout
// reason *launch*never ends*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    do {
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (x < N && y < M) C[y * N + x] = sum;
    } while (*(volatile __global float*)C != 12345.678f);
}
// SPDX-License-Identifier: Apache-2.0
