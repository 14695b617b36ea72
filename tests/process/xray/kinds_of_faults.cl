// SPDX-License-Identifier: Apache-2.0
// Kinds of faults, each as small as possible. (The kinds are those of GPUVerify's tests: A. Betts et al., "GPUVerify: a
// verifier for GPU kernels", OOPSLA 2012; the kernels are not.)
//@ launch x = 0 5 2 7 4 1 6; y = 0; f = 0; n = 40
#define KIND(name) __kernel void name(__global int* x, __global int* y, __global float* f, __global int* s, int n)
#define HEAD const int i = get_global_id(0), l = get_local_id(0), g = get_group_id(0); __local int t[64];
#define LOCAL_BARRIER barrier(CLK_LOCAL_MEM_FENCE)
#define GLOBAL_BARRIER barrier(CLK_GLOBAL_MEM_FENCE)
typedef struct { int a; uchar4 c; float2 v; } item_t;
int sum(__local int* p, int m) { int r = 0; for (int k = 0; k < m; ++k) r += p[k]; return r; }
void meet(void) { barrier(CLK_LOCAL_MEM_FENCE); }
int odd(int k) { return k & 1; }

//// races in __local memory
KIND(neighbour) { HEAD t[l] = i; t[l + 32] = i; y[i] = t[(l + 1) % 32]; }  //@ finds data_race and unset_read
KIND(next_round) { HEAD for (int r = 0; r < 2; ++r) { t[l] = r + i; LOCAL_BARRIER; y[i] += t[31 - l]; } }  //@ finds data_race
KIND(one_element) { HEAD t[0] = i; }  //@ finds data_race
KIND(two_writers) { HEAD if (l == 0) t[5] = 1; if (l == 1) t[5] = 2; }  //@ finds data_race
KIND(half_the_index) { HEAD t[l / 2] = i; }  //@ finds data_race
KIND(stride_too_short) { HEAD t[l] = 1; t[l + 1] = 2; }  //@ finds data_race
KIND(wrapped_index) { HEAD t[l % 16] = i; }  //@ finds data_race
KIND(histogram) { HEAD if (l < 8) t[l] = 0; LOCAL_BARRIER; t[x[i] & 7]++; }  //@ finds data_race
KIND(histogram_in_words) { HEAD if (l < 8) t[l] = 0; LOCAL_BARRIER; t[x[i] & 7] = t[x[i] & 7] + 1; }  //@ finds data_race
KIND(tree) { HEAD t[l] = i; t[l + 32] = i; LOCAL_BARRIER;
    for (int k = 32; k > 0; k /= 2) if (l < k) t[l] += t[l + k]; }  //@ finds data_race
KIND(tree_last_steps) { HEAD t[l] = i; t[l + 32] = i; LOCAL_BARRIER; for (int k = 32; k > 8; k /= 2) {
    if (l < k) t[l] += t[l + k]; LOCAL_BARRIER; } if (l < 8) for (int k = 8; k > 0; k /= 2) t[l] += t[l + k]; }  //@ finds data_race
KIND(barrier_of_the_other_memory) { HEAD t[l] = i; GLOBAL_BARRIER; y[i] = t[31 - l]; }  //@ finds data_race
KIND(barrier_of_nothing) { HEAD t[l] = i; barrier(0); y[i] = t[31 - l]; }  //@ finds data_race
KIND(fence_for_barrier) { HEAD t[l] = i; mem_fence(CLK_LOCAL_MEM_FENCE); t[31 - l] += 1; }  //@ finds data_race and unset_read
KIND(through_a_pointer) { HEAD __local int* p = t + 1; t[l] = i; p[l] = 1; }  //@ finds data_race
KIND(one_of_two_arrays) { HEAD __local int* p = odd(l) ? t : t + 32; *p = l; }  //@ finds data_race
KIND(switched) { HEAD switch (l) { case 3: t[7] = 1; break; case 4: t[7] = 2; break; } }  //@ finds data_race
KIND(in_a_nested_loop) { HEAD for (int a = 0; a < 2; ++a) for (int b = 0; b < 2; ++b) t[l + a * 2 + b] = i; }  //@ finds data_race
KIND(barrier_that_is_skipped) { HEAD t[l] = i; if (n > 100) LOCAL_BARRIER; t[31 - l] += 1; }  //@ finds data_race and unset_read
KIND(in_place_reverse) { HEAD t[l] = i; LOCAL_BARRIER; t[l] = t[31 - l]; }  //@ finds data_race
KIND(prefix_in_place) { HEAD t[l] = i; LOCAL_BARRIER; for (int k = 1; k < 32; k *= 2) {
    if (l >= k) t[l] += t[l - k]; LOCAL_BARRIER; } }  //@ finds data_race
