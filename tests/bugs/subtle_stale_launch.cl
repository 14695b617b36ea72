/*+++
problem = "scan"
[scratch]
sums = "ceil_div(N, 64)"
[[launch]]
kernel = "scan_blocks"
local  = [64]
global = ["round_up(N, 64)"]
[[launch]]
kernel = "scan_sums"
local  = [1]
global = [1]
args   = {count = "ceil_div(N, 64)"}
[[launch]]
kernel = "add_sums"
local  = [64]
global = ["round_up(N, 64)"]
+++*/
// The second launch scans the blocks' sums into a variable and forgets to store them: the third adds stale ones.
// $ origins
// $ last sums[get_group_id(0)]
// repair sums[b] = before;
kernel void scan_blocks(global const float* X, global float* Y, global float* sums, int N) {
    local float part[2][64];
    int i = get_global_id(0), lane = get_local_id(0), now = 0;
    part[0][lane] = i < N ? X[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int distance = 1; distance < 64; distance *= 2) {
        part[1 - now][lane] = part[now][lane] + (lane >= distance ? part[now][lane - distance] : 0);
        now = 1 - now;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i < N) Y[i] = part[now][lane];
    if (lane == 63) sums[get_group_id(0)] = part[now][lane];
}

kernel void scan_sums(global float* sums, int count) {
    float before = 0;
    for (int b = 0; b < count; ++b) {
        float sum = sums[b];
        sums[b] = sum;  // cause
        before += sum;
    }
}

kernel void add_sums(global const float* sums, global float* Y, int N) {
    int i = get_global_id(0);
    if (i < N) Y[i] += sums[get_group_id(0)];
}
// SPDX-License-Identifier: Apache-2.0
