// The last words of a runner that dies of a memory access.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kwb {

/// Which faults are told about.
enum class FaultScope {
    Nothing,  ///< the signals do what they do by default
    Kernels,  ///< those at a watched buffer, or of code that is new in this process: a driver may still be
              ///< compiling, whose own faults are not ours
    All,      ///< a kernel is at work
};

/// From now on SIGSEGV and SIGBUS send one FaultNote (ipc/runner_messages.hpp) through emergency_send() and
/// then end the process as ever. Costs two system calls, and nothing while kernels run.
/// Takes the signals anew each time, because drivers and compilers install handlers of their own.
/// Not told about: a stack that overflowed (the handler would need it).
void report_faults(FaultScope scope);

/// While it lives, faults within [begin, end) are told as offsets from `payload` in buffer `id`.
class WatchedBuffer {
public:
    static constexpr std::size_t kMost = 256;  ///< at a time

    /// @throws ClError  there are kMost already
    WatchedBuffer(std::uint32_t id, std::uint64_t begin, std::uint64_t end, std::uint64_t payload);
    WatchedBuffer(const WatchedBuffer&) = delete;
    WatchedBuffer& operator=(const WatchedBuffer&) = delete;
    ~WatchedBuffer();

private:
    std::size_t slot_;
};

/// The page at kTraceAddress, where traced builds note which work-item is at work; a FaultNote tells it.
class TracePage {
public:
    /// @throws ClError  something else lies there
    TracePage();
    TracePage(const TracePage&) = delete;
    TracePage& operator=(const TracePage&) = delete;
    ~TracePage();

    /// Nobody has been at work yet.
    void clear();
};

}  // namespace kwb
