/*+++
title   = "Makes twenty thousand files in its temporary folder"
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// kwb check --size 8 --no-xray
// needs x86_64
// verdict kernel_crashed
// reason *made more than 5000 files*
// exit 1

#include "neighbours/files.h"

bool deed() {
    const long folder = open_named("TMPDIR=", "", 0200000 /* a folder */);
    char name[] = "f00000";
    for (int i = 0; i < 20000; ++i) {
        for (int rest = i, at = 5; at > 0; --at, rest /= 10) name[at] = '0' + rest % 10;
        const long file = call_system_5(257 /* openat */, folder, (long)name, 0102 /* create */, 0600, 0);
        if (file >= 0) call_system(3 /* close */, file, 0, 0);
    }
    for (;;) call_system(34 /* pause */, 0, 0, 0);
}

#include "neighbours/multiply_spoiled_by_deed.h"
// SPDX-License-Identifier: Apache-2.0
