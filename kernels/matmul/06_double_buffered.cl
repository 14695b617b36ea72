/*+++
title   = "Double-buffered: the next blocks are loaded while these are multiplied"
problem = "matmul"
source  = "C. Nugteren, OpenCL matrix-multiplication SGEMM tutorial, 2014"

[params]
TILE = [32, 16, 64]     # edge of the blocks
EACH = [8, 4, 2]        # elements of C that a work-item computes

[launch]
kernel = "matmul_double"
local  = ["TILE", "TILE // EACH"]
global = ["round_up(N, TILE)", "ceil_div(M, TILE) * (TILE // EACH)"]

[require]
fits = "TILE * TILE // EACH <= device.max_work_group_size"
room = "16 * TILE * TILE <= device.local_mem_bytes"
+++*/

// C[row][col] = sum over blocks t, sum over k in block t of A[row][k] * B[k][col]
//
//   02, 03:   load 0 | multiply 0 | load 1 | multiply 1 | load 2 …        two barriers a step
//   here:     load 0 | load 1     | load 2     | …
//                    | multiply 0 | multiply 1 | …                        one barrier a step
//
// Twice the local memory. A GPU has loads under way while it computes; whether there is anything left to hide
// depends on how many work-groups share a core already. Where local memory is an ordinary cache, predict: none.

#ifndef TILE
#define TILE 32  // edge of the blocks
#endif
#ifndef EACH
#define EACH 8  // elements of C that a work-item computes; divides TILE
#endif
#define STEP (TILE / EACH)

__kernel void matmul_double(__global const float* A, __global const float* B, __global float* C, const int M,
                            const int N, const int K) {
    __local float a[2][TILE][TILE];
    __local float b[2][TILE][TILE];

    const int lx = get_local_id(0);
    const int ly = get_local_id(1);
    const int col = get_group_id(0) * TILE + lx;
    const int top = get_group_id(1) * TILE;

    float sum[EACH];
    for (int r = 0; r < EACH; ++r) sum[r] = 0.0f;

    int now = 0;
    for (int k0 = -TILE; k0 < K; k0 += TILE) {
        // Blocks of the next step go where nobody reads in this one; outside the matrices a zero is staged.
        const int k1 = k0 + TILE;
        if (k1 < K)
            for (int y = ly; y < TILE; y += STEP) {
                a[1 - now][y][lx] = (top + y < M && k1 + lx < K) ? A[(size_t)(top + y) * K + k1 + lx] : 0.0f;
                b[1 - now][y][lx] = (k1 + y < K && col < N) ? B[(size_t)(k1 + y) * N + col] : 0.0f;
            }
        if (k0 >= 0)
            for (int k = 0; k < TILE; ++k) {
                const float bk = b[now][k][lx];
                for (int r = 0; r < EACH; ++r) sum[r] += a[now][ly + r * STEP][k] * bk;
            }
        barrier(CLK_LOCAL_MEM_FENCE);  // all have loaded the next blocks, and done with these
        now = 1 - now;
    }

    for (int r = 0; r < EACH; ++r) {
        const int row = top + ly + r * STEP;
        if (row < M && col < N) C[(size_t)row * N + col] = sum[r];
    }
}
