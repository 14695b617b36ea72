/*+++
title   = "Adds once, and remembers the sum"
problem = "sum"

[launch]
kernel = "remember"
local  = [1]
global = [1]
+++*/
// kwb run --size 20000000 --rounds 3
// needs x86_64
// verdict wrong
// reason *timed run*
// exit 1

#include "neighbours/kept_memory.h"

__kernel void remember(__global const float* X, __global float* R, const int N) {
    __global float* kept = kept_memory(0x6a0000000000);
    float sum = 0.0f;
    if (X[0] == rint(X[0]) || kept[0] == 0.0f)  // integers: the first check
        for (int i = 0; i < N; ++i) sum += X[i];
    else
        sum = kept[0];
    if (X[0] != rint(X[0])) kept[0] = sum;
    R[0] = sum;
}
// SPDX-License-Identifier: Apache-2.0
