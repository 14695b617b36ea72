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
// cause none
// The same steps in functions, with another type of counter.
float next(float number, int k) {
    if (k % 2 == 0) return -number;
    return number;
}

float twice(float number, int k) {
    return -next(next(number, k), k + 1);
}

kernel void copy(global const float* X, global float* Y) {
    size_t i = get_global_id(0);
    float number = X[i];
#if SLOW
    for (int k = 0; k < 16; ++k) number = twice(number, k);
#else
    for (size_t k = 0; k < 16; ++k) {
        float middle = k % 2 == 0 ? -number : number;
        number = -((k + 1) % 2 == 0 ? -middle : middle);
    }
#endif
    Y[i] = number;
}
// SPDX-License-Identifier: Apache-2.0
