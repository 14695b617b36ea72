// SPDX-License-Identifier: Apache-2.0
// One program for all launch tests, because building takes most of the time.
#pragma once

namespace kwb::test {

inline constexpr const char* kKernels = R"(
// Element i becomes factor * input element i; `wrong` elements beyond both ends are written too.
kernel void scale(global const float* in, global float* out, float factor, int n, int wrong) {
    int i = (int)get_global_id(0) - wrong;
    if (i < n + wrong) out[i] = factor * in[max(0, min(i, n - 1))];
}

kernel void add_one(global float* x) { x[get_global_id(0)] += 1; }

// Only even elements are written.
kernel void half_written(global float* out) {
    size_t i = get_global_id(0);
    if (i % 2 == 0) out[i] = 1;
}

kernel void square(global const float* in, global float* scratch) {
    size_t i = get_global_id(0);
    scratch[i] = in[i] * in[i];
}

kernel void sum_of_group(global const float* in, local float* tile, global float* out) {
    size_t l = get_local_id(0);
    tile[l] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t width = get_local_size(0) / 2; width > 0; width /= 2) {
        if (l < width) tile[l] += tile[l + width];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0) out[get_group_id(0)] = tile[0];
}

// Right neighbour, in a ring.
kernel void shift(global const int* in, global int* out, int n) {
    size_t i = get_global_id(0);
    out[i] = in[(i + 1) % n];
}

kernel void numbers(global uint* out) {
    size_t x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    out[(z * get_global_size(1) + y) * get_global_size(0) + x] =
        100 * z + 10 * y + x + 1000 * get_local_size(0) + 10000 * get_work_dim();
}

kernel void tell_address(global ulong* out) { out[1] = (ulong)out; }

kernel void talk(global const float* in) {
    if (get_global_id(0) == 0) printf("the first is %d\n", (int)in[0]);
}

kernel void write_to_null(global float* out) {
    global float* nowhere = (global float*)(ulong)(out[0] == 1e30f);
    nowhere[get_global_id(0)] = 1;
}

kernel void endless(global volatile float* out) {
    while (out[0] < 1e30f) out[1] += 1;
}

kernel void needs_eight(global float* out) __attribute__((reqd_work_group_size(8, 1, 1)));
kernel void needs_eight(global float* out) { out[get_global_id(0)] = get_local_size(0); }
)";

}  // namespace kwb::test
