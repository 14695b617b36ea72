// SPDX-License-Identifier: Apache-2.0
// Barriers that not all work-items reach, and loops that wait for others.

//// a barrier that only some work-items reach is told with one that waits and one that does not
__kernel void some(__global int* out) {
    if (get_local_id(0) < 16)
        barrier(CLK_LOCAL_MEM_FENCE);  //@ finds divergent_barrier waiting=16 items=32 other_place=
    out[get_global_id(0)] = 1;
}

//// different barriers in the two branches of a condition are told with both places
__kernel void both(__global int* out) {
    if (get_local_id(0) < 16)
        barrier(CLK_LOCAL_MEM_FENCE);  //@ finds divergent_barrier other_place=+2
    else
        barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
}

//// a barrier that only some work-items of a group reach, however they miss it, is divergent
//@ launch x = 1 0; n = 40
int odd(int i) { return i % 2; }
void wait(void) { barrier(CLK_LOCAL_MEM_FENCE); }  //@ finds divergent_barrier
#define KERNEL(name) __kernel void name(__global int* x, int n)
#define HEAD const int i = get_global_id(0), l = get_local_id(0);
#define FENCE CLK_LOCAL_MEM_FENCE
KERNEL(some_loop) { HEAD int m = l % 3; while (m++ < 3) barrier(FENCE); }  //@ finds divergent_barrier
KERNEL(strided) { HEAD for (int e = l; e < 70; e += 32) barrier(FENCE); }  //@ finds divergent_barrier
KERNEL(do_while) { HEAD int m = 1 + l / 16; do { barrier(FENCE); } while (--m > 0); }  //@ finds divergent_barrier
KERNEL(one_case) { HEAD switch (x[i]) { case 1: barrier(FENCE); } }  //@ finds divergent_barrier
KERNEL(chosen) { HEAD odd(l) ? barrier(FENCE) : (void)0; }  //@ finds divergent_barrier
KERNEL(in_a_function) { HEAD if (odd(l)) wait(); }
KERNEL(guarded) { HEAD if (i >= n) return; barrier(FENCE); }  //@ finds divergent_barrier
KERNEL(left) { HEAD for (int k = 0; k < 3; ++k) { barrier(FENCE); if (l > k) break; } }  //@ finds divergent_barrier
KERNEL(continued) { HEAD for (int k = 0; k < 3; ++k) { if (l == k) continue; barrier(FENCE); } }  //@ finds divergent_barrier
KERNEL(jumped_over) { HEAD if (i >= n) goto end; barrier(FENCE); end:; }  //@ finds divergent_barrier

//// a barrier that all work-items of a group reach or miss together is not divergent
//@ launch x = 1 0; n = 40
void wait(void) { barrier(CLK_LOCAL_MEM_FENCE); }
__kernel void together(__global int* x, int n) {
    const int i = get_global_id(0), l = get_local_id(0);
    for (int e = l; e < 64; e += 32) barrier(CLK_LOCAL_MEM_FENCE);
    if (get_group_id(0) == 0) wait();
    if (i / 32 < n && i - l >= 0) wait();
    switch (n) { case 40: wait(); }
    for (int s = 16; s > 0; s /= 2) {
        if (l < s) x[i] = s;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (i >= n) goto loaded;
    x[i] = 1;
loaded:
    wait();
    if (get_group_id(0) > 0) return;
    wait();
    if (l > 3) return;
    x[i] = 1;
}

//// a work-group of one work-item needs no barriers
//@ launch 64 in 1; x = 0
__kernel void alone(__global float* x) {
    __local float t[2];
    t[0] = x[get_global_id(0)];
    t[1] = t[0] + 1;
    x[get_global_id(0)] = t[1];
}

//// barriers that work-items reach are told by their places, others are not
__kernel void three(__global const int* a, __global int* out) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (a[0] > 100) barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
}
//@ report barriers = 2 items, barriers/0/line = 5, barriers/1/line = 8

