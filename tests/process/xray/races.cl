// SPDX-License-Identifier: Apache-2.0
// Data races, and code that looks like them.

//// a barrier that is missing before a read is a race, with both places and work-items
__kernel void reverse(__global float* out) {
    __local float t[32];
    const int i = get_local_id(0);
    t[i] = i;  //@ finds data_race space=local subject=t[* item=16 first_item=15 first_place=+1 between_groups=0
    out[get_global_id(0)] = t[31 - i];  //@ finds data_race subject=t[* item=16 first_item=15 first_place=-1 and unset_read
}

//// a barrier that is missing before the next round of a loop is a race
//@ launch a = 0
__kernel void rounds(__global const float* a, __global float* out) {
    __local float t[32];
    const int i = get_local_id(0);
    float sum = 0;
    for (int round = 0; round < 2; ++round) {
        t[i] = a[get_group_id(0) * 32 + i] + round;  //@ finds data_race interval=1
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[31 - i];  //@ finds data_race interval=1
    }
    out[get_global_id(0)] = sum;
}

//// a barrier with the fence of the other memory does not order accesses
__kernel void local_fence(__global int* s, __global int* out) {
    const int i = get_global_id(0);
    s[i] = i + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = s[i ^ 1];  //@ finds data_race space=global fence=global
}
__kernel void global_fence(__global int* s, __global int* out) {
    const int i = get_global_id(0);
    s[i] = i + 1;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = s[i ^ 1];
}
__kernel void before_the_fence(__global int* s, __global int* out) {
    const int i = get_global_id(0);
    s[i] = i + 1;  //@ finds data_race fence=
    s[i ^ 1] = 7;  //@ finds data_race fence=
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[i] = s[i ^ 1];
}

//// a barrier of a sub-group orders its own work-items only, in the memory of its fence
//@ xray sub_group=8
#define ROUNDS(name, fence, other)                \
    __kernel void name(__global int* out) {       \
        __local int t[32];                        \
        const int i = get_local_id(0);            \
        for (int round = 0; round < 2; ++round) { \
            t[i] = i + round;                     \
            sub_group_barrier(fence);             \
            out[get_global_id(0)] = t[other];     \
            sub_group_barrier(fence);             \
        }                                         \
    }
ROUNDS(local_fence, CLK_LOCAL_MEM_FENCE, i ^ 7)
ROUNDS(both_fences, CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, i ^ 7)
ROUNDS(global_fence, CLK_GLOBAL_MEM_FENCE, i ^ 7)  //@ finds data_race
ROUNDS(other_sub_group, CLK_LOCAL_MEM_FENCE, i ^ 8)  //@ finds data_race

//// ++ on a shared counter is a race; an atomic operation is none
#define COUNT(name, add)                                         \
    __kernel void name(__global int* out) {                      \
        __local int n;                                           \
        if (get_local_id(0) == 0) n = 0;                         \
        barrier(CLK_LOCAL_MEM_FENCE);                            \
        add;                                                     \
        barrier(CLK_LOCAL_MEM_FENCE);                            \
        out[get_global_id(0)] = n;                               \
    }
COUNT(plain, n++)  //@ finds data_race
COUNT(atomic, atomic_inc(&n))

//// an atomic operation or a store after it does not hide what a work-item did before
//@ launch out = 0
__kernel void begins_late(__global int* out) {
    __local int n;
    if (get_local_id(0) == 0) n = 0;
    atomic_inc(&n);  //@ finds data_race first_place=-1
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = n;
}
__kernel void ends_early(__global int* out) {
    __local int n;
    if (get_local_id(0) == 0) n = 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) out[get_group_id(0)] = n;
    n = 0;  //@ finds data_race
}
__kernel void changes_nothing(__global int* out) {
    __local int n;
    if (get_local_id(0) == 0) n = 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0) out[get_group_id(0)] = n;
    n = 5;
}

//// groups that write one element race with each other
//@ launch a = 3 5; out[1] = 0
__kernel void add(__global const int* a, __global int* out) {
    if (get_local_id(0) == 0) out[0] += a[get_group_id(0)];  //@ finds data_race between_groups=1 group=1 first_group=0
}

