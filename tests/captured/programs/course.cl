// SPDX-License-Identifier: Apache-2.0
// As a course has it: matrix product, reduction, histogram.
__kernel void matmul(__global const float* a, __global const float* b, __global float* c, int n) {
    const int row = get_global_id(1), column = get_global_id(0);
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

__kernel void reduce(__global const float* in, __global float* out, __local float* partial, uint n) {
    const uint l = get_local_id(0), i = get_global_id(0);
    partial[l] = i < n ? in[i] : 0;
    for (uint step = get_local_size(0) / 2; step > 0; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < step) partial[l] += partial[l + step];
    }
    if (l == 0) out[get_group_id(0)] = partial[0];
}

__kernel void histogram(__global const uchar* values, __global uint* bins, uint n) {
    const uint i = get_global_id(0);
    if (i < n) atomic_inc(&bins[values[i]]);
}
