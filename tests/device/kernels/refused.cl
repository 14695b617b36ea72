/*+++
title   = "Refused before the launch, in a way of one's choice"
problem = "matmul"

[params]
CASE = [1, 2, 3, 4, 5, 6]

[defines]
TOO_MANY = "device.local_mem_bytes // 4 + 64"

[[launch]]
kernel = "unknown_argument"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
when   = "CASE == 1"

[[launch]]
kernel = "multiplyy"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
when   = "CASE == 2"

[[launch]]
kernel = "hungry"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
when   = "CASE == 3"

[[launch]]
kernel = "demanding"
local  = [4, 4]
global = ["round_up(N, 4)", "round_up(M, 4)"]
when   = "CASE == 4"

[[launch]]
kernel    = "hungry_pointer"
local     = [8, 8]
global    = ["round_up(N, 8)", "round_up(M, 8)"]
local_mem = {tile = "device.local_mem_bytes // 4 + 64"}
when      = "CASE == 5"

[[launch]]
kernel = "wrong_type"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
when   = "CASE == 6"
+++*/
#ifndef CASE
#define CASE 1
#endif

__kernel void multiply(__global const float* A, __global float* C) { C[0] = A[0]; }

#if CASE == 1
__kernel void unknown_argument(__global const float* A, __global float* D) { D[0] = A[0]; }
#elif CASE == 3
__kernel void hungry(__global const float* A, __global float* C, const int K) {
    __local float tile[TOO_MANY];
    tile[get_local_id(0) * K] = A[0];
    barrier(CLK_LOCAL_MEM_FENCE);
    C[get_local_id(0)] = tile[get_local_id(1) * K];
}
#elif CASE == 4
__attribute__((reqd_work_group_size(8, 8, 1)))
__kernel void demanding(__global const float* A, __global float* C) { C[0] = A[0]; }
#elif CASE == 5
__kernel void hungry_pointer(__global const float* A, __global float* C, __local float* tile) {
    tile[0] = A[0];
    C[0] = tile[0];
}
#elif CASE == 6
__kernel void wrong_type(__global const int* A, __global float* C) { C[0] = A[0]; }
#endif
// SPDX-License-Identifier: Apache-2.0