//// a race within a group and one between groups are both told, and what kind of mistake they show
//@ launch x = 1; y = 0
#define I get_global_id(0)
__kernel void shared_element(__global int* x, __global int* y) {
    y[I % 8] = I;  //@ finds data_race between_groups=0 update= and data_race between_groups=1
}
__kernel void histogram(__global int* x, __global int* y) {
    y[x[I]]++;  //@ finds data_race between_groups=0 update=1 and data_race between_groups=1 update=1
}
__kernel void histogram_in_words(__global int* x, __global int* y) {
    y[x[I]] = y[x[I]] + 1;  //@ finds data_race between_groups=0 update=1 and data_race between_groups=1 update=1
}
__kernel void sums(__global int* x, __global int* y) {
    y[x[I]] += I;  //@ finds data_race between_groups=0 update=1 and data_race between_groups=1 update=1
}
__kernel void neighbour(__global int* x, __global int* y) {
    y[I] = y[(I + 1) % 64] + I;  //@ finds data_race between_groups=0 update= and data_race between_groups=1 update=
}

//// two work-items that store to one element are told by the dimension in which alone they differ
//@ launch 8x4 in 8x4; y[8] = 0
__kernel void rows(__global int* y) { y[get_global_id(0)] = get_global_id(1); }  //@ finds data_race one_dimension=1

//// a race is told with the barrier that stands between, and with the sub-group that it needs in lock step
//@ launch 64 in 64; y = 0
__kernel void pairs(__global int* y) {
    __local int t[64];
    const int l = get_local_id(0);
    for (int r = 0; r < 2; ++r) {
        t[l] = r + l;  //@ finds data_race barrier=+1 sub_group=32
        barrier(CLK_LOCAL_MEM_FENCE);
        y[l] += t[l ^ 1];  //@ finds data_race barrier=-1 sub_group=32
    }
}
__kernel void reversed(__global int* y) {
    __local int t[64];
    const int l = get_local_id(0);
    for (int r = 0; r < 2; ++r) {
        t[l] = r + l;  //@ finds data_race sub_group=
        barrier(CLK_LOCAL_MEM_FENCE);
        y[l] += t[63 - l];  //@ finds data_race sub_group=
    }
}

//// a plain read of what others change by atomic operations is a race
//@ launch n[1] = 0; out[1]
__kernel void read_plainly(__global int* n, __global int* out) {
    atomic_inc(n);  //@ finds data_race
    if (get_global_id(0) == 31) *out = *n;  //@ finds data_race
}

//// what others store and read with no barrier between is found, in the steps of a tree and in place
//@ launch x = 0; n = 3
__kernel void steps(__global float* x, int n) {
    __local float w[64], u[32], v[4][8];
    __local int first;
    const int l = get_local_id(0);
    w[l] = w[l + 32] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 32; s > 0; s >>= 1)
        if (l < s) w[l] += w[l + s];  //@ finds data_race subject=w*
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) first = n;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 31) first = n + 1;  //@ finds data_race subject=first
    x[get_global_id(0)] += first;
    u[l] = l;
    v[l / 8][l % 8] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    const float left = u[31 - l];  //@ finds data_race subject=u*
    u[l] = left;
    v[l / 8][l % 8] += v[l / 8][0];  //@ finds data_race subject=v*
}

//// a store of one component of a vector is no access to its neighbours
//@ launch out[32]
__kernel void components(__global float4* out) {
    __local float4 t[8];
    float4 mine[2];
    const int i = get_local_id(0);
    if (i % 4 == 0) t[i / 4].x = 1;
    else if (i % 4 == 1) t[i / 4].y = 2;
    else if (i % 4 == 2) t[i / 4].z = 3;
    else t[i / 4].w = 4;
    barrier(CLK_LOCAL_MEM_FENCE);
    mine[0].x = t[i / 4].y;
    mine[0].yzw = t[i / 4].xzw;
    const int g = get_global_id(0);
    if (g % 2 == 0) out[g / 2].lo = mine[0].lo;
    else out[g / 2].hi = mine[0].hi;
}

//// work-items that store the same value do not race
//@ launch a = 0; found[1] = 0
__kernel void search(__global const int* a, __global int* found, __global int* out) {
    if (a[get_global_id(0)] == 0) found[0] = 1;
    out[get_global_id(0)] = 0;
}

