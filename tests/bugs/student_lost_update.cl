/*+++
problem = "histogram"
[launch]
kernel = "count"
local  = [64]
global = ["round_up(N, 64)"]
[init]
H = 0
+++*/
// Two work-items may read the same count, add one, and store the same sum.
// $ origins
// repair if (i < N) atomic_inc(&H[X[i]]);
kernel void count(global const uint* X, global uint* H, int N, int BINS) {
    int i = get_global_id(0);
    if (i < N) H[X[i]] += 1;  // cause
}
// SPDX-License-Identifier: Apache-2.0
