/*+++
[problem]
sizes     = {N = 4096}
reference = {launch = {kernel = "count_simple", global = ["1"]}}
[problem.buffers]
X = {type = "int", shape = ["N"], fill = {integers = [1, 2]}}
R = {type = "int", shape = ["1"], output = true}
[launch]
kernel = "count_ones"
local  = [8]
global = [8]
+++*/
// A work-item's counter is one byte: it begins again at zero after 255.
// $ last total
// $ origins
// $ last part[k]
// $ last count
// $ list
// repair int count = 0;
kernel void count_simple(global const int* X, global int* R, int N) {
    int count = 0;
    for (int i = 0; i < N; ++i) count += X[i] == 1;
    R[0] = count;
}

kernel void count_ones(global const int* X, global int* R, int N) {
    local int part[8];
    int lane = get_local_id(0);
    uchar count = 0;  // cause
    for (int i = lane; i < N; i += 8)
        if (X[i] == 1) ++count;
    part[lane] = count;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0) {
        int total = 0;
        for (int k = 0; k < 8; ++k) total += part[k];
        R[0] = total;
    }
}
// SPDX-License-Identifier: Apache-2.0
