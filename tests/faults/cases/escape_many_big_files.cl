/*+++
title   = "Makes six files of 400 megabytes each in its temporary folder"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 8 --no-xray
// needs x86_64
// verdict kernel_crashed
// reason *filled its folders with more than 2 GiB*
// exit 1

#include "neighbours/files.h"

bool deed() {
    const long folder = open_named("TMPDIR=", "", 0200000 /* a folder */);
    char name[] = "f0";
    for (int i = 0; i < 6; ++i) {
        name[1] = '0' + i;
        const long file = call_system_5(257 /* openat */, folder, (long)name, 0102 /* create */, 0600, 0);
        if (file < 0 || call_system_5(285 /* fallocate */, file, 0, 0, 400l << 20, 0) != 0) return false;
    }
    for (;;) call_system(34 /* pause */, 0, 0, 0);
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
