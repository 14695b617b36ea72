/*+++
problem = "vector_add"
[launch]
kernel = "add"
local  = [64]
global = ["round_up(ceil_div(N, 4), 64)"]
+++*/
// A step of a float4 pointer is sixteen bytes already: b moves four times as far as it should.
// $ origins
// $ last b
// repair global const float4* b = (global const float4*)B + i;
kernel void add(global const float* A, global const float* B, global float* C, int N) {
    int i = get_global_id(0);
    if (4 * i + 4 <= N) {
        global const float4* a = (global const float4*)A + i;
        global const float4* b = (global const float4*)B + 4 * i % (N / 4);  // cause
        global float4* c = (global float4*)C + i;
        *c = *a + *b;
    } else {
        for (int k = 4 * i; k < N; ++k) C[k] = A[k] + B[k];
    }
}
// SPDX-License-Identifier: Apache-2.0
