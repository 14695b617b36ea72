/*+++
problem = "matmul"

[launch]
kernel = "multiply"
local  = [8, 8]
global = ["round_up(N, 8)", "round_up(M, 8)"]
+++*/
// SPDX-License-Identifier: Apache-2.0
// Other processes, sockets and system calls that a kernel must not reach.

//// escape_close_descriptors: Closes all files of its process
// kwb check --size 8
// needs x86_64
// verdict kernel_crashed
// reason *closed or damaged*
// exit 1

#include "neighbours/call_system.h"

bool deed() {
    for (int file = 0; file < 256; ++file) call_system(3 /* close */, file, 0, 0);
    return false;
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_control: Asks for its process number, which is no harm: shows that the others do call the system
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/call_system.h"

bool deed() { return call_system(39 /* getpid */, 0, 0, 0) <= 1; }

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_forged_answer: Writes an answer of its own into all files of its process
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/call_system.h"

__constant char answer[] = "{\"type\":\"executed\",\"first_wall_ms\":0.1,\"samples_ms\":[0.001],\"launch_ms\":[0.001],\"download_ms\":0,\"runs\":1,\"all_runs_ms\":0.001}";

bool deed() {
    const int size = sizeof(answer) - 1;
    uchar frame[512];
    for (int i = 0; i < 8; ++i) frame[i] = 0;
    frame[0] = size;  // length of the text, length of the attachment
    for (int i = 0; i < size; ++i) frame[8 + i] = answer[i];
    for (int file = 3; file < 256; ++file) call_system(1 /* write */, file, (long)frame, 8 + size);
    return false;
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_fork_and_leave: Starts a process that is to live on in a session of its own
// kwb check --size 8
// needs x86_64
// verdict kernel_crashed
// reason *started *process* still running when it ended*
// exit 1

#include "neighbours/call_system.h"

bool deed() {
    const long child = call_system(57 /* fork */, 0, 0, 0);
    if (child == 0) {
        call_system(112 /* setsid */, 0, 0, 0);
        long ten_minutes[2] = {600, 0};
        call_system(35 /* nanosleep */, (long)ten_minutes, 0, 0);
        call_system(231 /* exit_group */, 0, 0, 0);
    }
    return false;
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_fork_many: Starts eight processes that never rest
// kwb check --size 8 --timeout 2s --no-xray
// needs x86_64
// verdict timeout
// reason *launch*exceeded*
// exit 1

#include "neighbours/call_system.h"

bool deed() {
    for (int i = 0; i < 8; ++i)
        if (call_system(57 /* fork */, 0, 0, 0) == 0) {
            call_system(37 /* alarm */, 600, 0, 0);  // ends them if nobody else does
            for (;;) call_system(24 /* sched_yield */, 0, 0, 0);
        }
    for (;;) call_system(24 /* sched_yield */, 0, 0, 0);
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_fork_twice: Starts a process of which nobody is the parent
// kwb check --size 8
// needs x86_64
// verdict kernel_crashed
// reason *started *process* still running when it ended*
// exit 1

#include "neighbours/call_system.h"

bool deed() {
    if (call_system(57 /* fork */, 0, 0, 0) == 0) {
        if (call_system(57 /* fork */, 0, 0, 0) == 0) {
            call_system(112 /* setsid */, 0, 0, 0);
            long ten_minutes[2] = {600, 0};
            call_system(35 /* nanosleep */, (long)ten_minutes, 0, 0);
        }
        call_system(231 /* exit_group */, 0, 0, 0);
    }
    return false;
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_garbage_to_descriptors: Writes into all files of its process
// kwb check --size 8
// needs x86_64
// verdict correct
// output *garbage*
// exit 0

#include "neighbours/call_system.h"

__constant char garbage[] = "garbage\n";

bool deed() {
    for (int file = 0; file < 256; ++file) call_system(1 /* write */, file, (long)garbage, 8);
    return false;
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_kill_by_thread: Kills its judge by another call
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/call_system.h"

bool deed() {
    const long parent = call_system(110 /* getppid */, 0, 0, 0);
    return parent > 1 && call_system(234 /* tgkill */, parent, parent, 9) == 0;
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_kill_parent: Kills its judge
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/call_system.h"

bool deed() {
    const long parent = call_system(110 /* getppid */, 0, 0, 0);
    return parent > 1 && call_system(62 /* kill */, parent, 9, 0) == 0;
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_many_processes: Starts a thousand processes
// kwb check --size 8 --no-xray
// needs x86_64
// verdict kernel_crashed
// reason *started more than 64 processes*
// exit 1

#include "neighbours/call_system.h"

bool deed() {
    for (int i = 0; i < 1000; ++i)
        if (call_system(57 /* fork */, 0, 0, 0) == 0)
            for (;;) call_system(34 /* pause */, 0, 0, 0);
    for (;;) call_system(34 /* pause */, 0, 0, 0);
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_other_namespaces: Makes a world of its own, in which it is the administrator
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/call_system.h"

// Not by unshare(), which a process with several threads may never do.
bool deed() {
    const long child = call_system_5(56 /* clone */, 0x10000000 /* CLONE_NEWUSER */ | 17 /* SIGCHLD */, 0, 0, 0, 0);
    if (child == 0) call_system(231 /* exit_group */, 0, 0, 0);
    // Without the sandbox, the judge finds a child that outlives the kernel, so that the verdict would depend on time.
    call_system_5(61 /* wait4 */, child, 0, 0, 0, 0);
    return child > 0;
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_parent_descriptors: Opens a pipe of its judge
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/files.h"

bool deed() { return can_open_of_parent("/fd/1", 1); }

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_parent_environment: Opens the environment of its judge
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/files.h"

bool deed() { return can_open_of_parent("/environ", 0); }

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_parent_memory: Opens the memory of its judge for writing
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/files.h"

bool deed() { return can_open_of_parent("/mem", 2); }

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_parent_memory_by_call: Copies from its judge's memory
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/call_system.h"

bool deed() {
    long here[1];
    long mine[2] = {(long)here, 8};
    long theirs[2] = {4096, 8};
    const long parent = call_system_5(110 /* getppid */, 0, 0, 0, 0, 0);
    const long copied = call_system_5(310 /* process_vm_readv */, parent, (long)mine, 1, (long)theirs, 1);
    return copied >= 0 || copied == -14;  // EFAULT: the address is unmapped, but the access was allowed
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_rare_calls: Tries what no kernel needs
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/call_system.h"

bool deed() {
    char zeros[256] = {0};
    if (call_system(425 /* io_uring_setup */, 1, (long)zeros, 0) >= 0) return true;
    if (call_system(298 /* perf_event_open */, (long)zeros, 0, -1) >= 0) return true;
    if (call_system(323 /* userfaultfd */, 1, 0, 0) >= 0) return true;
    if (call_system(250 /* keyctl */, 0, -3, 1) >= 0) return true;
    if (call_system(161 /* chroot */, (long)"/usr", 0, 0) >= 0) return true;
    if (call_system_5(13 /* rt_sigaction */, 17 /* SIGCHLD */, (long)zeros, 0, 8, 0) >= 0) return true;
    if (call_system(157 /* prctl */, 36 /* PR_SET_CHILD_SUBREAPER */, 0, 0) >= 0) return true;
    return call_system(157 /* prctl */, 1 /* PR_SET_PDEATHSIG */, 0, 0) >= 0;
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_socket_inet: Opens a socket to the internet
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/call_system.h"

bool deed() {
    const long socket = call_system(41 /* socket */, 2, 1, 0);
    if (socket >= 0) call_system(3 /* close */, socket, 0, 0);
    return socket >= 0;
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_socket_netlink: Opens a socket to the kernel of the system
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/call_system.h"

bool deed() {
    const long socket = call_system(41 /* socket */, 16, 3, 0);
    if (socket >= 0) call_system(3 /* close */, socket, 0, 0);
    return socket >= 0;
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_socket_unix: Opens a socket to programs of this machine
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/call_system.h"

bool deed() {
    const long socket = call_system(41 /* socket */, 1, 1, 0);
    if (socket >= 0) call_system(3 /* close */, socket, 0, 0);
    return socket >= 0;
}

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_trace_machine: Reads the command of the first process
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/files.h"

bool deed() { return can_open("/proc/1/cmdline", 0 /* read */); }

#include "neighbours/multiply_spoiled_by_deed.h"

//// escape_trace_parent: Traces its judge
// kwb check --size 8
// needs x86_64
// verdict correct
// exit 0

#include "neighbours/call_system.h"

bool deed() {
    const long parent = call_system_5(110 /* getppid */, 0, 0, 0, 0, 0);
    const bool seized = call_system_5(101 /* ptrace */, 0x4206 /* PTRACE_SEIZE */, parent, 0, 0, 0) == 0;
    if (seized) {  // let it go again: only what has stopped can be left
        call_system_5(101 /* ptrace */, 0x4207 /* PTRACE_INTERRUPT */, parent, 0, 0, 0);
        call_system_5(61 /* wait4 */, parent, 0, 0x40000000 /* __WALL */, 0, 0);
        call_system_5(101 /* ptrace */, 17 /* PTRACE_DETACH */, parent, 0, 0, 0);
    }
    return seized;
}

#include "neighbours/multiply_spoiled_by_deed.h"
