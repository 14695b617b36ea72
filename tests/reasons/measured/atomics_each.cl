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
count = {type = "int", elements = "N"}
[init]
count = 0
+++*/
// cause atomicity
// size 1048576
// Each work-item adds to one number, instead of one work-item of a group.
kernel void copy(global const float* X, global float* Y, volatile global int* count) {
    size_t i = get_global_id(0);
    if (SLOW || get_local_id(0) == 0) atomic_add(count, 1);
    Y[i] = X[i];
}
// SPDX-License-Identifier: Apache-2.0
