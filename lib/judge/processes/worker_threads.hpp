// Where the threads of a CPU driver run.
#pragma once

#include <sys/types.h>

namespace kwb {

/// Give each worker thread of a runner a processor of its own, if it has as many of them as there are
/// processors that we may use; else leave them to the system. Best effort: nothing is said of failure.
///
/// Left alone, Linux often wakes both of PoCL's two workers on one of two processors while launches are
/// short, and does so for seconds: a matmul at 64 takes 0.19 ms then instead of 0.10 ms, whole rounds long.
/// PoCL's own remedy, POCL_AFFINITY, counts processors from 0, also where a container may not use that one,
/// and asks in a way that the sandbox refuses.
/// @param runner  a process whose driver has started its threads and which has no others but its first
void spread_worker_threads(pid_t runner);

}  // namespace kwb
