/*+++
title   = "More local memory than the device has"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 17x19x23
// verdict constraint
// reason *local memory*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    __local float tile[1048576];
    tile[(x * 31 + y) % 1048576] = A[x % K];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (int k = 0; x < N && y < M && k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    sum += tile[(y * 17 + x) % 1048576] > 1e30f ? 1.0f : 0.0f;
    if (x < N && y < M) C[y * N + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
