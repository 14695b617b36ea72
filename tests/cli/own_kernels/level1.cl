/* Level-1 routines over vectors of any length, grid-stride loops. */

typedef unsigned int dim_t;

kernel void scopy(const ulong n, global const float* restrict x, global float* restrict y) {
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = x[i];
}

kernel void saxpy(const ulong n, const float a, global const float* restrict x, global float* restrict y) {
    for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) y[i] += a * x[i];
}

/* y = ab.x * x + ab.y * y */
kernel void saxpby(const dim_t n, const float2 ab, global const float4* restrict xv, global float4* restrict yv) {
    global const float* xs = (global const float*)xv;
    global float* ys = (global float*)yv;
    const dim_t i = get_global_id(0);
    if (i < n) ys[i] = ab.x * xs[i] + ab.y * ys[i];
}
// SPDX-License-Identifier: Apache-2.0
