// SPDX-License-Identifier: Apache-2.0
// OpenCL C that is compiled before the kernel's source: work-item functions, barriers, and the built-in
// functions that access memory, implemented by the callbacks in hooks.cpp. PoCL's own declarations come
// first.
#pragma once

namespace kwb::xray {

/// Names that begin with __xray_ are callbacks; _cl_ is PoCL's prefix for its built-in functions.
inline constexpr const char* kPrelude = R"cl(
uint __xray_work_dim(void);
size_t __xray_global_id(uint d);
size_t __xray_local_id(uint d);
size_t __xray_group_id(uint d);
size_t __xray_global_size(uint d);
size_t __xray_local_size(uint d);
size_t __xray_num_groups(uint d);
size_t __xray_linear_id(uint scope);
uint __xray_sub_group(uint what);
void __xray_barrier(uint flags, uint scope);
void __xray_fence(uint flags);
void __xray_access(ulong address, ulong bytes, uint kind);
void __xray_exchange(ulong address, ulong bytes, ulong expected);
void __xray_store(ulong address, ulong bytes);
void __xray_stored(void);
ulong __xray_copy(ulong to, ulong from, ulong elements, ulong element_bytes, ulong to_stride, ulong from_stride,
                  ulong event);
void __xray_wait(int count, ulong events);
ulong __xray_gather(ulong value, ulong bytes, uint scope);
uint __xray_count(uint scope);
uint __xray_rank(uint scope);
int __xray_printf(__constant const char* format, ...);

#undef get_work_dim
#undef get_global_id
#undef get_local_id
#undef get_group_id
#undef get_global_size
#undef get_local_size
#undef get_enqueued_local_size
#undef get_num_groups
#undef get_global_offset
#undef get_global_linear_id
#undef get_local_linear_id
#define get_work_dim() __xray_work_dim()
#define get_global_id(d) __xray_global_id(d)
#define get_local_id(d) __xray_local_id(d)
#define get_group_id(d) __xray_group_id(d)
#define get_global_size(d) __xray_global_size(d)
#define get_local_size(d) __xray_local_size(d)
#define get_enqueued_local_size(d) __xray_local_size(d)
#define get_num_groups(d) __xray_num_groups(d)
#define get_global_offset(d) ((void)(d), (size_t)0)
#define get_global_linear_id() __xray_linear_id(0)
#define get_local_linear_id() __xray_linear_id(1)

#undef barrier
#undef work_group_barrier
#undef sub_group_barrier
#undef mem_fence
#undef read_mem_fence
#undef write_mem_fence
#undef atomic_work_item_fence
#undef printf
#undef prefetch
#define barrier(flags) __xray_barrier(flags, 0)
#define work_group_barrier(flags, ...) __xray_barrier(flags, 0)
#define sub_group_barrier(flags, ...) __xray_barrier(flags, 1)
#define mem_fence(flags) __xray_fence(flags)
#define read_mem_fence(flags) __xray_fence(flags)
#define write_mem_fence(flags) __xray_fence(flags)
#define atomic_work_item_fence(flags, ...) __xray_fence(flags)
#define printf __xray_printf
#define prefetch(p, n) ((void)(p), (void)(n))

#define __XR_VLOAD(n, f, o, p) ({ ulong __o = (o); __typeof__(&(p)[0]) __p = (p); \
    __xray_access((ulong)__p + __o * n * sizeof(*__p), n * sizeof(*__p), 0); f(__o, __p); })
#define __XR_VLOAD_HALF(n, m, f, o, p) ({ ulong __o = (o); __typeof__(&(p)[0]) __p = (p); \
    __xray_access((ulong)__p + __o * m * 2, n * 2, 0); f(__o, __p); })
// The last argument reports the store, after the others have been computed.
#define __XR_VSTORE(n, f, v, o, p) ({ ulong __o = (o); __typeof__(&(p)[0]) __p = (p); \
    f(v, __o, (__xray_store((ulong)__p + __o * n * sizeof(*__p), n * sizeof(*__p)), __p)); __xray_stored(); })
#define __XR_VSTORE_HALF(n, m, f, v, o, p) ({ ulong __o = (o); __typeof__(&(p)[0]) __p = (p); \
    f(v, __o, (__xray_store((ulong)__p + __o * m * 2, n * 2), __p)); __xray_stored(); })
