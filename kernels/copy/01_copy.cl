/*+++
title   = "Plain: one work-item copies one number"
problem = "copy"
source  = "J. McCalpin, STREAM: sustainable memory bandwidth in high performance computers, 1995"

[launch]
kernel = "copy_floats"
local  = [256]
global = ["round_up(N, local.x)"]
+++*/

// Y[i] = X[i]                                                  float, i = 0 … N - 1
//
//      X  | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | …
//           |   |   |   |   |   |   |   |             neighbouring work-items access neighbouring addresses:
//           v   v   v   v   v   v   v   v             the accesses are coalesced, and every line is used fully
//      Y  | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | …
//
// Nothing is computed: the time goes into 4 N bytes read and 4 N bytes written.

__kernel void copy_floats(__global const float* X, __global float* Y, const int N) {
    const int i = get_global_id(0);
    // The NDRange is rounded up to whole work-groups: some work-items are past the end.
    if (i < N) Y[i] = X[i];
}
// SPDX-License-Identifier: Apache-2.0
