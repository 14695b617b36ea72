#include "ocl/buffer.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "base/error.hpp"
#include "base/text.hpp"
#include "ocl/errors.hpp"

namespace kwb {
namespace {

void check(int status, const char* call) {
    if (status != CL_SUCCESS) throw explain_status(call, status);
}

void require_room(const cl::Device& device, std::uint64_t front_bytes, std::uint64_t bytes,
                  std::uint64_t back_bytes) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max() / 8;
    const std::uint64_t most = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
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
    const std::uint64_t align =
        std::max<std::uint64_t>(device.getInfo<CL_DEVICE_MEM_BASE_ADDR_ALIGN>() / 8, 1);
    if (front_bytes % align != 0)
        throw ClError::refusal(
            fmt::format("a guard zone of {} bytes is no multiple of the device's base alignment of {}",
                        front_bytes, align),
            "this is a mistake of the workbench: please report it");
}

}  // namespace

GuardedBuffer::GuardedBuffer(const cl::Context& context, const cl::Device& device, std::uint64_t front_bytes,
                             std::uint64_t bytes, std::uint64_t back_bytes)
    : front_bytes_(front_bytes), payload_bytes_(bytes), back_bytes_(back_bytes) {
    require_room(device, front_bytes, bytes, back_bytes);
    whole_ = cl::Buffer(context, CL_MEM_READ_WRITE, whole_bytes());
    const cl_buffer_region region{front_bytes, bytes};
    payload_ = whole_.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
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
    const std::uint64_t whole_patterns = payload_bytes_ - payload_bytes_ % n;
    if (whole_patterns > 0)
        check(::clEnqueueFillBuffer(queue(), payload_(), pattern.data(), n, 0, whole_patterns, 0, nullptr,
                                    nullptr),
              "clEnqueueFillBuffer");
    if (whole_patterns < payload_bytes_)
        queue.enqueueWriteBuffer(payload_, CL_TRUE, whole_patterns, payload_bytes_ - whole_patterns,
                                 pattern.data());
}

void GuardedBuffer::copy(const cl::CommandQueue& queue, const GuardedBuffer& other) {
    expects(other.payload_bytes_ == payload_bytes_ && &other != this, "GuardedBuffer::copy: size");
    queue.enqueueCopyBuffer(other.payload_, payload_, 0, 0, payload_bytes_);
}

}  // namespace kwb
