// Device memory between two guard zones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ocl/cl.hpp"

namespace kwb {

/// One allocation: guard, payload, guard. Kernels get the payload as a sub-buffer, so that a write beside it
/// lands in a guard zone, where whoever reads the whole allocation sees it.
/// All copies and fills are enqueued in order and not waited for, unless said otherwise.
class GuardedBuffer {
public:
    /// @param front_bytes  before the payload, a multiple of the device's base alignment; may be 0
    /// @param bytes        payload, at least 1
    /// @param back_bytes   behind the payload; may be 0
    /// @throws ClError  more than the device can hold, with the numbers
    GuardedBuffer(const cl::Context& context, const cl::Device& device, std::uint64_t front_bytes,
                  std::uint64_t bytes, std::uint64_t back_bytes);

    std::uint64_t payload_bytes() const { return payload_bytes_; }
    std::uint64_t front_bytes() const { return front_bytes_; }
    std::uint64_t back_bytes() const { return back_bytes_; }
    std::uint64_t whole_bytes() const { return front_bytes_ + payload_bytes_ + back_bytes_; }
    const cl::Buffer& payload() const { return payload_; }

    /// Copy the whole allocation; `host` has whole_bytes() and lives until the queue is finished.
    void write(const cl::CommandQueue& queue, std::span<const std::byte> host);
    void read(const cl::CommandQueue& queue, std::span<std::byte> host) const;

    /// Repeat `pattern` over the payload, the last repetition cut where it ends.
    /// @param pattern  1, 2, 4 or 8 bytes
    void fill(const cl::CommandQueue& queue, std::span<const std::uint8_t> pattern);

    /// Copy the payload of `other`, of the same size and not this one.
    void copy(const cl::CommandQueue& queue, const GuardedBuffer& other);

private:
    std::uint64_t front_bytes_;
    std::uint64_t payload_bytes_;
    std::uint64_t back_bytes_;
    cl::Buffer whole_;
    cl::Buffer payload_;
};

}  // namespace kwb
