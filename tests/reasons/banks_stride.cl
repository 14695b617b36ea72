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
// cause bank_conflicts
// All work-items of a sub-group use the same bank.
kernel void copy(global const float* X, global float* Y) {
    local float tile[64 * 33];
    size_t i = get_global_id(0), l = get_local_id(0), at = l * (SLOW ? 32 : 33);
    tile[at] = X[i];
    float last = 0;
    for (int k = 0; k < 16; ++k) last = tile[at];
    Y[i] = last;
}
// SPDX-License-Identifier: Apache-2.0
