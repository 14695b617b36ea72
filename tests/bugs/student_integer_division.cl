/*+++
problem = "matmul"
[launch]
kernel = "product"
local  = [16, 16]
global = ["round_up(N, 16)", "round_up(M, 16)"]
+++*/
// The number of tiles is rounded down, so that the last tile is missing where K is no multiple of 16.
// $ last sum
// $ info locals
// $ last tiles
// repair int tiles = (K + 15) / 16;
kernel void product(global const float* A, global const float* B, global float* C, int M, int N, int K) {
    local float a[16][16], b[16][16];
    int lx = get_local_id(0), ly = get_local_id(1);
    int col = get_global_id(0), row = get_global_id(1);
    int tiles = K / 16;  // cause
    float sum = 0;
    for (int t = 0; t < tiles; ++t) {
        int k0 = 16 * t;
        a[ly][lx] = row < M && k0 + lx < K ? A[row * K + k0 + lx] : 0;
        b[ly][lx] = col < N && k0 + ly < K ? B[(k0 + ly) * N + col] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; ++k) sum += a[ly][k] * b[k][lx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (row < M && col < N) C[row * N + col] = sum;
}
// SPDX-License-Identifier: Apache-2.0
