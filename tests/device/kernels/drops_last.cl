/*+++
title   = "Forgets the last term: wrong wherever there are two"
problem = "matmul"

[launch]
kernel = "drops_last"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]

[[expect]]
verdict = "wrong"
when    = "K > 1"
why     = "a loop that ends one too early"
+++*/
__kernel void drops_last(__global const float* A, __global const float* B, __global float* C, const int M,
                         const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = 0.0f;
    for (int k = 0; k < max(1, K - 1); ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
