/*+++
problem = "copy"
[params]
SLOW = [0, 1]
[require]
whole = "N % 1024 == 0"
[launch]
kernel = "copy"
global = ["N"]
local = [64]
[scratch]
count = {type = "int", elements = "1"}
[init]
count = 0
+++*/
// cause atomicity contention
// Each work-item adds 1; one work-item could add 64 for its group.
kernel void copy(global const float* X, global float* Y, volatile global int* count) {
    size_t i = get_global_id(0);
    if (SLOW || get_local_id(0) == 0) atomic_add(count, SLOW ? 1 : 64);
    Y[i] = X[i];
}
// SPDX-License-Identifier: Apache-2.0