// PoCL renames these, too, for sources that paste vload and a number together.
#undef vload
#undef vstore
#undef vload2
#undef vload3
#undef vload4
#undef vload8
#undef vload16
#undef vstore2
#undef vstore3
#undef vstore4
#undef vstore8
#undef vstore16
#undef vload_half
#undef vload_half2
#undef vload_half3
#undef vload_half4
#undef vload_half8
#undef vload_half16
#undef vstore_half
#undef vstore_half2
#undef vstore_half3
#undef vstore_half4
#undef vstore_half8
#undef vstore_half16
#define vload2(o, p) __XR_VLOAD(2, _cl_vload2, o, p)
#define vload3(o, p) __XR_VLOAD(3, _cl_vload3, o, p)
#define vload4(o, p) __XR_VLOAD(4, _cl_vload4, o, p)
#define vload8(o, p) __XR_VLOAD(8, _cl_vload8, o, p)
#define vload16(o, p) __XR_VLOAD(16, _cl_vload16, o, p)
#define vstore2(v, o, p) __XR_VSTORE(2, _cl_vstore2, v, o, p)
#define vstore3(v, o, p) __XR_VSTORE(3, _cl_vstore3, v, o, p)
#define vstore4(v, o, p) __XR_VSTORE(4, _cl_vstore4, v, o, p)
#define vstore8(v, o, p) __XR_VSTORE(8, _cl_vstore8, v, o, p)
#define vstore16(v, o, p) __XR_VSTORE(16, _cl_vstore16, v, o, p)
#define vload_half(o, p) __XR_VLOAD_HALF(1, 1, _cl_vload_half, o, p)
#define vload_half2(o, p) __XR_VLOAD_HALF(2, 2, _cl_vload_half2, o, p)
#define vload_half3(o, p) __XR_VLOAD_HALF(3, 3, _cl_vload_half3, o, p)
#define vload_half4(o, p) __XR_VLOAD_HALF(4, 4, _cl_vload_half4, o, p)
#define vload_half8(o, p) __XR_VLOAD_HALF(8, 8, _cl_vload_half8, o, p)
#define vload_half16(o, p) __XR_VLOAD_HALF(16, 16, _cl_vload_half16, o, p)
#define vstore_half(v, o, p) __XR_VSTORE_HALF(1, 1, _cl_vstore_half, v, o, p)
#define vstore_half2(v, o, p) __XR_VSTORE_HALF(2, 2, _cl_vstore_half2, v, o, p)
#define vstore_half3(v, o, p) __XR_VSTORE_HALF(3, 3, _cl_vstore_half3, v, o, p)
#define vstore_half4(v, o, p) __XR_VSTORE_HALF(4, 4, _cl_vstore_half4, v, o, p)
#define vstore_half8(v, o, p) __XR_VSTORE_HALF(8, 8, _cl_vstore_half8, v, o, p)
#define vstore_half16(v, o, p) __XR_VSTORE_HALF(16, 16, _cl_vstore_half16, v, o, p)

#define __XR_ATOM(f, kind, p, ...) ({ __typeof__(&(p)[0]) __p = (p); \
    __xray_access((ulong)__p, sizeof(*__p), kind); __typeof__(f(__p, ##__VA_ARGS__)) __r = f(__p, ##__VA_ARGS__); \
    __xray_stored(); __r; })
#define __XR_CMPXCHG(f, p, c, v) ({ __typeof__(&(p)[0]) __p = (p); __typeof__((c) + 0) __c = (c); \
    __xray_exchange((ulong)__p, sizeof(*__p), (ulong)__c); __typeof__(f(__p, __c, v)) __r = f(__p, __c, v); \
    __xray_stored(); __r; })
)cl"
                                        // Two literals: compilers may reject longer ones.
                                        R"cl(
// Functions that return a second result through a pointer. A source may define its own functions with these
// names and another number of arguments.
#define __XR_MATH(f, p, ...) ({ __typeof__(&(p)[0]) __p = (p); __typeof__(f(__VA_ARGS__, __p)) __r = \
    f(__VA_ARGS__, (__xray_store((ulong)__p, sizeof(*__p)), __p)); __xray_stored(); __r; })
#define __XR_FIFTH(a, b, c, d, e, ...) e
#define __XR_OF_2(f, of_2, ...) __XR_FIFTH(__VA_ARGS__, f, f, of_2, f, )(__VA_ARGS__)
#define __XR_OF_3(f, of_3, ...) __XR_FIFTH(__VA_ARGS__, f, of_3, f, f, )(__VA_ARGS__)
#undef fract
#undef frexp
#undef lgamma_r
#undef modf
#undef remquo
#undef sincos
#define __XR_fract(x, p) __XR_MATH(_cl_fract, p, x)
#define __XR_frexp(x, p) __XR_MATH(_cl_frexp, p, x)
#define __XR_lgamma_r(x, p) __XR_MATH(_cl_lgamma_r, p, x)
#define __XR_modf(x, p) __XR_MATH(_cl_modf, p, x)
#define __XR_sincos(x, p) __XR_MATH(_cl_sincos, p, x)
#define __XR_remquo(x, y, p) __XR_MATH(_cl_remquo, p, x, y)
#define fract(...) __XR_OF_2(_cl_fract, __XR_fract, __VA_ARGS__)
#define frexp(...) __XR_OF_2(_cl_frexp, __XR_frexp, __VA_ARGS__)
#define lgamma_r(...) __XR_OF_2(_cl_lgamma_r, __XR_lgamma_r, __VA_ARGS__)
#define modf(...) __XR_OF_2(_cl_modf, __XR_modf, __VA_ARGS__)
#define sincos(...) __XR_OF_2(_cl_sincos, __XR_sincos, __VA_ARGS__)
#define remquo(...) __XR_OF_3(_cl_remquo, __XR_remquo, __VA_ARGS__)

