/*+++
problem = "copy"
[params]
FAR = [0, 1, 2, 4, 8, 16]
[require]
whole = "N % 65536 == 0"
[launch]
kernel = "copy"
global = ["N // 16"]
local = [64]
+++*/
// Of sixteen loads of a work-item, FAR go to a far place of the whole buffer, and the others to its first 8 KiB.
kernel void copy(global const float* X, global float* Y, int N) {
    uint i = get_global_id(0), groups = get_global_size(0);
    float sum = 0;
    for (uint k = 0; k < 16; ++k) {
        uint at = (i * 16 + k) * 2654435761u;
        sum += X[k < FAR ? at % (uint)N : at % 2048u];
    }
    for (uint k = 0; k < 16; ++k) {
        uint at = i + k * groups;
        Y[at] = X[at] + 0 * sum;
    }
}
// SPDX-License-Identifier: Apache-2.0
