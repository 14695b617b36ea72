/*+++
problem = "sum"
[launch]
kernel = "sum_ranges"
local  = [64]
global = [64]
[init]
R = 0
+++*/
// The end of a range is computed from its begin before that is moved.
// $ lanes mine
// $ lane 1
// $ last mine.end
// $ reverse-step
// $ last range.end
// repair range.end = range.begin + each + min(lane, rest) + (lane < rest ? 1 : 0);
typedef struct {
    int begin, end;
} Range;

Range range_of(int lane, int N) {
    int each = N / 64, rest = N % 64;
    Range range;
    range.begin = lane * each;
    range.end = range.begin + each + (lane < rest ? 1 : 0);  // cause
    range.begin += min(lane, rest);
    return range;
}

kernel void sum_ranges(global const float* X, global float* R, int N) {
    local float part[64];
    int lane = get_local_id(0);
    Range mine = range_of(lane, N);
    float sum = 0;
    for (int i = mine.begin; i < mine.end; ++i) sum += X[i];
    part[lane] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane == 0) {
        float total = 0;
        for (int k = 0; k < 64; ++k) total += part[k];
        R[0] = total;
    }
}
// SPDX-License-Identifier: Apache-2.0
