/*+++
title   = "Several elements a work-item, with a stride of the global size"
problem = "vector_add"

[params]
EACH = [8, 2, 4, 16]    # elements of a work-item

[launch]
kernel = "add_strided"
local  = [256]
global = ["round_up(ceil_div(N, EACH), local.x)"]
+++*/

// work-item i computes C[i], C[i + T], C[i + 2T] …, with T = global size
//
//   work-item   0  1  2  …  T-1 | 0  1  2  …  T-1 | 0  1 …
//   element     0  1  2  …  T-1 | T T+1 …         | 2T …
//
// At every step accesses are still coalesced, which suits a GPU. Where a CPU's driver runs one work-item after the other,
// as PoCL does, each jumps through memory: compare it there with 01_elements, and first predict which one wins.

#ifndef EACH
#define EACH 8  // elements of a work-item
#endif

__kernel void add_strided(__global const float* A, __global const float* B, __global float* C, const int N) {
    const size_t step = get_global_size(0);
    for (size_t i = get_global_id(0); i < (size_t)N; i += step) C[i] = A[i] + B[i];
}
// SPDX-License-Identifier: Apache-2.0
