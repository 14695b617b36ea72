/*+++
problem = "matmul"
[launch]
kernel = "product"
local  = [16, 16]
global = ["round_up(N, 16)", "round_up(M, 16)"]
+++*/
// The sum begins with whatever the register held.
// $ last sum
// $ origins
// $ break 17
// $ reverse-continue
// repair float sum = 0;
kernel void product(global const float* A, global const float* B, global float* C, int M, int N, int K) {
    int col = get_global_id(0), row = get_global_id(1);
    if (row >= M || col >= N) return;
    float sum;  // cause
    for (int k = 0; k < K; ++k) sum += A[row * K + k] * B[k * N + col];
    C[row * N + col] = sum;
}
// SPDX-License-Identifier: Apache-2.0
