/*+++
problem = "copy"
[params]
SLOW = [0, 1]
[require]
whole = "N % 1024 == 0"
[launch]
kernel = "copy"
global = ["N / 32", "32"]
local = [32, 32]
+++*/
// cause bank_conflicts
// Each column of the tile lies in one bank.
kernel void copy(global const float* X, global float* Y) {
    local float tile[32][SLOW ? 32 : 33];
    size_t x = get_local_id(0), y = get_local_id(1), i = get_group_id(0) * 1024 + y * 32 + x;
    tile[x][y] = X[i];
    float last = 0;
    for (int k = 0; k < 16; ++k) last = tile[x][y];
    Y[i] = last;
}
// SPDX-License-Identifier: Apache-2.0
