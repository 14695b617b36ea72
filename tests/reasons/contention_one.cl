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
count = {type = "int", elements = "64"}
[init]
count = 0
+++*/
// cause contention
// All work-items count in one number; each of a work-group could have its own.
kernel void copy(global const float* X, global float* Y, volatile global int* count) {
    size_t i = get_global_id(0), l = get_local_id(0);
    atomic_add(&count[SLOW ? 0 : l], 1);
    Y[i] = X[i];
}
// SPDX-License-Identifier: Apache-2.0