#undef atomic_add
#undef atomic_sub
#undef atomic_inc
#undef atomic_dec
#undef atomic_xchg
#undef atomic_cmpxchg
#undef atomic_min
#undef atomic_max
#undef atomic_and
#undef atomic_or
#undef atomic_xor
#undef atom_add
#undef atom_sub
#undef atom_inc
#undef atom_dec
#undef atom_xchg
#undef atom_cmpxchg
#undef atom_min
#undef atom_max
#undef atom_and
#undef atom_or
#undef atom_xor
#define atomic_add(p, v) __XR_ATOM(_cl_atomic_add, 2, p, v)
#define atomic_sub(p, v) __XR_ATOM(_cl_atomic_sub, 2, p, v)
#define atomic_inc(p) __XR_ATOM(_cl_atomic_inc, 2, p)
#define atomic_dec(p) __XR_ATOM(_cl_atomic_dec, 2, p)
#define atomic_xchg(p, v) __XR_ATOM(_cl_atomic_xchg, 3, p, v)
#define atomic_cmpxchg(p, c, v) __XR_CMPXCHG(_cl_atomic_cmpxchg, p, c, v)
#define atomic_min(p, v) __XR_ATOM(_cl_atomic_min, 2, p, v)
#define atomic_max(p, v) __XR_ATOM(_cl_atomic_max, 2, p, v)
#define atomic_and(p, v) __XR_ATOM(_cl_atomic_and, 2, p, v)
#define atomic_or(p, v) __XR_ATOM(_cl_atomic_or, 2, p, v)
#define atomic_xor(p, v) __XR_ATOM(_cl_atomic_xor, 2, p, v)
#define atom_add(p, v) __XR_ATOM(_cl_atom_add, 2, p, v)
#define atom_sub(p, v) __XR_ATOM(_cl_atom_sub, 2, p, v)
#define atom_inc(p) __XR_ATOM(_cl_atom_inc, 2, p)
#define atom_dec(p) __XR_ATOM(_cl_atom_dec, 2, p)
#define atom_xchg(p, v) __XR_ATOM(_cl_atom_xchg, 3, p, v)
#define atom_cmpxchg(p, c, v) __XR_CMPXCHG(_cl_atom_cmpxchg, p, c, v)
#define atom_min(p, v) __XR_ATOM(_cl_atom_min, 2, p, v)
#define atom_max(p, v) __XR_ATOM(_cl_atom_max, 2, p, v)
#define atom_and(p, v) __XR_ATOM(_cl_atom_and, 2, p, v)
#define atom_or(p, v) __XR_ATOM(_cl_atom_or, 2, p, v)
#define atom_xor(p, v) __XR_ATOM(_cl_atom_xor, 2, p, v)

#undef async_work_group_copy
#undef async_work_group_strided_copy
#undef wait_group_events
// Not observed: their places are outside the kernel's files.
#define __XR_OWN __attribute__((overloadable, no_sanitize("address", "undefined", "coverage"))) static
__XR_OWN ulong __xr_stride(__local const void* p, ulong stride) { return 1; }
__XR_OWN ulong __xr_stride(__global const void* p, ulong stride) { return stride; }
// An event_t is as large as a pointer; X-ray keeps its own number in it.
__XR_OWN event_t __xr_event(ulong number) { event_t event; *(__private ulong*)&event = number; return event; }
__XR_OWN ulong __xr_number(event_t event) { return *(__private ulong*)&event; }
#define async_work_group_copy(d, s, n, e) ({ __typeof__(&(d)[0]) __d = (d); __typeof__(&(s)[0]) __s = (s); \
    __xr_event(__xray_copy((ulong)__d, (ulong)__s, n, sizeof(*__d), 1, 1, __xr_number(e))); })
#define async_work_group_strided_copy(d, s, n, stride, e) ({ __typeof__(&(d)[0]) __d = (d); \
    __typeof__(&(s)[0]) __s = (s); ulong __t = (stride); __xr_event(__xray_copy((ulong)__d, (ulong)__s, n, \
    sizeof(*__d), __xr_stride(__d, __t), __xr_stride(__s, __t), __xr_number(e))); })
#define wait_group_events(n, events) __xray_wait(n, (ulong)(events))

