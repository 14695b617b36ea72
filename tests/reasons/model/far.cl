/*+++
problem = "copy"
[params]
FAR = [0, 1, 2, 4, 8, 16]
[require]
whole = "N % 1024 == 0"
[launch]
kernel = "copy"
global = ["N // 1024"]
local = [1]
+++*/
// Of sixteen loads of a work-item, FAR go to a far place of the whole buffer, and the others to its first 8 KiB. Each
// address waits for the load before it, so misses do not overlap, and the time of each counts.
kernel void copy(global const float* X, global float* Y, int N) {
    uint i = get_global_id(0);
    float last = 0;
    for (uint k = 0; k < 256; ++k) {
        uint at = (i * 256 + k) * 2654435761u + (uint)(0 * last);
        last = X[k % 16 < FAR ? at % (uint)N : at % 2048u];
    }
    for (uint k = 0; k < 1024; ++k) {
        uint at = i * 1024 + k;
        Y[at] = X[at] + 0 * last;
    }
}
// SPDX-License-Identifier: Apache-2.0
