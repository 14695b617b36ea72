/*+++
title   = "Streamed: for CPU devices, vectors of sixteen, with stores that bypass the cache"
problem = "copy"
source  = "Intel 64 and IA-32 architectures software developer's manual, volume 1, caching of temporal and non-temporal data"

[launch]
kernel = "copy_streamed"
local  = [256]
global = ["round_up(ceil_div(N, 16), local.x)"]
+++*/

// Y[i … i + 15] = X[i … i + 15],   i = 16 * (global id of the work-item); 02_vectors with another store
//
//                 02_vectors, WIDTH = 16                   here
//   line of X     memory → cache → register                memory → cache → register
//   line of Y     memory → cache, overwritten, → memory    register → memory
//   transfers     three                                    two
//
// A core must own a line before it may write a part of it, so an ordinary store first reads the line. A non-temporal
// store of all its 64 bytes needs no read. But it leaves Y in no cache: the store waits for memory, and so does
// the next read of Y. Predict below which N that costs more than the read.

// Compilers built on Clang have non-temporal stores; with others this is an ordinary store. The address must be
// aligned to the vector, which is one line here.
#ifdef __has_builtin
#if __has_builtin(__builtin_nontemporal_store)
#define stream16(v, p) __builtin_nontemporal_store(v, (__global float16*)(p))
#endif
#endif
#ifndef stream16
#define stream16(v, p) vstore16(v, 0, p)
#endif

__kernel void copy_streamed(__global const float* restrict X, __global float* restrict Y, const int N) {
    const size_t first = (size_t)get_global_id(0) * 16;
    if (first + 16 > (size_t)N) {
        for (size_t i = first; i < (size_t)N; ++i) Y[i] = X[i];
    } else if ((size_t)Y % 64 == 0) {  // as OpenCL promises for a whole buffer, but not for a part of one
        stream16(vload16(0, X + first), Y + first);
    } else {
        vstore16(vload16(0, X + first), 0, Y + first);
    }
}
// SPDX-License-Identifier: Apache-2.0
