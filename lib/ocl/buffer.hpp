// Device memory between two guard zones.
#pragma once

#include "ocl/device_buffer.hpp"

namespace kwb {

/// Memory of the driver's: guard, payload, guard. Kernels get the payload as a sub-buffer, so that a write
/// beside it lands in a guard zone, where whoever reads the whole allocation sees it.
class GuardedBuffer final : public DeviceBuffer {
public:
    /// @param front_bytes  before the payload, a multiple of the device's base alignment; may be 0
    /// @param bytes        payload, at least 1
    /// @param back_bytes   behind the payload; may be 0
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
