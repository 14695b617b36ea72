/*+++
problem = "transpose"
[launch]
kernel = "transpose"
local  = [16, 16]
global = ["round_up(N, 16)", "round_up(M, 16)"]
+++*/
// The store's guard compares with the extents of A instead of those of its transpose.
// $ reverse-step
// repair if (left + ly < N && top + lx < M)
kernel void transpose(global const float* A, global float* B, int M, int N) {
    local float block[16][17];
    int lx = get_local_id(0), ly = get_local_id(1);
    int left = get_group_id(0) * 16, top = get_group_id(1) * 16;
    if (top + ly < M && left + lx < N) block[ly][lx] = A[(top + ly) * N + left + lx];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (left + ly < M && top + lx < N)  // cause
        B[(left + ly) * M + top + lx] = block[lx][ly];
}
// SPDX-License-Identifier: Apache-2.0
