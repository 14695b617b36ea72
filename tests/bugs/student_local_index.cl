/*+++
problem = "vector_add"
[launch]
kernel = "add"
local  = [64]
global = ["round_up(N, 64)"]
+++*/
// Every work-group adds the first 64 elements.
// $ end
// $ last i
// repair int i = get_global_id(0);
kernel void add(global const float* A, global const float* B, global float* C, int N) {
    int i = get_local_id(0);  // cause
    if (i < N) C[i] = A[i] + B[i];
}
// SPDX-License-Identifier: Apache-2.0
