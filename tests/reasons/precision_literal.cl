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
// cause precision
// Constants without f are of type double, and so is what is computed with them.
#if SLOW
#define HALF 0.5
#define TWO 2.0
#else
#define HALF 0.5f
#define TWO 2.0f
#endif
kernel void copy(global const float* X, global float* Y) {
    size_t i = get_global_id(0);
    float number = X[i];
    for (int k = 0; k < 16; ++k) number = number * HALF * TWO;
    Y[i] = number;
}
// SPDX-License-Identifier: Apache-2.0
