// What a runner reports about the memory access that kills it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kwb {

/// Which faults are reported.
enum class FaultScope {
    Nothing,  ///< the signals have their default action
    Kernels,  ///< faults at a watched buffer or in code that is new in this process; the driver may still be
              ///< compiling, and its own faults are not reported
    All,      ///< a kernel is running
};

/// From now on SIGSEGV and SIGBUS send one FaultNote (ipc/runner_messages.hpp) through emergency_send() and
/// then end the process as usual. Costs two system calls, and nothing while kernels run. Installs the
/// handlers again at each call, because drivers and compilers install their own. Stack overflows are not
/// reported, because the handler needs a stack.
void report_faults(FaultScope scope);

/// While it lives, faults in [begin, end) are reported as offsets from `payload` in buffer `id`.
class WatchedBuffer {
public:
    static constexpr std::size_t kMost = 256;  ///< at the same time

    /// @throws ClError  there are kMost already
    WatchedBuffer(std::uint32_t id, std::uint64_t begin, std::uint64_t end, std::uint64_t payload);
    WatchedBuffer(const WatchedBuffer&) = delete;
    WatchedBuffer& operator=(const WatchedBuffer&) = delete;
    ~WatchedBuffer();

private:
    std::size_t slot_;
};

/// The page at kTraceAddress, where traced builds record the present work-item; a FaultNote reports it.
class TracePage {
public:
    /// @throws ClError  the address is taken
    TracePage();
    TracePage(const TracePage&) = delete;
    TracePage& operator=(const TracePage&) = delete;
    ~TracePage();

    /// Forget the last work-item.
    void clear();
};

}  // namespace kwb
