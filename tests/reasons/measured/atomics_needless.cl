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
// An atomic operation adds where no other work-item does.
kernel void copy(global const float* X, global float* Y, volatile global int* count) {
    size_t i = get_global_id(0);
    for (int k = 0; k < 8; ++k) {
#if SLOW
        atomic_add(&count[i], k);
#else
        count[i] += k;
#endif
    }
    Y[i] = X[i];
}
// SPDX-License-Identifier: Apache-2.0