//// a loop that waits for a lock depends on another work-item, goes on, and ends
//@ launch 64 in 64; x[4] = 0; y = 0
__kernel void waits(volatile __global int* x, __global int* y) {
    const int l = get_local_id(0);
    while (atomic_cmpxchg(x, 0, 1));  //@ finds waits_for_others subject=x[* endless=0
    y[l] += l;
    atomic_xchg(x, 0);
}
//@ report launches/0/observed_groups = 1

//// a loop that waits for an exchange depends on another work-item, goes on, and ends
//@ launch 64 in 64; x[4] = 0; y = 0
__kernel void waits(volatile __global int* x, __global int* y) {
    const int l = get_local_id(0);
    while (atomic_xchg(x, 1));  //@ finds waits_for_others subject=x[* endless=0
    y[l] = l;
    atomic_xchg(x, 0);
}
//@ report launches/0/observed_groups = 1

//// a loop that waits for a ticket depends on another work-item, goes on, and ends
//@ launch 64 in 64; x[4] = 0; y = 0
__kernel void waits(volatile __global int* x, __global int* y) {
    const int l = get_local_id(0);
    int mine = atomic_inc(x);
    while (atomic_add(x + 1, 0) != mine);  //@ finds waits_for_others subject=x[* endless=0
    y[l] = mine;
    atomic_inc(x + 1);
}
//@ report launches/0/observed_groups = 1

//// a loop that waits for its turn depends on another work-item, goes on, and ends
//@ launch 64 in 64; x[4] = 0; y = 0
__kernel void waits(volatile __global int* x, __global int* y) {
    const int l = get_local_id(0);
    while (atomic_cmpxchg(x, l, l + 1) != l);  //@ finds waits_for_others subject=x[* endless=0
    y[l] = l;
}
//@ report launches/0/observed_groups = 1

//// a loop that waits for a bit depends on another work-item, goes on, and ends
//@ launch 64 in 64; x[4] = 0; y = 0
__kernel void waits(volatile __global int* x, __global int* y) {
    const int l = get_local_id(0);
    while (atomic_or(x, 1));  //@ finds waits_for_others subject=x[* endless=0
    y[l] = l;
    atomic_and(x, 0);
}
//@ report launches/0/observed_groups = 1

//// a loop that waits for a lock that it tries in its body depends on another work-item, goes on, and ends
//@ launch 64 in 64; x[4] = 0; y = 0
__kernel void waits(volatile __global int* x, __global int* y) {
    const int l = get_local_id(0);
    int done = 0;
    while (!done)
        if (atomic_cmpxchg(x, 0, 1) == 0) {  //@ finds waits_for_others subject=x[* endless=0
            y[l] = l;
            atomic_xchg(x, 0);
            done = 1;
        }
}
//@ report launches/0/observed_groups = 1

//// a loop that waits for what never comes
//@ launch 64 in 64; x[4] = 0; y = 0
__kernel void endless(volatile __global int* x, __global int* y) {
    const int l = get_local_id(0);
    if (l == 0) while (atomic_add(x, 0) == 0);  //@ finds waits_for_others endless=1
    y[l] = l;
}

//// loops that try again, and need nobody
//@ launch 64 in 64; x[4] = 0; y = 0
//@ xray
//@ xray seed=1
#define KERNEL(name) __kernel void name(volatile __global int* x, __global int* y)
#define HEAD const int l = get_local_id(0);
KERNEL(sum) { HEAD int o; do { o = x[0]; } while (atomic_cmpxchg(x, o, o + l) != o); }
KERNEL(maximum) { HEAD int o = x[0], seen; while ((seen = atomic_cmpxchg(x, o, max(o, l))) != o) o = seen; }
KERNEL(limited) { HEAD for (int t = 0; t < 1000; ++t) if (atomic_cmpxchg(x, 5, 1) == 5) break; }
KERNEL(counted) { HEAD for (int t = 0; t < 300; ++t) atomic_max(x, t & 3); }
KERNEL(reads) { HEAD for (int t = 0; t < 500; ++t) y[l] += atomic_add(x, 0); }
