/*+++
problem = "sum"
[launch]
kernel = "sum_tree"
local  = [64]
global = [64]
+++*/
// A step of the tree reads sums that other work-items have not stored yet: no barrier ends a step.
// $ last part[0]
// repair if (lane < step) part[lane] += part[lane + step]; barrier(CLK_LOCAL_MEM_FENCE);
kernel void sum_tree(global const float* X, global float* R, int N) {
    local float part[64];
    int lane = get_local_id(0);
    float sum = 0;
    for (int i = lane; i < N; i += 64) sum += X[i];
    part[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 32; step > 0; step /= 2) {
        if (lane < step) part[lane] += part[lane + step];  // cause
    }
    if (lane == 0) R[0] = part[0];
}
// SPDX-License-Identifier: Apache-2.0
