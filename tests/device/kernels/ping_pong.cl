/*+++
title   = "One launch a term: sums go back and forth between two buffers"
problem = "matmul"

[scratch]
X = "M * N + 1"
Y = "M * N + 1"

[[launch]]
kernel = "clear"
global = ["M * N + 1"]
local  = [1]
args   = {to = "X"}

[[launch]]
kernel = "add_term"
global = ["round_up(M * N + 1, 16)"]
local  = [16]
args   = {from = "X", to = "Y"}
repeat = "K"
swap   = ["X", "Y"]

[[launch]]
kernel = "take"
global = ["M * N"]
local  = [1]
args   = {from = "X"}       # after K swaps: what was written last
+++*/
__kernel void clear(__global float* to) { to[get_global_id(0)] = 0.0f; }

// The last element counts the terms.
__kernel void add_term(__global const float* A, __global const float* B, __global const float* from,
                       __global float* to, const int M, const int N, const int K) {
    const int i = get_global_id(0);
    const int k = (int)from[M * N];
    if (i < M * N) to[i] = from[i] + A[i / N * K + k] * B[k * N + i % N];
    if (i == M * N) to[i] = from[i] + 1.0f;
}

__kernel void take(__global const float* from, __global float* C) {
    C[get_global_id(0)] = from[get_global_id(0)];
}
// SPDX-License-Identifier: Apache-2.0
