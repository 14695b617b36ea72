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
// The sum is of type double.
#if SLOW
typedef double sum_t;
#else
typedef float sum_t;
#endif
kernel void copy(global const float* X, global float* Y) {
    size_t i = get_global_id(0);
    float number = X[i];
    sum_t sum = number;
    for (int k = 0; k < 20; ++k) sum += sum;
    for (int k = 0; k < 20; ++k) sum *= (sum_t)0.5;
    Y[i] = (float)sum;
}
// SPDX-License-Identifier: Apache-2.0
