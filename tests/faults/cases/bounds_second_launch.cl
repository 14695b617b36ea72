/*+++
title   = "The second of two launches reads past the end of what the first made"
problem = "matmul"

[scratch]
T = "N * K"

[[launch]]
kernel = "transpose"
local  = [8, 4]
global = ["round_up(N, 8)", "round_up(K, 4)"]
args   = {src = "B", dst = "T", rows = "K", columns = "N"}

[[launch]]
kernel = "multiply"
local  = [4, 8]
global = ["round_up(N, 4)", "round_up(M, 8)"]
+++*/
// kwb check --size 17x19x23 --no-xray
// verdict out_of_bounds
// reason *read*element 437 of T*
// exit 1

__kernel void transpose(__global const float* src, __global float* dst, const int rows, const int columns) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x < columns && y < rows) dst[x * rows + y] = src[y * columns + x];
}

__kernel void multiply(__global const float* A, __global const float* T, __global float* C, const int M,
                       const int N, const int K) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x > N || y >= M) return;  // one column too many
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum += A[y * K + k] * T[x * K + k];
    if (x < N) C[y * N + x] = sum;
    else if (sum == 12345.0f) C[0] = sum;
}
// SPDX-License-Identifier: Apache-2.0
