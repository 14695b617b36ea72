#include "ocl/device_buffer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/error.hpp"
#include "base/text.hpp"
#include "ocl/errors.hpp"

namespace kwb {
namespace {

void require_aligned(const cl::Device& device, std::uint64_t front_bytes) {
    const std::uint64_t align =
        std::max<std::uint64_t>(device.getInfo<CL_DEVICE_MEM_BASE_ADDR_ALIGN>() / 8, 1);
    if (front_bytes % align != 0)
        throw ClError::refusal(
            fmt::format("a guard zone of {} bytes is no multiple of the device's base alignment of {}",
                        front_bytes, align),
            "this is a mistake of the workbench: please report it");
}

}  // namespace

void DeviceBuffer::copy(const cl::CommandQueue& queue, const DeviceBuffer& other) {
    expects(other.payload_bytes_ == payload_bytes_ && &other != this, "DeviceBuffer::copy: size");
    queue.enqueueCopyBuffer(other.payload_, payload_, 0, 0, payload_bytes_);
}

void DeviceBuffer::poke(const cl::CommandQueue& queue, std::uint64_t offset,
                        std::span<const std::uint8_t> bytes) {
    if (offset > payload_bytes_ || bytes.size() > payload_bytes_ - offset)
        throw ClError::refusal("a write beyond the end of a buffer was requested",
                               "this is a mistake of the workbench: please report it");
    queue.enqueueWriteBuffer(payload_, CL_FALSE, offset, bytes.size(), bytes.data());
}

void require_room(const cl::Device& device, std::uint64_t front_bytes, std::uint64_t bytes,
                  std::uint64_t back_bytes) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max() / 8;
    std::uint64_t most = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
    if (most == 0) most = kMost;  // not reported
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

GuardedBuffer::GuardedBuffer(const cl::Context& context, const cl::Device& device, std::uint64_t front_bytes,
                             std::uint64_t bytes, std::uint64_t back_bytes)
    : DeviceBuffer(front_bytes, bytes, back_bytes) {
    require_room(device, front_bytes, bytes, back_bytes);
    require_aligned(device, front_bytes);
    whole_ = cl::Buffer(context, CL_MEM_READ_WRITE, whole_bytes());
    const cl_buffer_region region{front_bytes, bytes};
    set_payload(whole_.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region));
}

void GuardedBuffer::write(const cl::CommandQueue& queue, std::span<const std::byte> host) {
    expects(host.size() == whole_bytes(), "GuardedBuffer::write: size");
    queue.enqueueWriteBuffer(whole_, CL_FALSE, 0, host.size(), host.data());
}

void GuardedBuffer::read(const cl::CommandQueue& queue, std::span<std::byte> host) const {
    expects(host.size() == whole_bytes(), "GuardedBuffer::read: size");
    queue.enqueueReadBuffer(whole_, CL_FALSE, 0, host.size(), host.data());
}

void GuardedBuffer::fill(const cl::CommandQueue& queue, std::span<const std::uint8_t> pattern) {
    const std::size_t n = pattern.size();
    expects(n == 1 || n == 2 || n == 4 || n == 8, "GuardedBuffer::fill: pattern");
    const std::uint64_t whole_patterns = payload_bytes() - payload_bytes() % n;
    if (whole_patterns > 0) {
        const int status = ::clEnqueueFillBuffer(queue(), payload()(), pattern.data(), n, 0, whole_patterns,
                                                 0, nullptr, nullptr);
        if (status != CL_SUCCESS) throw explain_status("clEnqueueFillBuffer", status);
    }
    if (whole_patterns < payload_bytes())
        queue.enqueueWriteBuffer(payload(), CL_TRUE, whole_patterns, payload_bytes() - whole_patterns,
                                 pattern.data());
}

}  // namespace kwb
