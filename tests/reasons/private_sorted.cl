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
// cause private_memory
// The values of the numbers decide where they lie in an array.
kernel void copy(global const float* X, global float* Y) {
    size_t i = get_global_id(0);
    float number = X[i], last = number, places[2][32];
    for (int k = 0; k < 32; ++k) places[0][k] = places[1][k] = k;
    for (int k = 0; k < 16; ++k) {
#if SLOW
        int at = (int)fabs(last * 1024) % 32;
#else
        int at = 7;
#endif
        places[k % 2][at] = last;
        last = places[k % 2][at] == last ? number : places[1 - k % 2][at];
    }
    Y[i] = last;
}
// SPDX-License-Identifier: Apache-2.0
