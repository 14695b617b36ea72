/*+++
title   = "Three launches: for CPU devices, sums blocks, scans the sums, scans the blocks from there"
problem = "scan"
source  = "S. Sengupta, M. Harris, Y. Zhang, J. Owens, Scan primitives for GPU computing, 2007"

[params]
BLOCK = [16384, 4096, 65536]     # elements of a block, one work-item each

[scratch]
sums = "ceil_div(N, BLOCK)"

[[launch]]
kernel = "sum_blocks"
local  = [1]
global = ["ceil_div(N, BLOCK)"]

[[launch]]
kernel = "scan_sums"
local  = [1]
global = [1]
args   = {count = "ceil_div(N, BLOCK)"}

[[launch]]
kernel = "scan_blocks"
local  = [1]
global = ["ceil_div(N, BLOCK)"]
+++*/

// Y[i] = X[0] + … + X[i]
//
//   X     |  block 0  |  block 1  |  block 2  | …
//   sums  |     s0    |     s1    |     s2    | …         launch 1: one sum per block
//   sums  |     0     |     s0    |  s0 + s1  | …         launch 2: the sum before each block
//   Y     |  0 + …    |  s0 + …   |  s0+s1+…  | …         launch 3: each block from there
//
// Within a launch the blocks are independent, so every core has work. The price: X is read twice.
// On a CPU a work-item takes a whole block; on a GPU a work-group would take it, with the
// tree of 02_blelloch.

#ifndef BLOCK
#define BLOCK 16384  // elements of a block
#endif

float sum_of(const float16 v) {
    const float8 a = v.lo + v.hi;
    const float4 b = a.lo + a.hi;
    return b.s0 + b.s1 + b.s2 + b.s3;
}

// Inclusive prefix sums of sixteen numbers, in four steps of Hillis and Steele.
float16 scan_vector(const float16 v) {
    const float16 zero = 0.0f;
    float16 s = v;
    s += (float16)(0.0f, s.s0, s.s1, s.s2, s.s3, s.s4, s.s5, s.s6, s.s7, s.s8, s.s9, s.sa, s.sb, s.sc, s.sd, s.se);
    s += (float16)(0.0f, 0.0f, s.s0, s.s1, s.s2, s.s3, s.s4, s.s5, s.s6, s.s7, s.s8, s.s9, s.sa, s.sb, s.sc, s.sd);
    s += (float16)(0.0f, 0.0f, 0.0f, 0.0f, s.s0, s.s1, s.s2, s.s3, s.s4, s.s5, s.s6, s.s7, s.s8, s.s9, s.sa, s.sb);
    s += (float16)(zero.s01234567, s.s01234567);
    return s;
}

__kernel void sum_blocks(__global const float* X, __global float* sums, const int N) {
    const size_t first = (size_t)get_global_id(0) * BLOCK;
    const size_t end = min(first + BLOCK, (size_t)N);
    float16 a = 0.0f, b = 0.0f;
    size_t i = first;
    for (; i + 32 <= end; i += 32) {
        a += vload16(0, X + i);
        b += vload16(1, X + i);
    }
    float rest = 0.0f;
    for (; i < end; ++i) rest += X[i];
    sums[get_global_id(0)] = sum_of(a + b) + rest;
}

__kernel void scan_sums(__global float* sums, const int count) {
    float before = 0.0f;
    for (int i = 0; i < count; ++i) {
        const float sum = sums[i];
        sums[i] = before;
        before += sum;
    }
}

__kernel void scan_blocks(__global const float* X, __global const float* sums, __global float* Y, const int N) {
    const size_t first = (size_t)get_global_id(0) * BLOCK;
    const size_t end = min(first + BLOCK, (size_t)N);
    float carry = sums[get_global_id(0)];
    size_t i = first;
    for (; i + 16 <= end; i += 16) {
        const float16 scanned = scan_vector(vload16(0, X + i)) + carry;
        vstore16(scanned, 0, Y + i);
        carry = scanned.sf;
    }
    for (; i < end; ++i) {
        carry += X[i];
        Y[i] = carry;
    }
}
// SPDX-License-Identifier: Apache-2.0
