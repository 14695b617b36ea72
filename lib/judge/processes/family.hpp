// SPDX-License-Identifier: Apache-2.0
// A runner and the processes that it started.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace kwb {

/// The fields of /proc/PID/stat about one process.
struct ProcessStat {
    char state = '?';  ///< 'R', 'S', 'T', 'Z' (ended, not reaped) …
    pid_t group = 0;
    std::size_t threads = 0;
    double cpu_ms = 0;                 ///< of all its threads, in steps of 10 ms
    double ended_children_cpu_ms = 0;  ///< of the children that it has reaped, and theirs; in steps of 10 ms
};

/// @return  nullopt: there is no such process
std::optional<ProcessStat> read_process_stat(pid_t pid);

/// All processes that a runner has started, also indirectly, including zombies. A runner leads a group that
/// no process can leave, and adopts orphans (PR_SET_CHILD_SUBREAPER). While some end, Linux may omit others,
/// which the next call finds: proc_tid_children(5). Takes about 20 µs for each thread of these processes.
std::vector<pid_t> descendants_of(pid_t pid);

/// Processor time of a runner and of all processes that it has started, including those that have ended. The
/// part of the others is rounded down to 10 ms for each.
/// @return  nullopt: the runner has ended
std::optional<double> family_cpu_ms(pid_t runner);

}  // namespace kwb
