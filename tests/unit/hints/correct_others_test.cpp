// Good kernels of other kinds: atomics, early returns, rounds, strips, copies, branches.
#include <doctest/doctest.h>

#include "correct_kernels.hpp"

using namespace kwb;

namespace {

const CorrectKernel kOthers[] = {
    {"histogram with local atomics", R"(
#define BINS 256
__kernel void histogram(__global const uchar* in, __global uint* out, uint n) {
    __local uint h[BINS];
    for (uint b = get_local_id(0); b < BINS; b += get_local_size(0)) h[b] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&h[in[i]]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint b = get_local_id(0); b < BINS; b += get_local_size(0)) atomic_add(&out[b], h[b]);
})"},
    {"a return that a whole group takes", R"(
__kernel void blocks(__global const int* list, __global float* x, int count) {
    __local float s[64];
    const int block = get_group_id(0);
    if (block >= count) return;
    const int which = list[block];
    if (which < 0) return;
    const int start = get_global_id(0) - get_local_id(0);
    if (start > count * 64 || get_global_id(0) / get_local_size(0) > 1000) return;
    s[get_local_id(0)] = x[which * 64 + get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[which * 64 + get_local_id(0)] = s[63 - get_local_id(0)];
})"},
    {"no barrier, so anybody may leave", R"(
__kernel void saxpy(__global float* y, __global const float* x, float a, int n) {
    int i = get_global_id(0);
    if (i >= n) return;
    for (int k = 0; k < i; ++k) {
        if (x[k] < 0) break;
        if (x[k] > 9) continue;
        y[i] += a * x[k];
    }
})"},
    {"an early return behind the last barrier", R"(
__kernel void shift(__global float* x, int n) {
    __local float s[64];
    int i = get_global_id(0), lid = get_local_id(0);
    s[lid] = i < n ? x[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i >= n) return;
    x[i] = s[(lid + 1) % 64];
})"},
    {"rounds until nothing changes", R"(
__kernel void settle(__global int* x, int n) {
    __local int s[256];
    __local int changed;
    const int lid = get_local_id(0);
    s[lid] = lid < n ? x[lid] : 0;
    int again;
    do {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid == 0) changed = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        int best = s[lid];
        if (lid > 0) best = max(best, s[lid - 1]);
        barrier(CLK_LOCAL_MEM_FENCE);
        if (best != s[lid]) {
            s[lid] = best;
            changed = 1;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        again = changed;
    } while (again);
    if (lid < n) x[lid] = s[lid];
})"},
    {"work handed out to groups", R"(
__kernel void work(__global int* next, __global float* x, int jobs) {
    __local int job;
    for (;;) {
        if (get_local_id(0) == 0) job = atomic_inc(next);
        barrier(CLK_LOCAL_MEM_FENCE);
        const int mine = job;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (mine >= jobs) break;
        x[mine * get_local_size(0) + get_local_id(0)] *= 2;
    }
})"},
    {"a strip of local memory for each work-item", R"(
#define R 8
__kernel void strips(__global float* x) {
    __local float s[64 * R];
    __local float t[64][R];
    int lid = get_local_id(0);
    for (int i = 0; i < R; ++i) s[lid * R + i] = t[lid][i] = x[get_global_id(0) * R + i];
    for (int i = 1; i < R; ++i) {
        s[lid * R + i] += s[lid * R + i - 1];
        t[lid][i] = t[lid][i - 1] * 2;
    }
    for (int k = 0; k < R; ++k) x[get_global_id(0) * R + k] = s[lid * R + k] + t[lid][R - 1 - k];
})"},
    {"accumulators set under conditions and in helpers", R"(
void clear(float* v, int n) { for (int i = 0; i < n; ++i) v[i] = 0; }
__kernel void sums(__global const float* x, __global float* out, int n) {
    float a, b, c[4], d;
    float4 e;
    int count;
    clear(c, 4);
    e.xyzw = 0.0f;
    for (int i = 0; i < n; ++i) {
        if (i == 0) a = x[i]; else a += x[i];
        c[i % 4] += x[i];
        e.x += x[i];
    }
    if (n > 3) b = 1; else b = 2;
    b += 1;
    d = b = b + a;
    d *= 2;
    for (count = 0; count < 4; count++) d += c[count];
    out[get_global_id(0)] = d + e.x;
})"},
    {"a border in two dimensions", R"(
__kernel void border(__global const float* in, __global float* out, int w, int h, int r) {
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h) return;
    if (x < r || y < r || x >= w - r || y >= h - r) { out[y * w + x] = 0; return; }
    if (x < r && y < r) return;
    if (x < 1 || y < 1) out[y * w + x] = in[y * w + x];
    out[y * w + x] = in[y * w + x + 1];
})"},
    {"tiles loaded in a pipeline, the first one in the loop", R"(
#define WG 64
__kernel void pipe(__global const float* in, __global float* out, int n) {
    __local float t[WG];
    const int lid = get_local_id(0);
    float sum = 0;
    for (int i = 0; i <= n; i += WG) {
        if (i > 0)
            for (int k = 0; k < WG; ++k) sum += t[k];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < n) t[lid] = in[i + lid];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
})"},
    {"asynchronous copy", R"(
__kernel void copy(__global const float* in, __global float* out) {
    __local float t[256];
    event_t e = async_work_group_copy(t, in + get_group_id(0) * 256, 256, 0);
    wait_group_events(1, &e);
    out[get_global_id(0)] = t[get_local_id(0)] + t[255 - get_local_id(0)];
})"},
    {"local memory in vectors through a pointer of another type", R"(
__kernel void vectors(__global const float4* in, __global float4* out) {
    __local float t[256];
    __local float4* v = (__local float4*)t;
    v[get_local_id(0)] = in[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = (float4)(t[get_local_id(0)], t[1], t[2], t[3]) + vload4(get_local_id(0), t);
})"},
    {"a switch and a uniform branch around a barrier", R"(
__kernel void modes(__global float* x, int mode, int n) {
    __local float t[64];
    int lid = get_local_id(0);
    t[lid] = x[lid];
    switch (mode) {
        case 0: barrier(CLK_LOCAL_MEM_FENCE); x[lid] = t[63 - lid]; break;
        default: break;
    }
    if (n > 10) { barrier(CLK_LOCAL_MEM_FENCE); }
    for (int i = lid; i < 1024; i += 64) { barrier(CLK_LOCAL_MEM_FENCE); x[i] = i; }
})"},
};

}  // namespace

TEST_CASE("other good kernels get no hints") {
    expect_silence(kOthers);
}
