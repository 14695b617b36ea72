/*+++
title   = "One dimension divided into rows and columns, with a barrier in the guard"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [64]
global = ["round_up(M * N, 64)"]
+++*/
// kwb check --size 17x19x23
// verdict out_of_bounds
// reason *past the end*
// warning *line 26:9*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0) % N;
    const int y = get_global_id(0) / N;
    __local float sums[64];
    const int lid = get_local_id(0);
    if (y < M) {
        float sum = 0.0f;
        for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
        sums[lid] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);  // the last group has work-items beyond the last row
        C[y * N + x] = sums[lid];
    }
}
// SPDX-License-Identifier: Apache-2.0
