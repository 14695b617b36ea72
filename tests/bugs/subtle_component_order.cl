/*+++
[problem]
sizes     = {N = 256}
reference = {launch = {kernel = "turn_simple", global = ["N"]}}
[problem.buffers]
X = {type = "float4", shape = ["N"], fill = {integers = [1, 9]}}
Y = {type = "float4", shape = ["N"], output = true}
[launch]
kernel = "turn"
local  = [64]
global = ["round_up(N, 64)"]
+++*/
// The half turn is written as (w, x, y, z), but the product takes the real part from w, the last component.
// $ last result
// $ origins
// $ last half_turn
// repair float4 half_turn = (float4)(1, 0, 0, 0);
float4 multiply(float4 a, float4 b) {
    float4 result;
    result.xyz = a.w * b.xyz + b.w * a.xyz + cross(a.xyz, b.xyz);
    result.w = a.w * b.w - dot(a.xyz, b.xyz);
    return result;
}

kernel void turn_simple(global const float4* X, global float4* Y) {
    float4 x = X[get_global_id(0)];
    Y[get_global_id(0)] = (float4)(x.w, x.z, -x.y, -x.x);
}

kernel void turn(global const float4* X, global float4* Y, int N) {
    int i = get_global_id(0);
    if (i >= N) return;
    float4 half_turn = (float4)(0, 1, 0, 0);  // cause
    float4 result = multiply(X[i], half_turn);
    Y[i] = result;
}
// SPDX-License-Identifier: Apache-2.0
