#include <doctest/doctest.h>

#include "expect_hints.hpp"

using namespace kwb;

// Correct reductions, scans and sorts: work-items of a group exchange values step by step.

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

// Correct kernels of other kinds: atomics, early returns, loops, strips, copies, branches.

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
