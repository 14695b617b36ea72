/*+++
title   = "A transposition with five parameters, recorded for the comparison of search strategies"
problem = "transpose"

[params]
WIDE    = [4, 8, 16, 32, 64]    # columns of the block of a work-group, and its work-items along x
HIGH    = [4, 8, 16, 32, 64]    # rows of the block
GROUP_Y = [1, 2, 4, 8]          # work-items along y
STAGED  = [0, 1]                # 1: the block goes through local memory
WRITES  = [0, 1]                # 1: the block is one of B, written row by row; 0: one of A, read row by row

[launch]
kernel = "turn"
local  = ["WIDE", "GROUP_Y"]
global = ["round_up(WRITES * M + (1 - WRITES) * N, WIDE)", "ceil_div(WRITES * N + (1 - WRITES) * M, HIGH) * GROUP_Y"]

[require]
group  = "WIDE * GROUP_Y <= 256"
block  = "WIDE * HIGH <= 2048"
+++*/

#if WRITES
#define COLUMNS M  // of the matrix that has the block
#define ROWS N
#else
#define COLUMNS N
#define ROWS M
#endif

__kernel void turn(__global const float* A, __global float* B, const int M, const int N) {
    const int left = get_group_id(0) * WIDE;
    const int top = get_group_id(1) * HIGH;
    const int column = get_local_id(0);
#if STAGED
    __local float block[HIGH][WIDE + 1];
    const int first = get_local_id(1) * WIDE + column;
#endif

#if STAGED && WRITES
    for (int i = first; i < WIDE * HIGH; i += WIDE * GROUP_Y)
        if (left + i / HIGH < M && top + i % HIGH < N)
            block[i % HIGH][i / HIGH] = A[(left + i / HIGH) * N + top + i % HIGH];
    barrier(CLK_LOCAL_MEM_FENCE);  // the block is complete before anyone reads it
#endif
    for (int row = get_local_id(1); row < HIGH; row += GROUP_Y)
        if (left + column < COLUMNS && top + row < ROWS) {
#if STAGED && WRITES
            B[(top + row) * M + left + column] = block[row][column];
#elif STAGED
            block[row][column] = A[(top + row) * N + left + column];
#elif WRITES
            B[(top + row) * M + left + column] = A[(left + column) * N + top + row];
#else
            B[(left + column) * M + top + row] = A[(top + row) * N + left + column];
#endif
        }
#if STAGED && !WRITES
    barrier(CLK_LOCAL_MEM_FENCE);  // the block is complete before anyone reads it
    for (int i = first; i < WIDE * HIGH; i += WIDE * GROUP_Y)
        if (left + i / HIGH < N && top + i % HIGH < M)
            B[(left + i / HIGH) * M + top + i % HIGH] = block[i % HIGH][i / HIGH];
#endif
}
// SPDX-License-Identifier: Apache-2.0
