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
//           |   |   |   |   |   |   |   |             neighbours in a work-group touch neighbours in memory:
//           v   v   v   v   v   v   v   v             the device fetches whole lines, and uses all of each
//      Y  | 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | …
//
// Nothing is computed: the time is that of 4 N bytes read and 4 N bytes written.

__kernel void copy_floats(__global const float* X, __global float* Y, const int N) {
    const int i = get_global_id(0);
    // The NDRange is rounded up to whole work-groups: some work-items lie behind the end.
    if (i < N) Y[i] = X[i];
}
