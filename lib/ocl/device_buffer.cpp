#include "ocl/device_buffer.hpp"

#include <fmt/format.h>

#include <limits>

#include "base/error.hpp"
#include "base/text.hpp"
#include "ocl/errors.hpp"

namespace kwb {

void DeviceBuffer::copy(const cl::CommandQueue& queue, const DeviceBuffer& other) {
    expects(other.payload_bytes_ == payload_bytes_ && &other != this, "DeviceBuffer::copy: size");
    queue.enqueueCopyBuffer(other.payload_, payload_, 0, 0, payload_bytes_);
}

void DeviceBuffer::poke(const cl::CommandQueue& queue, std::uint64_t offset,
                        std::span<const std::uint8_t> bytes) {
    if (offset > payload_bytes_ || bytes.size() > payload_bytes_ - offset)
        throw ClError::refusal("a place beyond its buffer was to be changed",
                               "this is a mistake of the workbench: please report it");
    queue.enqueueWriteBuffer(payload_, CL_FALSE, offset, bytes.size(), bytes.data());
}

void require_room(const cl::Device& device, std::uint64_t front_bytes, std::uint64_t bytes,
                  std::uint64_t back_bytes) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max() / 8;
    std::uint64_t most = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
    if (most == 0) most = kMost;  // not told
    if (bytes == 0)
        throw ClError::refusal("a buffer of 0 bytes was asked for", "give every buffer at least one element");
    if (bytes > kMost || front_bytes > kMost || back_bytes > kMost || front_bytes + bytes + back_bytes > most)
        throw ClError(
            "clCreateBuffer", CL_INVALID_BUFFER_SIZE,
            fmt::format("a buffer of {} between guard zones of {} and {} is needed, one buffer of this "
                        "device holds at most {}",
                        format_bytes(bytes), format_bytes(front_bytes), format_bytes(back_bytes),
                        format_bytes(most)),
            "choose a smaller size");
}

}  // namespace kwb
