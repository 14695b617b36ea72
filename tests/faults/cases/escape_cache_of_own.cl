/*+++
title   = "Looks into the compiler caches of the person's other kernels"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 8 --no-xray
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/files.h"

bool deed() {
    return open_named("POCL_CACHE_DIR=", "/..", 0200000 /* folder */) >= 0 ||
           open_named("POCL_CACHE_DIR=", "/../../shipped", 0200000) >= 0;
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
