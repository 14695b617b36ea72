/*+++
title   = "The largest, in two launches: for CPU devices, as 07_two_launches with another operation"
problem = "max"

[params]
BLOCK = [65536, 16384, 262144]     # numbers that a work-item of the first launch reads

[scratch]
parts = "ceil_div(N, BLOCK)"

[[launch]]
kernel = "max_blocks"
local  = [1]
global = ["ceil_div(N, BLOCK)"]

[[launch]]
kernel = "max_parts"
local  = [1]
global = [1]
args   = {count = "ceil_div(N, BLOCK)"}
+++*/

// parts[b] = the largest of X[b BLOCK] … X[b BLOCK + BLOCK - 1], then R[0] = the largest part
//
//   X      |~~~~~~~~~~~~~~|~~~~~~~~~~~~~~|~~~~~~~~~~ …      each work-item reads one block
//   parts          o              o             o           and keeps the largest
//   R                             o                         a second launch
//
// A parallel reduction needs an associative and commutative operation. The maximum is both, exactly; a sum of floats
// is, except for rounding. The neutral element is -INFINITY, as zero is for a sum. On a GPU a work-group would reduce
// a block, with the tree of 09_max_tree.

#ifndef BLOCK
#define BLOCK 65536  // numbers that a work-item of the first launch reads
#endif

float largest_of(const float16 v) {
    const float8 a = fmax(v.lo, v.hi);
    const float4 b = fmax(a.lo, a.hi);
    return fmax(fmax(b.s0, b.s1), fmax(b.s2, b.s3));
}

__kernel void max_blocks(__global const float* X, __global float* parts, const int N) {
    const size_t first = (size_t)get_global_id(0) * BLOCK;
    const size_t end = min(first + BLOCK, (size_t)N);
    float16 most = -INFINITY;
    size_t i = first;
    for (; i + 16 <= end; i += 16) {
        const float16 next = vload16(0, X + i);
        most = select(most, next, next > most);
    }
    float largest = largest_of(most);
    for (; i < end; ++i) largest = fmax(largest, X[i]);
    parts[get_global_id(0)] = largest;
}

__kernel void max_parts(__global const float* parts, __global float* R, const int count) {
    float largest = -INFINITY;
    for (int i = 0; i < count; ++i) largest = fmax(largest, parts[i]);
    R[0] = largest;
}
// SPDX-License-Identifier: Apache-2.0