//// compare and exchange does not race, although it reads first
//@ launch a = 1 14 27 8 21 2 15 28 9 22 3 16 29 10 23 4 17 30 11 24 5 18 31 12 25 6 19 32 13 26 7 20; sum[1] = 0; most[1] = 0
__kernel void sum(__global const float* a, __global float* sum) {
    volatile __global int* p = (volatile __global int*)sum;
    int seen, old = *p;
    do {
        seen = old;
        old = atomic_cmpxchg(p, seen, as_int(as_float(seen) + a[get_global_id(0)]));
    } while (old != seen);
}
__kernel void maximum(__global const int* a, __global int* most) {
    volatile __global int* p = (volatile __global int*)most;
    int seen = *p;
    while (seen < a[get_global_id(0)]) {  // a work-item may read and not try
        const int before = seen;
        seen = atomic_cmpxchg(p, before, a[get_global_id(0)]);
        if (seen == before) return;
    }
}

//// a compare and exchange that fails stores nothing, so others may read
#define TAKE(name, add)                                         \
    __kernel void name(__global int* out) {                     \
        __local int n;                                          \
        const int l = get_local_id(0);                          \
        if (l == 0) n = 0;                                      \
        for (int i = 0, mine = -1; i < 32; ++i) {               \
            barrier(CLK_LOCAL_MEM_FENCE);                       \
            const int before = n;                               \
            barrier(CLK_LOCAL_MEM_FENCE);                       \
            if (mine < 0 && add == before)                      \
                out[get_global_id(0)] = mine = n;               \
        }                                                       \
    }
TAKE(compares, atomic_cmpxchg(&n, before, before + 1))
TAKE(always_adds, atomic_inc(&n))  //@ finds data_race

//// atomic_xchg sets what nobody has set
//@ launch last[1]
__kernel void exchange(__global int* out, __global float* last) {
    atomic_xchg(out + get_global_id(0), 1);
    atomic_xchg(last, 2.0f);
    atomic_inc(out + get_global_id(0));
}
__kernel void add_to_nothing(__global int* out) {
    atomic_add(out + get_global_id(0), 1);  //@ finds unset_read
    atomic_inc(out + get_global_id(0));
}

//// the last group may read what groups have written before a fence and an atomic operation
//@ launch a[2]; part[2]; count[1] = 0; out[1]
#define LAST(name, fence)                                                                                        \
    __kernel void name(__global const float* a, __global float* part, __global int* count, __global float* out) { \
        __local int is_last;                                                                                     \
        const int l = get_local_id(0);                                                                           \
        if (l == 0) {                                                                                            \
            part[get_group_id(0)] = a[get_group_id(0)];                                                          \
            fence;                                                                                               \
            is_last = atomic_inc(count) == get_num_groups(0) - 1;                                                \
        }                                                                                                        \
        barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
        if (!is_last || l != 0) return;                                                                          \
        float sum = 0;                                                                                           \
        for (int i = 0; i < get_num_groups(0); ++i) sum += part[i];                                              \
        out[0] = sum;                                                                                            \
    }
LAST(with_fence, mem_fence(CLK_GLOBAL_MEM_FENCE))
LAST(without_fence, )  //@ finds data_race

//// within a group, a fence and an atomic operation order, too: the last work-item
//@ launch out[2] = 0
__kernel void fence_before(__global int* out) {
    __local int x[32], done;
    const int l = get_local_id(0);
    if (l == 0) done = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    x[l] = l;
    mem_fence(CLK_LOCAL_MEM_FENCE);
    if (atomic_inc(&done) != 31) return;
    int sum = 0;
    for (int i = 0; i < 32; ++i) sum += x[i];
    out[get_group_id(0)] = sum;
}
__kernel void fence_after(__global int* out) {
    __local int x[32], done;
    const int l = get_local_id(0);
    if (l == 0) done = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    x[l] = l;
    if (atomic_inc(&done) != 31) return;
    mem_fence(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int i = 0; i < 32; ++i) sum += x[i];  //@ finds data_race
    out[get_group_id(0)] = sum;
}

//// a lock with fences orders what it guards, but no progress is promised
//@ launch out[2] = 0; lock[1] = 0
__kernel void guarded(__global int* out, __global int* lock) {
    while (atomic_cmpxchg(lock, 0, 1) == 1);  //@ finds waits_for_others
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    out[0] = out[0] + 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0);
}

