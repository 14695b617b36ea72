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
// The same divergent loop in one line and in several, with comments.
kernel void copy(global const float* X, global float* Y) {
    size_t i = get_global_id(0), l = get_local_id(0);
    float number = X[i], last = number;
#if SLOW
    for (int k = 0; k < 32; ++k) if (k > l) for (int j = 0; j < 4; ++j) last = -last;
#else
    for (int k = 0;  // the first one
         k < 32;     // of 32
         ++k)
        if (k > l)
            for (int j = 0; j < 4;  // an even number: the sign stays
                 ++j)
                last = -last;
#endif
    Y[i] = last;
}
// SPDX-License-Identifier: Apache-2.0
