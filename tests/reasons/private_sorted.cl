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
    float number = X[i], signs[2][8];
    for (int k = 0; k < 8; ++k) {
        signs[0][k] = number;
        signs[1][k] = -number;
    }
#if SLOW
    bool is_negative = number < 0;
    int at = (int)(number * 8) & 7;
#else
    bool is_negative = false;
    int at = 7;
#endif
    Y[i] = is_negative ? -signs[is_negative][at] : signs[is_negative][at];
}
// SPDX-License-Identifier: Apache-2.0
