/*+++
problem = "copy"
[launch]
kernel = "reverse_twice"
local  = [64]
global = ["round_up(N, 64)"]
+++*/
// Nothing waits for the copy: the barrier orders the work-items, not the asynchronous copy.
// $ origins
// $ last tile[lane]
// repair event_t copied = async_work_group_copy(tile, X + first, min(64, N - first), 0); wait_group_events(1, &copied);
kernel void reverse_twice(global const float* X, global float* Y, int N) {
    local float tile[64];
    int first = get_group_id(0) * 64, lane = get_local_id(0);
    event_t copied = async_work_group_copy(tile, X + first, min(64, N - first), 0);  // cause
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first + lane < N) Y[first + lane] = tile[lane];
}
// SPDX-License-Identifier: Apache-2.0