KIND(last_one_tells) { HEAD if (l == 31) t[0] = n; y[i] = t[0]; }  //@ finds data_race and unset_read
KIND(vectors_overlap) { HEAD vstore4((int4)(i), 0, t + l); }  //@ finds data_race
KIND(bytes_of_a_word) { HEAD ((__local uchar*)t)[l / 2] = (uchar)i; }  //@ finds data_race
KIND(vector_and_number) { HEAD __local int4* v = (__local int4*)t; if (l < 8) v[l] = (int4)(i); t[l] = l; }  //@ finds data_race
KIND(member) { HEAD __local item_t p[4]; p[l & 3].a = i; }  //@ finds data_race
KIND(component) { HEAD __local int4 v[2]; v[0].y = l; }  //@ finds data_race
KIND(atomic_and_plain_read) { HEAD if (l == 0) t[0] = 0; LOCAL_BARRIER; atomic_inc(&t[0]);
    if (l == 9) y[i] = t[0]; }  //@ finds data_race
KIND(atomic_and_plain_write) { HEAD if (l == 0) t[0] = 0; LOCAL_BARRIER; atomic_inc(&t[0]);
    if (l == 9) t[0] = 5; }  //@ finds data_race
KIND(exchange_and_plain_write) { HEAD if (l == 0) t[0] = 0; LOCAL_BARRIER; atomic_cmpxchg(&t[0], 0, 7 + i);  //@ finds data_race
    if (l == 9) t[0] = 5; }  //@ finds data_race
KIND(failed_exchange_and_plain_write) { HEAD if (l == 0) t[0] = 3; LOCAL_BARRIER;
    if (l < 31) atomic_cmpxchg(&t[0], 5, 7); else t[0] = 9; }  //@ finds data_race
KIND(fence_of_the_other_memory_hands_over) { HEAD if (l < 2) t[l] = 0; LOCAL_BARRIER; if (l == 0) { t[1] = 7;
    mem_fence(CLK_GLOBAL_MEM_FENCE); atomic_xchg(&t[0], 1); } else if (atomic_add(&t[0], 0)) y[i] = t[1]; }  //@ finds data_race

//// races in global memory, and between groups
KIND(counter) { HEAD y[y[63]++] = i; }  //@ finds data_race
KIND(one_sum) { HEAD if (l == 0) y[0] += x[g]; }  //@ finds data_race
KIND(all_sum) { HEAD y[0] += x[i]; }  //@ finds data_race
KIND(stencil_in_place) { HEAD x[i] = x[(i + 1) % 64] + 1; }  //@ finds data_race
KIND(barrier_between_groups) { HEAD if (g == 0) y[l] = i + 1; GLOBAL_BARRIER; if (g == 1) x[i] = y[l]; }  //@ finds data_race
KIND(local_fence) { HEAD y[i] = i + 1; LOCAL_BARRIER; x[i] = y[i ^ 1]; }  //@ finds data_race
KIND(transpose_in_place) { HEAD int a = x[i]; x[(i % 8) * 8 + i / 8] = a + 1; }  //@ finds data_race
KIND(missing_dimension) { HEAD y[l] = i; }  //@ finds data_race
KIND(stride_of_groups) { HEAD y[g * 16 + l] = i; }  //@ finds data_race
KIND(histogram_in_words) { HEAD y[x[i] & 7] = y[x[i] & 7] + 1; }  //@ finds data_race
KIND(plain_beside_atomic) { HEAD atomic_add(&y[0], 1); y[0] = 7; }  //@ finds data_race
KIND(shorts) { HEAD ((__global short*)y)[i / 2] = (short)i; }  //@ finds data_race
KIND(vectors_of_three) { HEAD if (i < 60) vstore3((float3)(i), 0, f + i); }  //@ finds data_race

