/*+++
title   = "256 KB of private memory a work-item, alive across a barrier"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 17x19x23 --no-xray
// verdict kernel_crashed
// reason *crashed*private*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    float own[65536];
    for (int i = 0; i < 65536; ++i) own[i] = A[(i * 3) % K];
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (int k = 0; y < M && x < N && k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    sum += own[(x * 977) & 65535] > 1e30f ? 1.0f : 0.0f;
    if (x < N && y < M) C[y * N + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
