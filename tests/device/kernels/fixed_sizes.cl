/*+++
title   = "Extents are macros, and a build option is needed"
problem = "matmul"

[build]
options = "-DSTART=0.0f"

[defines]
ROWS    = "M"
COLUMNS = "N"
TERMS   = "K"

[launch]
kernel = "fixed"
local  = [4, 4]
global = ["round_up(N, 4)", "round_up(M, 4)"]
+++*/
__kernel void fixed(__global const float* A, __global const float* B, __global float* C) {
    const int x = get_global_id(0);
    const int y = get_global_id(1);
    if (x >= COLUMNS || y >= ROWS) return;
    float sum = START;
    for (int k = 0; k < TERMS; ++k) sum += A[y * TERMS + k] * B[k * COLUMNS + x];
    C[y * COLUMNS + x] = sum;
}
// SPDX-License-Identifier: Apache-2.0
