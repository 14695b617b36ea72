/*+++
title   = "Two launches: for CPU devices, sums of blocks, then the sum of these; no atomics"
problem = "sum"

[params]
BLOCK = [65536, 16384, 262144]     # numbers that a work-item of the first launch adds

[scratch]
parts = "ceil_div(N, BLOCK)"

[[launch]]
kernel = "sum_blocks"
local  = [1]
global = ["ceil_div(N, BLOCK)"]

[[launch]]
kernel = "sum_parts"
local  = [1]
global = [1]
args   = {count = "ceil_div(N, BLOCK)"}
+++*/

// parts[b] = X[b BLOCK] + … + X[b BLOCK + BLOCK - 1], then R[0] = parts[0] + parts[1] + …
//
//   X      |~~~~~~~~~~~~~~|~~~~~~~~~~~~~~|~~~~~~~~~~ …      each work-item reads one block, front to back
//   parts          o              o             o
//   R                             o                         a second launch: the end of a launch is the only
//                                                           barrier across work-groups
// Four independent vectors of sixteen sums hide the latency of the additions. On a GPU a work-group would sum a block
// as in 04_several_each, and store to `parts` instead of adding atomically.

#ifndef BLOCK
#define BLOCK 65536  // numbers that a work-item of the first launch adds; a multiple of 64
#endif

float sum_of(const float16 v) {
    const float8 a = v.lo + v.hi;
    const float4 b = a.lo + a.hi;
    return b.s0 + b.s1 + b.s2 + b.s3;
}

__kernel void sum_blocks(__global const float* X, __global float* parts, const int N) {
    const size_t first = (size_t)get_global_id(0) * BLOCK;
    const size_t end = min(first + BLOCK, (size_t)N);
    float16 a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;
    size_t i = first;
    for (; i + 64 <= end; i += 64) {
        a += vload16(0, X + i);
        b += vload16(1, X + i);
        c += vload16(2, X + i);
        d += vload16(3, X + i);
    }
    float rest = 0.0f;
    for (; i < end; ++i) rest += X[i];
    parts[get_global_id(0)] = sum_of((a + b) + (c + d)) + rest;
}

__kernel void sum_parts(__global const float* parts, __global float* R, const int count) {
    float sum = 0.0f;
    for (int i = 0; i < count; ++i) sum += parts[i];
    R[0] = sum;
}
// SPDX-License-Identifier: Apache-2.0
