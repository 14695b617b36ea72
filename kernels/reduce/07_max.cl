/*+++
title   = "The largest, in two launches: for CPU devices, 06_two_launches with another operation"
problem = "max"

[params]
BLOCK = [65536, 16384, 262144]     # numbers that a work-item of the first launch looks at

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
//   X      |~~~~~~~~~~~~~~|~~~~~~~~~~~~~~|~~~~~~~~~~ …      a work-item walks through each block
//   parts          o              o             o           and keeps the largest
//   R                             o                         a second launch
//
// What a sum needs of an operation is that numbers may be taken in any order and any grouping. The largest has
// that to the bit; a sum of floats has it but for rounding. It begins with -INFINITY, as a sum does with zero. On a GPU
// a block would be a work-group's, with 08_max_tree's tree inside.

#ifndef BLOCK
#define BLOCK 65536  // numbers that a work-item of the first launch looks at
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
