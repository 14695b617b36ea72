/*+++
title   = "Does nothing, and is to be timed"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb run --size 17x19x23 --rounds 3
// verdict wrong
// reason *were never written*
// exit 1

__kernel void multiply(__global const float* A, __global const float* B, __global float* C,
                       const int M, const int N, const int K) {
}
// SPDX-License-Identifier: Apache-2.0