//// asynchronous copies
KIND(read_before_the_wait) { HEAD event_t e = async_work_group_copy(t, x, 32, 0); y[i] = t[l];  //@ finds data_race
    wait_group_events(1, &e); }
KIND(waits_for_one_of_two) { HEAD event_t e[2]; e[0] = async_work_group_copy(t, x, 32, 0);
    e[1] = async_work_group_copy(t + 32, x, 32, 0); wait_group_events(1, e); y[i] = t[l] + t[l + 32]; }  //@ finds data_race
KIND(waits_for_the_other) { HEAD event_t a = async_work_group_copy(t, x, 32, 0);
    event_t b = async_work_group_copy(t + 32, x, 32, 0); wait_group_events(1, &b); y[i] = t[l];  //@ finds data_race
    wait_group_events(1, &a); }
KIND(never_waits) { HEAD async_work_group_copy(t, x, 32, 0); }  //@ finds unfinished_copy
KIND(writes_the_source) { HEAD event_t e = async_work_group_copy(t, x + g * 32, 32, 0); x[i] = 100 + i;  //@ finds data_race
    wait_group_events(1, &e); }
KIND(writes_the_target) { HEAD event_t e = async_work_group_copy(t, x, 32, 0); t[l] = 100 + i;  //@ finds data_race
    wait_group_events(1, &e); }
KIND(copies_overlap) { HEAD event_t e = async_work_group_copy(t, x, 32, 0);
    e = async_work_group_copy(t + 16, x, 32, e); wait_group_events(1, &e); y[i] = t[l]; }  //@ finds data_race
KIND(no_barrier_before) { HEAD t[l] = 50 + i; event_t e = async_work_group_copy(y + g * 32, t, 32, 0);  //@ finds data_race
    wait_group_events(1, &e); }
KIND(some_work_items) { HEAD if (l < 16) { event_t e = async_work_group_copy(t, x, 32, 0);  //@ finds divergent_barrier
    wait_group_events(1, &e); } }  //@ finds divergent_barrier
KIND(other_arguments) { HEAD event_t e = async_work_group_copy(t + l, x, 8, 0); wait_group_events(1, &e); }  //@ finds unequal_arguments
KIND(other_length) { HEAD event_t e = async_work_group_copy(t, x, 8 + odd(l), 0); wait_group_events(1, &e); }  //@ finds unequal_arguments
KIND(divergent_loop) { HEAD for (int k = 0; k < 1 + odd(l); ++k) {
    event_t e = async_work_group_copy(t, x, 8, 0); wait_group_events(1, &e); } }  //@ finds divergent_barrier
KIND(no_event) { HEAD event_t e[1]; wait_group_events(1, e); }  //@ finds unknown_event
KIND(too_many_events) { HEAD event_t e[4]; e[0] = async_work_group_copy(t, x, 8, 0); wait_group_events(2, e); }  //@ finds unknown_event
KIND(other_events) { HEAD event_t e[2]; e[0] = async_work_group_copy(t, x, 8, 0);
    e[1] = async_work_group_copy(t + 8, x, 8, 0); wait_group_events(1, e + odd(l)); wait_group_events(2, e); }  //@ finds unequal_arguments

