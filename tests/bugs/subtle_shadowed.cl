/*+++
problem = "scan"
[launch]
kernel = "scan"
local  = [64]
global = [64]
+++*/
// The carry inside the loop is another variable: it hides the outer one, which stays zero.
// $ origins
// $ list
// repair carry += part[now][63];
kernel void scan(global const float* X, global float* Y, int N) {
    local float part[2][64];
    int lane = get_local_id(0);
    float carry = 0;
    for (int first = 0; first < N; first += 64) {
        int i = first + lane, now = 0;
        part[0][lane] = i < N ? X[i] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int distance = 1; distance < 64; distance *= 2) {
            part[1 - now][lane] = part[now][lane] + (lane >= distance ? part[now][lane - distance] : 0);
            now = 1 - now;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        if (i < N) Y[i] = carry + part[now][lane];
        float carry = part[now][63];  // cause
        barrier(CLK_LOCAL_MEM_FENCE);
        if (carry < 0) continue;
    }
}
// SPDX-License-Identifier: Apache-2.0
