// SPDX-License-Identifier: Apache-2.0
// What an observation counts.

//// accesses are counted for each element and for each access of the source
//@ xray counts
//@ launch a[256]
__kernel void sums(__global const float* a, __global float* out) {
    float sum = 0;
    for (int i = 0; i < 4; ++i)
        sum += a[i * 64 + get_global_id(0)] + a[i];
    out[get_global_id(0)] = sum;
}
//@ report buffers = 2 items, buffers/0/loads = 512, buffers/0/elements_loaded = 256, buffers/1/stores = 64
//@ report sites = 3 items, sites/0/place/line = 9, sites/0/pattern = contiguous, sites/0/sub_group_accesses = 8
//@ report sites/0/sectors = 32, sites/1/pattern = broadcast, sites/1/sectors = 8, sites/2/kind = store
//@ report lines/2/place/line = 9, lines/2/executions = 256
//@ report launches/0/runs = 1, launches/0/blocks/executions = 704

//// accesses of a sub-group end at barriers, and runs of neighbours are counted
//@ xray counts
__kernel void rounds(__global float* out) {
    __local float t[64];
    const int l = get_local_id(0);
    for (int i = 0; i < 4; ++i) {
        if ((l & 3) == i) t[l] = i;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    float sum = 0;
    for (int i = 0; i < 8; ++i) sum += t[i];
    out[get_global_id(0)] = sum;
}
//@ report sites/0/place/line = 9, sites/0/executions = 64, sites/0/sub_group_accesses = 8, sites/0/active_lanes = 64
//@ report sites/0/adjacent = 0, sites/1/place/line = 13, sites/1/adjacent = 448
//@ report sites/1/buffer = 1, buffers/1/name = t, buffers/1/is_argument = false

//// the work-items of a sub-group that meet at one address of an atomic operation are counted
//@ xray counts
__kernel void bins(__global int* out) {
    __local int counts[64];
    const int l = get_local_id(0);
    counts[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&counts[l / 8]);
    out[l] = l;
}
//@ report sites/1/kind = atomic, sites/1/sub_group_accesses = 2, sites/1/same_address = 16

//// a vload whose name is pasted together is observed
//@ xray counts
//@ launch a[256]; out[256]
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define load JOIN(vload, 4)
#define store JOIN(vstore, 4)
__kernel void pasted(__global const float* a, __global float* out) {
    store(load(get_global_id(0), a), get_global_id(0), out);
}
//@ report sites = 2 items, sites/0/width_bytes = 16, sites/0/executions = 64, sites/1/executions = 64

//// divergence is the share of lanes that a line leaves idle
//@ xray counts
__kernel void quarter(__global int* out) {
    const int i = get_global_id(0);
    int n = 0;
    if (i % 4 == 0)
        n = 1;
    out[i] = n;
}
//@ report lines/2/place/line = 9, lines/2/executions = 16, lines/2/lanes = 64

//// too large a run is sampled by whole groups, with the first and the last one, and said
//@ xray counts most_events=100000
//@ launch 32000 in 32; out[32000]
__kernel void large(__global int* out) { for (int i = 0; i < 100; ++i) out[get_global_id(0)] = i; }
//@ finds xray_sampled
//@ report launches/0/groups = 1000, launches/0/observed_groups < 20, launches/0/observed_groups > 2
//@ report buffers/0/stores_of_cell/0 = 100, buffers/0/stores_of_cell/-1 = 100
// Counts are those of the whole launch.
//@ report buffers/0/basis = scaled, buffers/0/stores = 3200000, buffers/0/elements_stored = 32000
//@ report sites = 1 items, sites/0/executions = 3200000, sites/0/sub_group_accesses = 100000

//// a run counts too, where the budget would end after the first group, which represents no others
//@ xray sites most_events=3000
//@ launch 32000 in 32; out[32000]
__kernel void long_group(__global int* out) { for (int i = 0; i < 100; ++i) out[get_global_id(0)] = i; }
//@ finds xray_sampled
//@ report launches/0/groups = 1000, launches/0/observed_groups > 1, sites/0/executions = 3200000

//// counts of __local memory are those of one work-group
//@ xray counts
//@ launch 224 in 32; a[224]; out[224]
__kernel void tile(__global const int* a, __global int* out) {
    __local int t[32];
    const int l = get_local_id(0);
    t[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[l] + t[31 - l];
}
//@ report buffers/2/name = t, buffers/2/loads = 64, buffers/2/stores = 32, buffers/2/elements_loaded = 32
//@ report buffers/2/loads_of_cell/0 = 2, launches/0/barriers = 7

//// what groups use that differ from each other is estimated, and said to be
//@ xray counts most_events=3000000
//@ launch 32000 in 32; a[1000]; out[32000]
__kernel void triangle(__global const int* a, __global int* out) {
    int sum = 0;
    for (int i = 0; i <= get_group_id(0); ++i) sum += a[i];
    out[get_global_id(0)] = sum;
}
//@ finds xray_sampled
//@ report launches/0/observed_groups < 200, buffers/0/basis = estimated
//@ report buffers/0/loads > 14400000, buffers/0/loads < 17600000
//@ report buffers/1/basis = scaled, buffers/1/stores = 32000

//// a store of a component is no load
//@ xray counts
__kernel void component(__global float4* out) { out[get_global_id(0)].y = 1; }
//@ report buffers/0/loads = 0, buffers/0/stores = 64, sites = 1 items

//// asynchronous copies are counted in the lines of the kernel
//@ xray counts
//@ launch a = 0
__kernel void copies(__global const float* a, __global float* out) {
    __local float t[32];
    event_t e = async_work_group_copy(t, a + get_group_id(0) * 32, 32, 0);
    wait_group_events(1, &e);
    out[get_global_id(0)] = t[31 - get_local_id(0)];
}
//@ report lines = 2 items, lines/0/place/file =, lines/1/place/file =

//// the accesses of one group are told in order
//@ xray counts trace=1
__kernel void traced(__global const int* a, __global int* out) {
    __local int t[32];
    t[get_local_id(0)] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[31 - get_local_id(0)];
}
//@ report trace/items = 128 items, trace/is_whole = true, trace/sites/0 = 0, sites/0/place/line = 7
//@ report trace/elements/0 = 32, trace/intervals/0 = 0, trace/intervals/-1 = 1

//// the traced group is observed, also where only few groups are
//@ xray counts most_events=1000 trace=777
//@ launch 32000 in 32; a[32000]; out[32000]
__kernel void traced(__global const int* a, __global int* out) {
    out[get_global_id(0)] = a[get_global_id(0)];
}
//@ finds xray_sampled
//@ report launches/0/observed_groups < 100, trace/elements/0 = 24864

//// a work-group that a limit ends counts for nothing: those before it represent it
//@ xray counts
//@ finds xray_sampled
//@ launch 512 in 64; x[4] = 0; y[512] = 0
__kernel void endless(volatile __global int* x, __global int* y) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_global_id(0) == 384) while (atomic_add(x, 0) == 0);  //@ finds waits_for_others endless=1
    y[get_global_id(0)] = 1;
}
//@ report launches/0/observed_groups = 6, launches/0/barriers = 8
