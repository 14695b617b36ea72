// Good reductions, scans and sorts: work-items of a group that hand values on step by step.
#include <doctest/doctest.h>

#include "correct_kernels.hpp"

using namespace kwb;

namespace {

const CorrectKernel kReductions[] = {
    {"tree reduction with contiguous work-items", R"(
#define WG 256
__kernel void reduce(__global const float* in, __global float* out, int n) {
    __local float s[WG];
    int lid = get_local_id(0), gid = get_global_id(0);
    s[lid] = gid < n ? in[gid] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int stride = WG / 2; stride > 0; stride >>= 1) {
        if (lid < stride) s[lid] += s[lid + stride];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) out[get_group_id(0)] = s[0];
})"},
    {"tree reduction with divergent work-items, barrier first", R"(
__kernel void reduce(__global const float* in, __global float* out, __local float* s, const uint n) {
    uint lid = get_local_id(0);
    s[lid] = get_global_id(0) < n ? in[get_global_id(0)] : 0.0f;
    for (uint stride = 1; stride < get_local_size(0); stride *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid % (2 * stride) == 0) s[lid] += s[lid + stride];
    }
    if (lid == 0) out[get_group_id(0)] = s[0];
})"},
    {"reduction whose first step adds two halves", R"(
#define WG 128
__kernel void reduce(__global const float* in, __global float* out) {
    __local float s[2 * WG];
    int lid = get_local_id(0);
    int base = get_group_id(0) * 2 * WG;
    s[lid] = in[base + lid];
    s[lid + WG] = in[base + lid + WG];
    barrier(CLK_LOCAL_MEM_FENCE);
    s[lid] += s[lid + WG];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int w = get_local_size(0) / 2; w > 0; w /= 2) {
        if (lid < w) { s[lid] = s[lid] + s[lid + w]; }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (!lid) out[get_group_id(0)] = s[0];
})"},
    {"grid-stride sum", R"(
__kernel void sum(__global const float* in, __global float* out, __local float* s, int n) {
    float acc = 0.0f;
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) acc += in[i];
    const int lid = get_local_id(0);
    s[lid] = acc;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = get_local_size(0) >> 1; k != 0; k >>= 1) {
        if (lid < k) s[lid] += s[lid + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0) out[get_group_id(0)] = s[0];
})"},
    {"one work-item sums up for its group", R"(
__kernel void sum(__global const float* in, __global float* out) {
    __local float s[64];
    int lid = get_local_id(0);
    s[lid] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0) {
        for (int i = 1; i < 64; ++i) s[0] += s[i];
        out[get_group_id(0)] = s[0];
    }
})"},
    {"sub-groups first", R"(
__kernel void sum(__global const float* in, __global float* out, int n) {
    __local float part[32];
    float v = get_global_id(0) < n ? in[get_global_id(0)] : 0.0f;
    v = sub_group_reduce_add(v);
    if (get_sub_group_local_id() == 0) part[get_sub_group_id()] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_sub_group_id() == 0) {
        float w = get_sub_group_local_id() < get_num_sub_groups() ? part[get_sub_group_local_id()] : 0.0f;
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        w = sub_group_reduce_add(w);
        if (get_sub_group_local_id() == 0) out[get_group_id(0)] = w;
    }
})"},
    {"work-group function", R"(
__kernel void sum(__global const float* in, __global float* out) {
    float v = work_group_reduce_add(in[get_global_id(0)]);
    if (get_local_id(0) == 0) out[get_group_id(0)] = v;
})"},
    {"several elements an item, then a helper with a local pointer", R"(
float group_sum(__local float* s, float v, int lid, int size) {
    s[lid] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = size / 2; k > 0; k /= 2) {
        if (lid < k) s[lid] += s[lid + k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float all = s[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    return all;
}
__kernel void normalise(__global float* x, int n) {
    __local float s[256];
    const int lid = get_local_id(0);
    float v = 0.0f;
    for (int i = lid; i < n; i += 256) v += x[i] * x[i];
    const float scale = rsqrt(group_sum(s, v, lid, get_local_size(0)));
    for (int i = lid; i < n; i += 256) x[i] *= scale;
})"},
};

const CorrectKernel kScans[] = {
    {"Hillis-Steele with two halves of one buffer", R"(
__kernel void scan(__global const int* in, __global int* out, __local int* temp, int n) {
    int lid = get_local_id(0);
    int pout = 0, pin = 1;
    temp[pout * n + lid] = lid > 0 ? in[lid - 1] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int offset = 1; offset < n; offset *= 2) {
        pout = 1 - pout;
        pin = 1 - pout;
        if (lid >= offset)
            temp[pout * n + lid] = temp[pin * n + lid] + temp[pin * n + lid - offset];
        else
            temp[pout * n + lid] = temp[pin * n + lid];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[lid] = temp[pout * n + lid];
})"},
    {"Hillis-Steele with swapped pointers", R"(
__kernel void scan(__global const int* in, __global int* out, __local int* a, __local int* b) {
    uint lid = get_local_id(0), size = get_local_size(0);
    a[lid] = b[lid] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint s = 1; s < size; s <<= 1) {
        if (lid > s - 1) b[lid] = a[lid] + a[lid - s];
        else b[lid] = a[lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        __local int* t = a;
        a = b;
        b = t;
    }
    out[get_global_id(0)] = a[lid];
})"},
    {"Hillis-Steele in place with two barriers", R"(
__kernel void scan(__global int* x) {
    __local int s[256];
    int lid = get_local_id(0);
    s[lid] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int d = 1; d < 256; d *= 2) {
        int v = 0;
        if (lid >= d) v = s[lid - d];
        barrier(CLK_LOCAL_MEM_FENCE);
        s[lid] += v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    x[get_global_id(0)] = s[lid];
})"},
    {"Blelloch", R"(
__kernel void scan(__global const int* in, __global int* out, __local int* t, int n) {
    int lid = get_local_id(0);
    int offset = 1;
    t[2 * lid] = in[2 * lid];
    t[2 * lid + 1] = in[2 * lid + 1];
    for (int d = n >> 1; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < d) {
            int ai = offset * (2 * lid + 1) - 1;
            int bi = offset * (2 * lid + 2) - 1;
            t[bi] += t[ai];
        }
        offset *= 2;
    }
    if (lid == 0) t[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        offset >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < d) {
            int ai = offset * (2 * lid + 1) - 1;
            int bi = offset * (2 * lid + 2) - 1;
            int v = t[ai];
            t[ai] = t[bi];
            t[bi] += v;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[2 * lid] = t[2 * lid];
    out[2 * lid + 1] = t[2 * lid + 1];
})"},
    {"bitonic sort", R"(
__kernel void sort(__global int* x) {
    __local int s[256];
    int lid = get_local_id(0);
    s[lid] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 2; k <= 256; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) {
            int other = lid ^ j;
            if (other > lid) {
                int a = s[lid], b = s[other];
                if ((a > b) == ((lid & k) == 0)) {
                    s[lid] = b;
                    s[other] = a;
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    x[get_global_id(0)] = s[lid];
})"},
};

}  // namespace

TEST_CASE("good reductions get no hints") {
    expect_silence(kReductions);
}
TEST_CASE("good scans and sorts get no hints") {
    expect_silence(kScans);
}
