/*+++
[problem]
sizes     = {N = 256}
reference = {launch = {kernel = "sum_simple", global = ["N"]}}
[problem.buffers]
X = {type = "uint", shape = ["N"], fill = {integers = [1, 2000000000]}}
Y = {type = "int", shape = ["N"], output = true}
[launch]
kernel = "sum_bytes"
local  = [64]
global = ["round_up(N, 64)"]
+++*/
// Bytes above 127 are negative: char is signed.
// $ last sum
// $ origins
// $ last bytes
// repair uchar4 bytes = as_uchar4(X[i]);
kernel void sum_simple(global const uint* X, global int* Y) {
    uint x = X[get_global_id(0)];
    Y[get_global_id(0)] = (x & 255) + (x >> 8 & 255) + (x >> 16 & 255) + (x >> 24);
}

kernel void sum_bytes(global const uint* X, global int* Y, int N) {
    int i = get_global_id(0);
    if (i >= N) return;
    char4 bytes = as_char4(X[i]);  // cause
    int4 wide = convert_int4(bytes);
    int sum = wide.x + wide.y + wide.z + wide.w;
    Y[i] = sum;
}
// SPDX-License-Identifier: Apache-2.0
