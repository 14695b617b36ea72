/*+++
title   = "A barrier for a few work-items, at sizes that nobody checks"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 17x19x23
// verdict correct
// hint 21 *line 21*X-ray did not see it run*
// exit 0

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    const int lx = get_local_id(0);
    float sum = 0.0f;
    if (K > 1000 && lx < 4) barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; x < N && y < M && k < K; ++k) sum += A[y * K + k] * B[k * N + x];
    if (x < N && y < M) C[y * N + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