//// a lock does not order what comes after its release
//@ launch out[2] = 0; lock[1] = 0
__kernel void after_the_release(__global int* out, __global int* lock) {
    while (atomic_cmpxchg(lock, 0, 1) == 1);  //@ finds waits_for_others
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    out[0] = out[0] + 1;  //@ finds data_race
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0);
    out[0] = 7 + get_global_id(0);  //@ finds data_race
}

//// asynchronous copies are ordered by wait_group_events, and race without it
//@ launch a = 0
__kernel void waits(__global const float* a, __global float* out) {
    __local float t[32];
    event_t e = async_work_group_copy(t, a + get_group_id(0) * 32, 32, 0);
    wait_group_events(1, &e);
    out[get_global_id(0)] = t[31 - get_local_id(0)];
}
__kernel void never_waits(__global const float* a, __global float* out) {
    __local float t[32];
    event_t e = async_work_group_copy(t, a + get_group_id(0) * 32, 32, 0);
    out[get_global_id(0)] = t[31 - get_local_id(0)];  //@ finds data_race
}
__kernel void has_a_barrier(__global const float* a, __global float* out) {
    __local float t[32];
    event_t e = async_work_group_copy(t, a + get_group_id(0) * 32, 32, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[31 - get_local_id(0)];  //@ finds data_race first_item=group* fence=
}
__kernel void waits_after_a_barrier(__global const float* a, __global float* out) {
    __local float t[32];
    event_t e = async_work_group_copy(t, a + get_group_id(0) * 32, 32, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    wait_group_events(1, &e);
    out[get_global_id(0)] = t[31 - get_local_id(0)];
}

//// what functions store through a pointer is told where others store
//@ launch a = 0
#define BEGIN const int i = get_global_id(0), l = get_local_id(0); __local float t[34];
__kernel void sines(__global float* out) { BEGIN float s = sincos((float)i, t); out[i] = s; }  //@ finds data_race
__kernel void pairs(__global const float* a, __global float* out) {
    BEGIN vstore2((float2)(a[i], i), 0, t + l);  //@ finds data_race
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = t[l];
}
__kernel void triples(__global float* out) { BEGIN if (i < 62) vstore3((float3)(i), 0, out + i); }  //@ finds data_race

//// loops with barriers that all work-items leave together are right: rounds, jobs, pipelines, sorts
//@ launch x = 0 37 10 47 20 57 30 3 40 13 50 23 60 33 6 43 16 53 26 63 36 9 46 19 56 29 2 39 12 49 22 59; next[1] = 0
#define KERNEL(name) __kernel void name(__global int* x, __global int* next)
#define HEAD const int lid = get_local_id(0), g = get_global_id(0); __local int s[32];
KERNEL(until_nothing_changes) {
    HEAD
    __local int changed;
    s[lid] = x[g];
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
    x[g] = s[lid];
}
KERNEL(work_handed_out_to_groups) {
    HEAD
    __local int job;
    for (;;) {
        if (lid == 0) job = atomic_inc(next);
        barrier(CLK_LOCAL_MEM_FENCE);
        const int mine = job;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (mine >= 2) break;
        x[mine * 32 + lid] *= 2;
    }
}
KERNEL(pipeline_that_loads_its_first_tile_in_the_loop) {
    HEAD
    int sum = 0;
    for (int i = 0; i <= 64; i += 32) {
        if (i > 0)
            for (int k = 0; k < 32; ++k) sum += s[k];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (i < 64) s[lid] = i + lid;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    x[g] = sum;
}
KERNEL(bitonic_sort) {
    HEAD
    s[lid] = x[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 2; k <= 32; k <<= 1)
        for (int j = k >> 1; j > 0; j >>= 1) {
            const int other = lid ^ j;
            if (other > lid) {
                const int a = s[lid], b = s[other];
                if ((a > b) == ((lid & k) == 0)) {
                    s[lid] = b;
                    s[other] = a;
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    x[g] = s[lid];
}
KERNEL(vectors_in_memory_of_another_type_and_strips) {
    HEAD
    __local int strips[32][8];
    __local int4* const v = (__local int4*)s;
    if (lid < 8) v[lid] = vload4(lid, x);
    for (int i = 0; i < 8; ++i) strips[lid][i] = x[g];
    for (int i = 1; i < 8; ++i) strips[lid][i] += strips[lid][i - 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    next[0] = 0;
    if (lid == 0 && g == 0) next[0] = 0;
    strips[lid][0] = s[lid] + s[31 - lid];
}