//// barriers that not all work-items reach
KIND(condition) { HEAD if (l < 16) LOCAL_BARRIER; }  //@ finds divergent_barrier
KIND(both_branches) { HEAD if (l < 16) LOCAL_BARRIER; else LOCAL_BARRIER; }  //@ finds divergent_barrier
KIND(early_return) { HEAD if (i >= n) return; LOCAL_BARRIER; }  //@ finds divergent_barrier
KIND(loop_by_id) { HEAD for (int k = 0; k < l; ++k) LOCAL_BARRIER; }  //@ finds divergent_barrier
KIND(strided_loop) { HEAD for (int k = l; k < 40; k += 32) LOCAL_BARRIER; }  //@ finds divergent_barrier
KIND(while_by_data) { HEAD int k = x[i]; while (k++ < 4) LOCAL_BARRIER; }  //@ finds divergent_barrier
KIND(break_by_id) { HEAD for (int k = 0; k < 4; ++k) { if (k == l) break; LOCAL_BARRIER; } }  //@ finds divergent_barrier
KIND(continue_by_id) { HEAD for (int k = 0; k < 4; ++k) { if (k == l) continue; LOCAL_BARRIER; } }  //@ finds divergent_barrier
KIND(switch_by_id) { HEAD switch (l & 1) { case 0: LOCAL_BARRIER; } }  //@ finds divergent_barrier
KIND(short_circuit) { HEAD l > 3 && (barrier(CLK_LOCAL_MEM_FENCE), 1); }  //@ finds divergent_barrier
KIND(shared_bound) { HEAD if (l == 0) t[0] = 1; LOCAL_BARRIER; if (t[0] + odd(l) > 1) LOCAL_BARRIER; }  //@ finds divergent_barrier

//// memory that nobody has set, accesses outside, and what no type holds
KIND(local_array) { HEAD y[i] = t[l]; }  //@ finds unset_read
KIND(private_array) { HEAD int p[4]; p[0] = 1; y[i] = p[l & 3]; }  //@ finds unset_read
KIND(private_vectors) { HEAD uchar4 p[4]; p[0].x = 1; y[i] = p[1].y; }  //@ finds unset_read
KIND(scratch) { HEAD y[i] = s[i]; }  //@ finds unset_read
KIND(other_half) { HEAD if (l < 16) t[l] = i; LOCAL_BARRIER; y[i] = t[l]; }  //@ finds unset_read
KIND(sum_without_start) { HEAD int p[2]; for (int k = 0; k < 3; ++k) p[0] += x[k]; y[i] = p[0]; }  //@ finds unset_read
KIND(counted_from_nothing) { HEAD atomic_inc(&t[0]); }  //@ finds unset_read
KIND(local_end) { HEAD t[l + 33] = 1; }  //@ finds outside_array
KIND(private_end) { HEAD int p[4]; for (int k = 0; k <= 4; ++k) p[k] = i; y[i] = p[0]; }  //@ finds outside_array
KIND(inner_dimension) { HEAD int p[4][4]; for (int k = 0; k < 5; ++k) p[1][k] = i; y[i] = p[1][0]; }  //@ finds outside_array
KIND(buffer_end) { HEAD y[i + 1] = i; }  //@ finds outside_buffer
KIND(buffer_start) { HEAD y[i] = x[i - 1]; }  //@ finds outside_buffer
KIND(vector_end) { HEAD if (l == 0) y[i] = vload4(0, x + i + 30).w; }  //@ finds outside_buffer
KIND(null_pointer) { HEAD __global int* p = 0; if (i == 3) *p = 1; }  //@ finds null_access
KIND(odd_address) { HEAD *(__global int2*)(y + 1 + 2 * i % 32) = (int2)(1); }  //@ finds misaligned
KIND(by_zero) { HEAD y[i] = n / (i - 5); }  //@ finds division_by_zero
KIND(remainder_by_zero) { HEAD y[i] = n % x[i]; }  //@ finds division_by_zero
KIND(product_too_large) { HEAD y[i] = n * 60000000; }  //@ finds signed_overflow
