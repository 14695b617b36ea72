// SPDX-License-Identifier: Apache-2.0
// Right code that looks like the kinds of faults.
//@ launch x = 0 5 2 7 4 1 6; y = 0; f = 0; n = 40
#define KIND(name) __kernel void name(__global int* x, __global int* y, __global float* f, __global int* s, int n)
#define HEAD const int i = get_global_id(0), l = get_local_id(0), g = get_group_id(0); __local int t[64];
#define LOCAL_BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define GLOBAL_BARRIER barrier(CLK_GLOBAL_MEM_FENCE)
typedef struct { int a; uchar4 c; float2 v; } item_t;
int sum(__local int* p, int m) { int r = 0; for (int k = 0; k < m; ++k) r += p[k]; return r; }
void meet(void) { barrier(CLK_LOCAL_MEM_FENCE); }
int odd(int k) { return k & 1; }

//// right code in __local memory
KIND(tile) { HEAD t[l] = x[i]; LOCAL_BARRIER; y[i] = t[31 - l]; }
KIND(rounds) { HEAD for (int r = 0; r < 3; ++r) { t[l] = i + r; LOCAL_BARRIER; y[i] += t[31 - l]; LOCAL_BARRIER;
    } }
KIND(two_tiles) { HEAD for (int r = 0; r < 3; ++r) { t[32 * (r & 1) + l] = i; LOCAL_BARRIER;
    y[i] += t[32 * (r & 1) + 31 - l]; } }
KIND(tree) { HEAD t[l] = x[i]; for (int k = 16; k > 0; k /= 2) { LOCAL_BARRIER; if (l < k) t[l] += t[l + k]; }
    if (l == 0) y[g] = t[0]; }
KIND(textbook_tree) { HEAD t[l] = x[i]; LOCAL_BARRIER; for (int k = 1; k < 32; k *= 2) {
    if (l % (2 * k) == 0) t[l] += t[l + k]; LOCAL_BARRIER; } }
KIND(prefix_two_buffers) { HEAD int a = 0, b = 32; t[l] = x[i]; for (int k = 1; k < 32; k *= 2) { LOCAL_BARRIER;
    t[b + l] = t[a + l] + (l >= k ? t[a + l - k] : 0); int c = a; a = b; b = c; } }
KIND(prefix_held) { HEAD t[l] = x[i]; LOCAL_BARRIER; for (int k = 1; k < 32; k *= 2) {
    int v = l >= k ? t[l - k] : 0; LOCAL_BARRIER; t[l] += v; LOCAL_BARRIER; } }
KIND(histogram) { HEAD if (l < 8) t[l] = 0; LOCAL_BARRIER; atomic_inc(&t[x[i] & 7]); LOCAL_BARRIER;
    if (l < 8) y[g * 8 + l] = t[l]; }
KIND(own_element_first) { HEAD t[l] = i; t[l] += 1; y[i] = t[l]; }
KIND(same_value) { HEAD t[5] = n; LOCAL_BARRIER; y[i] = t[5]; }
KIND(both_fences) { HEAD t[l] = i; barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE); y[i] = t[31 - l]; }
KIND(barrier_in_a_function) { HEAD t[l] = i; meet(); y[i] = t[31 - l]; }
KIND(read_before_the_loop) { HEAD t[l] = i; LOCAL_BARRIER; int a = t[31 - l]; LOCAL_BARRIER; t[l] = a; }
KIND(one_writes_many_read) { HEAD if (l == 0) t[0] = n; LOCAL_BARRIER; y[i] = t[0] + sum(t, 1); }
KIND(swap_pairs) { HEAD t[l] = x[i]; LOCAL_BARRIER; if (!odd(l)) { int a = t[l]; t[l] = t[l + 1]; t[l + 1] = a;
    } LOCAL_BARRIER; y[i] = t[l]; }
KIND(bytes_of_their_own) { HEAD ((__local uchar*)t)[l] = (uchar)i; LOCAL_BARRIER;
    y[i] = ((__local uchar*)t)[31 - l]; }
KIND(components_of_their_own) { HEAD __local int4 v[8]; int k = l & 3;
    __local int* p = (__local int*)&v[l >> 2]; p[k] = i; LOCAL_BARRIER; y[i] = v[l >> 2].y; }
KIND(members_of_their_own) { HEAD __local item_t p[32]; p[l].a = i; p[l].c = (uchar4)(1); p[l].v.x = 1;
    p[l].v.y = 2; LOCAL_BARRIER; y[i] = p[31 - l].a + p[31 - l].c.x + (int)p[31 - l].v.y; }
