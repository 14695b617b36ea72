/*+++
title   = "Writes far outside of its local memory"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 17x19x23 --no-xray
// verdict kernel_crashed
// reason *crashed*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    __local float tile[64];
    tile[get_local_id(1) * 8 + get_local_id(0) + M * 100000000] = 1.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    sum += tile[0] > 1e30f ? 1.0f : 0.0f;
    C[y * N + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
