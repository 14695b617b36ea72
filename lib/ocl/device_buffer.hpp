// Device memory: one allocation with a payload, and the kind that lies between guard zones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "ocl/cl.hpp"

namespace kwb {

/// One allocation: front, payload, back. Kernels get the payload.
/// Copies and fills are queued in order; they are done once the queue has finished, unless stated otherwise.
class DeviceBuffer {
public:
    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;
    virtual ~DeviceBuffer() = default;

    std::uint64_t payload_bytes() const { return payload_bytes_; }
    std::uint64_t front_bytes() const { return front_bytes_; }
    std::uint64_t back_bytes() const { return back_bytes_; }
    std::uint64_t whole_bytes() const { return front_bytes_ + payload_bytes_ + back_bytes_; }
    const cl::Buffer& payload() const { return payload_; }

    /// Copy the whole allocation; `host` has whole_bytes() and lives until the queue is finished.
    virtual void write(const cl::CommandQueue& queue, std::span<const std::byte> host) = 0;
    virtual void read(const cl::CommandQueue& queue, std::span<std::byte> host) const = 0;

    /// Repeat `pattern` over the payload, cutting the last repetition at its end.
    /// @param pattern  1, 2, 4 or 8 bytes
    virtual void fill(const cl::CommandQueue& queue, std::span<const std::uint8_t> pattern) = 0;

    /// Write `bytes`, which live until the queue is finished, at `offset` of the payload.
    /// @throws ClError  beyond the payload
    void poke(const cl::CommandQueue& queue, std::uint64_t offset, std::span<const std::uint8_t> bytes);

    /// Copy the payload of `other`, of the same size and not this one.
    void copy(const cl::CommandQueue& queue, const DeviceBuffer& other);

protected:
    DeviceBuffer(std::uint64_t front_bytes, std::uint64_t bytes, std::uint64_t back_bytes)
        : front_bytes_(front_bytes), payload_bytes_(bytes), back_bytes_(back_bytes) {}

    void set_payload(cl::Buffer payload) { payload_ = std::move(payload); }

private:
    std::uint64_t front_bytes_;
    std::uint64_t payload_bytes_;
    std::uint64_t back_bytes_;
    cl::Buffer payload_;
};

/// @throws ClError  an empty payload, or more than one buffer of `device` holds, with the numbers
void require_room(const cl::Device& device, std::uint64_t front_bytes, std::uint64_t bytes,
                  std::uint64_t back_bytes);

/// Memory of the driver: guard, payload, guard. Kernels get the payload as a sub-buffer, so a stray write
/// next to it changes a guard zone, which shows when the whole allocation is read back.
class GuardedBuffer final : public DeviceBuffer {
public:
    /// @param front_bytes  before the payload, a multiple of the device's base alignment; may be 0
    /// @param bytes        payload, at least 1
    /// @param back_bytes   after the payload; may be 0
    /// @throws ClError  more than the device can hold, with the numbers
    GuardedBuffer(const cl::Context& context, const cl::Device& device, std::uint64_t front_bytes,
                  std::uint64_t bytes, std::uint64_t back_bytes);

    void write(const cl::CommandQueue& queue, std::span<const std::byte> host) override;
    void read(const cl::CommandQueue& queue, std::span<std::byte> host) const override;
    void fill(const cl::CommandQueue& queue, std::span<const std::uint8_t> pattern) override;

private:
    cl::Buffer whole_;
};

}  // namespace kwb
