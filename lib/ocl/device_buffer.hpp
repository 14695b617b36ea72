// Device memory: an allocation with a payload, and a variant with guard zones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "ocl/cl.hpp"

namespace kwb {

/// One allocation: front, payload, back. Kernels get the payload.
/// Copies and fills are enqueued in order; unless stated otherwise, they are complete once the queue has
/// finished.
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

    /// Copies the whole allocation; `host` has whole_bytes() bytes and must live until the queue has
    /// finished.
    virtual void write(const cl::CommandQueue& queue, std::span<const std::byte> host) = 0;
    virtual void read(const cl::CommandQueue& queue, std::span<std::byte> host) const = 0;

    /// Fills the payload with repetitions of `pattern`; truncates the last one at its end.
    /// @param pattern  1, 2, 4 or 8 bytes
    virtual void fill(const cl::CommandQueue& queue, std::span<const std::uint8_t> pattern) = 0;

    /// Writes `bytes`, which must live until the queue has finished, at `offset` in the payload.
    /// @throws ClError  the range exceeds the payload
    void poke(const cl::CommandQueue& queue, std::uint64_t offset, std::span<const std::uint8_t> bytes);

    /// Copies the payload of another buffer of the same size.
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

/// @throws ClError  the payload is empty, or larger than `device` allows for one buffer; states the sizes
void require_room(const cl::Device& device, std::uint64_t front_bytes, std::uint64_t bytes,
                  std::uint64_t back_bytes);

/// Memory allocated by the driver: guard, payload, guard. Kernels get the payload as a sub-buffer, so an
/// out-of-bounds write next to it modifies a guard zone, which is detected when the whole allocation is read
/// back.
class GuardedBuffer final : public DeviceBuffer {
public:
    /// @param front_bytes  before the payload, a multiple of the device's base alignment; may be 0
    /// @param bytes        payload, at least 1
    /// @param back_bytes   after the payload; may be 0
    /// @throws ClError  more than the device can allocate; states the sizes
    GuardedBuffer(const cl::Context& context, const cl::Device& device, std::uint64_t front_bytes,
                  std::uint64_t bytes, std::uint64_t back_bytes);

    void write(const cl::CommandQueue& queue, std::span<const std::byte> host) override;
    void read(const cl::CommandQueue& queue, std::span<std::byte> host) const override;
    void fill(const cl::CommandQueue& queue, std::span<const std::uint8_t> pattern) override;

private:
    cl::Buffer whole_;
};

}  // namespace kwb