#define __XR_REDUCE(scope, x, op) ({ __typeof__((x) + 0) __v = (x); \
    __typeof__(__v)* __all = (__typeof__(__v)*)__xray_gather((ulong)&__v, sizeof(__v), scope); \
    __typeof__(__v) __r = __all[0]; \
    for (uint __i = 1; __i < __xray_count(scope); ++__i) { __typeof__(__v) __a = __r, __b = __all[__i]; __r = op; } \
    __r; })
#define __XR_SCAN(scope, x, op, zero, last) ({ __typeof__((x) + 0) __v = (x); \
    __typeof__(__v)* __all = (__typeof__(__v)*)__xray_gather((ulong)&__v, sizeof(__v), scope); \
    __typeof__(__v) __r = zero; \
    for (uint __i = 0; __i < __xray_rank(scope) + last; ++__i) { \
        __typeof__(__v) __a = __r, __b = __all[__i]; __r = __i == 0 ? __b : op; } \
    __r; })
#define __XR_BROADCAST(scope, x, from) ({ __typeof__((x) + 0) __v = (x); uint __f = (from); \
    ((__typeof__(__v)*)__xray_gather((ulong)&__v, sizeof(__v), scope))[__f]; })
#define __XR_ADD (__a + __b)
#define __XR_MIN (__b < __a ? __b : __a)
#define __XR_MAX (__a < __b ? __b : __a)
#undef work_group_all
#undef work_group_any
#undef work_group_broadcast
#undef work_group_reduce_add
#undef work_group_reduce_min
#undef work_group_reduce_max
#undef work_group_scan_exclusive_add
#undef work_group_scan_inclusive_add
#undef work_group_scan_inclusive_min
#undef work_group_scan_inclusive_max
#undef sub_group_all
#undef sub_group_any
#undef sub_group_broadcast
#undef sub_group_reduce_add
#undef sub_group_reduce_min
#undef sub_group_reduce_max
#undef sub_group_scan_exclusive_add
#undef sub_group_scan_inclusive_add
#undef sub_group_scan_inclusive_min
#undef sub_group_scan_inclusive_max
#undef get_sub_group_size
#undef get_max_sub_group_size
#undef get_num_sub_groups
#undef get_sub_group_id
#undef get_sub_group_local_id
#define work_group_all(x) __XR_REDUCE(0, (x) != 0, (__a && __b))
#define work_group_any(x) __XR_REDUCE(0, (x) != 0, (__a || __b))
#define __XR_PLACE(x, y, z, ...) ((x) + get_local_size(0) * ((y) + get_local_size(1) * (z)))
#define work_group_broadcast(v, ...) __XR_BROADCAST(0, v, __XR_PLACE(__VA_ARGS__, 0, 0))
#define work_group_reduce_add(x) __XR_REDUCE(0, x, __XR_ADD)
#define work_group_reduce_min(x) __XR_REDUCE(0, x, __XR_MIN)
#define work_group_reduce_max(x) __XR_REDUCE(0, x, __XR_MAX)
#define work_group_scan_exclusive_add(x) __XR_SCAN(0, x, __XR_ADD, 0, 0)
#define work_group_scan_inclusive_add(x) __XR_SCAN(0, x, __XR_ADD, 0, 1)
#define work_group_scan_inclusive_min(x) __XR_SCAN(0, x, __XR_MIN, 0, 1)
#define work_group_scan_inclusive_max(x) __XR_SCAN(0, x, __XR_MAX, 0, 1)
#define sub_group_all(x) __XR_REDUCE(1, (x) != 0, (__a && __b))
#define sub_group_any(x) __XR_REDUCE(1, (x) != 0, (__a || __b))
#define sub_group_broadcast(v, from) __XR_BROADCAST(1, v, from)
#define sub_group_reduce_add(x) __XR_REDUCE(1, x, __XR_ADD)
#define sub_group_reduce_min(x) __XR_REDUCE(1, x, __XR_MIN)
#define sub_group_reduce_max(x) __XR_REDUCE(1, x, __XR_MAX)
#define sub_group_scan_exclusive_add(x) __XR_SCAN(1, x, __XR_ADD, 0, 0)
#define sub_group_scan_inclusive_add(x) __XR_SCAN(1, x, __XR_ADD, 0, 1)
#define sub_group_scan_inclusive_min(x) __XR_SCAN(1, x, __XR_MIN, 0, 1)
#define sub_group_scan_inclusive_max(x) __XR_SCAN(1, x, __XR_MAX, 0, 1)
#define get_sub_group_size() __xray_count(1)
#define get_max_sub_group_size() __xray_sub_group(0)
#define get_num_sub_groups() __xray_sub_group(1)
#define get_sub_group_id() __xray_sub_group(2)
#define get_sub_group_local_id() __xray_rank(1)
)cl";

}  // namespace kwb::xray
