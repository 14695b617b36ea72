/*+++
problem = "histogram"
[launch]
kernel = "count"
local  = [64]
global = ["round_up(ceil_div(N, 16), 64)"]
[init]
H = 0
+++*/
// Only the first 64 of the 256 bins in local memory are cleared.
// $ start
// $ next
// $ next
// repair for (int b = lane; b < BINS; b += 64) bins[b] = 0;
kernel void count(global const uint* X, volatile global uint* H, int N, int BINS) {
    local uint bins[256];
    int lane = get_local_id(0);
    bins[lane] = 0;  // cause
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < N; i += get_global_size(0)) atomic_inc(&bins[X[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int b = lane; b < BINS; b += 64) atomic_add(&H[b], bins[b]);
}
// SPDX-License-Identifier: Apache-2.0
