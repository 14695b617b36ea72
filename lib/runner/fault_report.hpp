// SPDX-License-Identifier: Apache-2.0
// Reports the memory access that kills a runner.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kwb {

/// Which faults are reported.
enum class FaultScope {
    Nothing,  ///< the signals have their default action
    Kernels,  ///< only faults at a watched buffer or in code that is new in this process; the driver may
              ///< still be compiling, and its own faults are not reported
    All,      ///< all faults, because a kernel is running
};

/// From now on SIGSEGV and SIGBUS send one FaultNote (ipc/runner_messages.hpp) with emergency_send() and then
/// end the process as usual. Takes two system calls, and nothing while kernels run. Each call installs the
/// handlers again, because drivers and compilers install their own. Stack overflows are not reported, because
/// the handler needs a stack.
void report_faults(FaultScope scope);

/// During its lifetime, faults in [begin, end) are reported as offsets from `payload` in buffer `id`.
class WatchedBuffer {
public:
    static constexpr std::size_t kMost = 256;  ///< at the same time

    /// @throws ClError  kMost buffers are already watched
    WatchedBuffer(std::uint32_t id, std::uint64_t begin, std::uint64_t end, std::uint64_t payload);
    WatchedBuffer(const WatchedBuffer&) = delete;
    WatchedBuffer& operator=(const WatchedBuffer&) = delete;
    ~WatchedBuffer();

private:
    std::size_t slot_;
};

/// The page at kTraceAddress, where traced builds record the current work-item; a FaultNote reports it.
class TracePage {
public:
    /// @throws ClError  the address is already in use
    TracePage();
    TracePage(const TracePage&) = delete;
    TracePage& operator=(const TracePage&) = delete;
    ~TracePage();

    /// Clears the record of the last work-item.
    void clear();
};

}  // namespace kwb