KIND(condition_of_the_group) { HEAD if (g == 0) { t[l] = i; LOCAL_BARRIER; y[i] = t[31 - l]; } }
KIND(condition_of_an_argument) { HEAD t[l] = i; if (n == 40) LOCAL_BARRIER; y[i] = t[31 - l]; }
KIND(shared_loop_bound) { HEAD if (l == 0) t[0] = n; LOCAL_BARRIER; for (int k = 0; k < t[0]; k += 20) meet(); }
KIND(hand_over) { HEAD if (l < 2) t[l] = 0; LOCAL_BARRIER; if (l == 0) { t[1] = 7;
    mem_fence(CLK_LOCAL_MEM_FENCE); atomic_xchg(&t[0], 1); } else if (atomic_add(&t[0], 0)) y[i] = t[1]; }
KIND(until_nothing_changes) { HEAD t[l] = x[i]; t[l + 32] = 1; int go; do { LOCAL_BARRIER;
    if (l == 0) t[32] = 0; LOCAL_BARRIER; int b = l > 0 ? max(t[l], t[l - 1]) : t[l]; LOCAL_BARRIER;
    if (b != t[l]) { t[l] = b; t[32] = 1; } LOCAL_BARRIER; go = t[32]; } while (go); }
KIND(sub_group_parts) { HEAD t[l] = i; sub_group_barrier(CLK_LOCAL_MEM_FENCE); y[i] = t[31 - l]; }
KIND(group_functions) {
    HEAD y[i] = work_group_reduce_add(x[i]) + work_group_scan_inclusive_add(i) + work_group_broadcast(l, 3); }
KIND(queue) { HEAD if (l == 0) t[0] = 0; LOCAL_BARRIER; if (odd(i)) t[1 + atomic_inc(&t[0])] = i; LOCAL_BARRIER;
    if (l < t[0]) y[i] = t[1 + l]; }

//// right code in global and private memory, and with vectors
KIND(copy) { HEAD y[i] = x[i]; }
KIND(guard) { HEAD if (i < n) y[i] = x[i]; }
KIND(strided_loop) { HEAD for (int k = i; k < 64; k += get_global_size(0)) y[k] = x[k]; }
KIND(atomic_sum) { HEAD atomic_add(&y[0], x[i]); }
KIND(groups_of_their_own) { HEAD y[g * 32 + 31 - l] = i; }
KIND(gather) { HEAD y[i] = x[(i + 1) % 64] + x[(i + 63) % 64]; }
KIND(barrier_and_global) { HEAD y[i] = i; GLOBAL_BARRIER; f[i] = (float)y[i ^ 1]; }
KIND(float_sum) { HEAD uint o, w; do { o = as_uint(f[0]); w = as_uint(as_float(o) + 1.0f); }
    while (atomic_cmpxchg((volatile __global uint*)f, o, w) != o); }
KIND(last_group_finishes) { HEAD __local int last; if (l == 0) { y[32 + g] = x[g] + 1;
    write_mem_fence(CLK_GLOBAL_MEM_FENCE); last = atomic_inc(&y[60]) == 1; } LOCAL_BARRIER;
    if (last && l == 0) { read_mem_fence(CLK_GLOBAL_MEM_FENCE); y[40] = y[32] + y[33]; } }
KIND(private_array) { HEAD int p[4]; for (int k = 0; k < 4; ++k) p[k] = x[k]; y[i] = p[l & 3]; }
KIND(private_vectors) { HEAD uchar4 c[4]; c[0].s0 = (uchar)i; c[0].s1 = 1; c[1].xy = (uchar2)(1, 2);
    y[i] = c[0].s0 + c[1].y; }
KIND(private_pairs) { HEAD short2 c[4]; c[l & 3].y = (short)i; char2 d[2]; d[1].x = 1;
    y[i] = c[l & 3].y + d[1].x; }
KIND(private_halves) { HEAD int8 a[2]; a[1].lo = (int4)(1); a[1].hi.x = 2; float16 b[1]; b[0].s0f = (float2)(1);
    y[i] = a[1].s2 + (int)b[0].sf; }
KIND(private_threes) { HEAD float3 v[2]; v[1].z = 1; int3 w[2]; w[0].xz = (int2)(1, 2);
    y[i] = (int)v[1].z + w[0].z; }
