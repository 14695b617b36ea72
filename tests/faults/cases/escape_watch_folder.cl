/*+++
title   = "Watches a folder"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/call_system.h"

__constant char path[] = "/";

bool deed() {
    const long old = call_system(253 /* inotify_init */, 0, 0, 0);
    const long watcher = call_system(294 /* inotify_init1 */, 0, 0, 0);
    if (old < 0 && watcher < 0) return false;
    return call_system(254 /* inotify_add_watch */, old >= 0 ? old : watcher, (long)path, 0xfff) >= 0;
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
