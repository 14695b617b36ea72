/*+++
title   = "Jumps into a loop with a barrier"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 17x19x23
// verdict compiler_crashed
// reason *compiler*SIGABRT*
// output *suspicious block*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    __local float shared_sum[64];
    float sum = 0.0f;
    int k = 0;
    if (M > 3) goto inside;
    for (k = 0; k < K; ++k) {
        barrier(CLK_LOCAL_MEM_FENCE);
    inside:
        if (x < N && y < M) sum += A[y * K + k] * B[k * N + x];
        shared_sum[get_local_id(1) * 8 + get_local_id(0)] = sum;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (x < N && y < M) C[y * N + x] = sum + 0.0f * shared_sum[0];
}
// SPDX-License-Identifier: Apache-2.0
