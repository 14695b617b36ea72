/*+++
title   = "Several elements a work-item, a whole row of work-items apart"
problem = "vector_add"

[params]
EACH = [8, 2, 4, 16]    # elements of a work-item

[launch]
kernel = "add_strided"
local  = [256]
global = ["round_up(ceil_div(N, EACH), local.x)"]
+++*/

// C[i], C[i + T], C[i + 2T] … are work-item i's, with T work-items in all
//
//   work-item   0  1  2  …  T-1 | 0  1  2  …  T-1 | 0  1 …
//   element     0  1  2  …  T-1 | T T+1 …         | 2T …
//
// At every step neighbours still touch neighbours, as a GPU wants it. A CPU sees one work-item jump through
// the memory: compare it there with 01_elements, and predict first which one wins.

#ifndef EACH
#define EACH 8  // elements of a work-item
#endif

__kernel void add_strided(__global const float* A, __global const float* B, __global float* C, const int N) {
    const size_t step = get_global_size(0);
    for (size_t i = get_global_id(0); i < (size_t)N; i += step) C[i] = A[i] + B[i];
}
