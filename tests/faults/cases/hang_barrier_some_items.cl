/*+++
title   = "A barrier that only some work-items reach"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 16 --timeout 4s
// verdict timeout
// reason *launch*exceeded*
// warning *line 29:12*
// warning *line 26:9*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    __local float tile[64];
    const int i = get_local_id(1) * 8 + get_local_id(0);
    float sum = 0.0f;
    if (get_local_id(0) < 4) {
        tile[i] = A[y * K];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    sum += tile[i] > 1e30f ? 1.0f : 0.0f;
    C[y * N + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