KIND(private_doubles) { HEAD long2 a[2]; a[0].y = i; double4 b[2]; b[1].w = 1; y[i] = (int)(a[0].y + b[1].w); }
KIND(private_members) { HEAD item_t p[2]; p[1].c.z = 3; p[1].v.y = 2; y[i] = p[1].c.z + (int)p[1].v.y; }
KIND(private_pointer) { HEAD uchar4 c[4]; uchar4* p = c + 1; p->w = 1; p[1].x = 2; y[i] = c[1].w + c[2].x; }
KIND(one_private_vector) { HEAD uchar4 c; c.x = 1; uchar4* p = &c; p->y = 2; y[i] = c.x + c.y; }
KIND(local_vectors) { HEAD __local uchar4 c[32]; c[l].s0 = (uchar)i; c[l].w = 1; y[i] = c[l].s0 + c[l].w; }
KIND(local_members) { HEAD __local item_t p[32]; p[l].c.y = 1; p[l].v.x = 2; y[i] = p[l].c.y + (int)p[l].v.x; }
KIND(local_pointer) { HEAD __local ushort2 c[64]; __local ushort2* p = c + l; p->y = 7; p[32].x = 1;
    y[i] = c[l].y + c[l + 32].x; }
KIND(scratch_bytes) { HEAD ((__global uchar4*)s)[i].x = 1; ((__global uchar4*)s)[i].zw = (uchar2)(2);
    y[i] = ((__global uchar4*)s)[i].z; }
KIND(scratch) { HEAD s[i] = i; y[i] = s[i]; }
KIND(vload) { HEAD y[i] = vload4(i / 4, x).x + vload3(i / 4, x).y; vstore2((float2)(1), 0, f + (i & ~1)); }
KIND(guarded_division) { HEAD y[i] = x[i] != 0 ? n / x[i] : 0; }
KIND(wide_product) { HEAD y[i] = (int)(((long)n * 60000000) >> 20) + (int)(4000000000u + n); }
KIND(inside_by_condition) { HEAD for (int k = 0; k <= 64; ++k) if (k < 64 && k == i) y[k] = 1; }
KIND(pointer_to_the_end) { HEAD __local int* end = t + 64;
    for (__local int* p = t + l * 2; p < t + l * 2 + 2; ++p) *p = 1; y[i] = end - t; }
KIND(loop_instead_of_recursion) { HEAD int r = 0; for (int k = l; k > 0; --k) r += k; y[i] = r; }

//// right asynchronous copies
KIND(one) { HEAD event_t e = async_work_group_copy(t, x + g * 32, 32, 0); wait_group_events(1, &e);
    y[i] = t[31 - l]; }
KIND(one_event_for_two) { HEAD event_t e = async_work_group_copy(t, x, 32, 0);
    e = async_work_group_copy(t + 32, x, 32, e); wait_group_events(1, &e); y[i] = t[l] + t[l + 32]; }
KIND(two_events) { HEAD event_t e[2]; e[0] = async_work_group_copy(t, x, 32, 0);
    e[1] = async_work_group_copy(t + 32, x, 32, 0); wait_group_events(2, e); y[i] = t[l] + t[l + 32]; }
KIND(one_after_the_other) { HEAD event_t a = async_work_group_copy(t, x, 32, 0);
    event_t b = async_work_group_copy(t + 32, x, 32, 0); wait_group_events(1, &a); y[i] = t[l];
    wait_group_events(1, &b); y[i] += t[l + 32]; }
KIND(back) { HEAD t[l] = i; LOCAL_BARRIER; event_t e = async_work_group_copy(y + g * 32, t, 32, 0);
    wait_group_events(1, &e); }
KIND(strided) { HEAD event_t e = async_work_group_strided_copy(t, x + g, 16, 2, 0); wait_group_events(1, &e);
    if (l < 16) y[i] = t[l]; }
KIND(rounds) { HEAD event_t e = async_work_group_copy(t, x, 32, 0); for (int r = 0; r < 2; ++r) {
    wait_group_events(1, &e); int v = t[31 - l]; LOCAL_BARRIER;
    if (r == 0) e = async_work_group_copy(t, x + 32, 32, 0); y[i] += v; } }
KIND(two_tiles) { HEAD event_t e[2]; e[0] = async_work_group_copy(t, x, 32, 0); for (int r = 0; r < 2; ++r) {
    if (r == 0) e[1] = async_work_group_copy(t + 32, x + 32, 32, 0); wait_group_events(1, e + r);
    y[i] += t[32 * r + l]; } }
KIND(both_read_the_source) { HEAD event_t e = async_work_group_copy(t, x, 32, 0); y[i] = x[i];
    wait_group_events(1, &e); y[i] += t[l]; }
