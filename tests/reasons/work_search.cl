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
+++*/
// cause work
// A search takes each step instead of halving what is left.
kernel void copy(global const float* X, global float* Y) {
    size_t i = get_global_id(0), l = get_local_id(0);
    int low = 0, high = 64, wanted = 37;
    while (high - low > 1) {
        int middle = SLOW ? low + 1 : (low + high) / 2;
        if (middle <= wanted)
            low = middle;
        else
            high = middle;
    }
    Y[i] = X[i] + (low - wanted);
}
// SPDX-License-Identifier: Apache-2.0
