/*+++
title   = "Accumulates over slices of K into a C that starts at zero"
problem = "matmul"

[init]
C = 0

[[launch]]
kernel = "add_slice"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
args   = {from = "0", to = "K // 3"}

[[launch]]
kernel = "add_slice"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
args   = {from = "K // 3", to = "K"}
+++*/
__kernel void add_slice(__global const float* A, __global const float* B, __global float* C, const int M,
                        const int N, const int K, const int from, const int to) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= N || y >= M) return;
    float sum = C[y * N + x];
    for (int k = from; k < to; ++k) sum += A[y * K + k] * B[k * N + x];
    C[y * N + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
