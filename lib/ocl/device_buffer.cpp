// SPDX-License-Identifier: Apache-2.0
#include "ocl/device_buffer.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/repeated_memory.hpp"
#include "base/text.hpp"
#include "ocl/errors.hpp"

namespace kwb {
namespace {

void require_aligned(const cl::Device& device, std::uint64_t front_bytes) {
    const std::uint64_t align =
        std::max<std::uint64_t>(device.getInfo<CL_DEVICE_MEM_BASE_ADDR_ALIGN>() / 8, 1);
    if (front_bytes % align != 0)
        throw ClError::mistake(
            fmt::format("a guard zone of {} bytes is not a multiple of the device's base alignment of {}",
                        front_bytes, align));
}

ClError no_pages(const char* call, std::uint64_t bytes) {
    return ClError(call, CL_OUT_OF_HOST_MEMORY,
                   fmt::format("cannot reserve {} of address space for a buffer between unreadable pages: {}",
                               format_bytes(bytes), std::generic_category().message(errno)),
                   "Choose a smaller size, or allow more address space (ulimit -v)");
}

void require_room(const cl::Device& device, std::uint64_t front_bytes, std::uint64_t bytes,
                  std::uint64_t back_bytes) {
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max() / 8;
    std::uint64_t most = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
    if (most == 0) most = kMost;  // not reported
    if (bytes == 0) throw ClError::refusal("a buffer has 0 bytes", "Give every buffer at least one element");
    if (bytes > kMost || front_bytes > kMost || back_bytes > kMost || front_bytes + bytes + back_bytes > most)
        throw ClError(
            "clCreateBuffer", CL_INVALID_BUFFER_SIZE,
            fmt::format("a buffer of {} between guard zones of {} and {} exceeds the largest buffer of this "
                        "device, {}",
                        format_bytes(bytes), format_bytes(front_bytes), format_bytes(back_bytes),
                        format_bytes(most)),
            "Choose a smaller size");
}

std::array<cl::size_type, 3> extents_of(const cl::Image2D& image) {
    return {image.getImageInfo<CL_IMAGE_WIDTH>(), image.getImageInfo<CL_IMAGE_HEIGHT>(), 1};
}

}  // namespace

FencedPages::FencedPages(std::uint64_t fence_bytes, std::uint64_t bytes, std::uint64_t repeated_bytes)
    : fence_bytes_(fence_bytes), bytes_(bytes), repeated_bytes_(repeated_bytes) {
    const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    if (bytes % page_bytes != 0 || fence_bytes % page_bytes != 0 || repeated_bytes % page_bytes != 0)
        throw ClError::refusal(
            fmt::format("a buffer of {} bytes is not a multiple of this machine's page size of {}", bytes,
                        page_bytes),
            "Leave out the check, or the experiments, that need it");
    const std::uint64_t all_bytes = 2 * fence_bytes + bytes;
    void* place = ::mmap(nullptr, all_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) throw no_pages("mmap", all_bytes);
    begin_ = static_cast<std::byte*>(place);
    try {
        if (repeated_bytes > 0 && !map_repeatedly(data(), bytes, repeated_bytes))
            throw no_pages("mremap", bytes);
        if (repeated_bytes == 0 && ::mprotect(data(), bytes, PROT_READ | PROT_WRITE) != 0)
            throw no_pages("mprotect", bytes);
        // Repeated pages cannot be huge ones. Pages that are compared with them must not be, either.
        ::madvise(data(), bytes, MADV_NOHUGEPAGE);
    } catch (const ClError&) {
        ::munmap(begin_, all_bytes);
        throw;
    }
}

FencedPages::~FencedPages() {
    ::munmap(begin_, all().size());
}

DeviceBuffer::DeviceBuffer(const cl::Context& context, const cl::Device& device, std::uint64_t front_bytes,
                           std::uint64_t bytes, std::uint64_t back_bytes)
    : front_bytes_(front_bytes), payload_bytes_(bytes), back_bytes_(back_bytes) {
    require_room(device, front_bytes, bytes, back_bytes);
    require_aligned(device, front_bytes);
    places_.push_back(make_place(context));
    payload_ = places_.front().payload;
}

DeviceBuffer::Place DeviceBuffer::make_place(const cl::Context& context) const {
    cl::Buffer whole(context, CL_MEM_READ_WRITE, whole_bytes());
    const cl_buffer_region region{front_bytes_, payload_bytes_};
    cl::Buffer payload = whole.createSubBuffer(CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region);
    return {std::move(whole), std::move(payload)};
}

void DeviceBuffer::move(const cl::CommandQueue& queue) {
    if (pages_ || payload_bytes() > kMostMovedBytes) return;
    const std::size_t next = (place_ + 1) % kPlaces;
    if (next == places_.size()) places_.push_back(make_place(queue.getInfo<CL_QUEUE_CONTEXT>()));
    queue.enqueueCopyBuffer(places_[place_].whole, places_[next].whole, 0, 0, whole_bytes());
    place_ = next;
    payload_ = places_[next].payload;
}

DeviceBuffer::DeviceBuffer(const cl::Context& context, const cl::Device& device, std::uint64_t front_bytes,
                           std::uint64_t bytes, std::uint64_t back_bytes, std::uint64_t fence_bytes,
                           std::uint64_t repeated_bytes)
    : front_bytes_(front_bytes), payload_bytes_(bytes), back_bytes_(back_bytes) {
    require_room(device, front_bytes, bytes, back_bytes);
    pages_ = std::make_unique<FencedPages>(fence_bytes, whole_bytes(), repeated_bytes);
    payload_ =
        cl::Buffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, pages_->data() + front_bytes);
}

// With pages, the slack around the payload is not part of the cl_mem, so the host copies everything. This is
// correct because the device works in this memory (require_works_in_place).

void DeviceBuffer::write(const cl::CommandQueue& queue, std::span<const std::byte> host) {
    expects(host.size() == whole_bytes(), "DeviceBuffer::write: size");
    if (!pages_) {
        queue.enqueueWriteBuffer(places_[place_].whole, CL_FALSE, 0, host.size(), host.data());
    } else {
        queue.finish();
        std::memcpy(pages_->data(), host.data(), std::min<std::uint64_t>(host.size(), pages_->own_bytes()));
    }
}

void DeviceBuffer::read(const cl::CommandQueue& queue, std::span<std::byte> host) const {
    expects(host.size() == whole_bytes(), "DeviceBuffer::read: size");
    if (!pages_) {
        queue.enqueueReadBuffer(places_[place_].whole, CL_FALSE, 0, host.size(), host.data());
    } else {
        queue.finish();
        std::memcpy(host.data(), pages_->data(), host.size());
    }
}

void DeviceBuffer::fill(const cl::CommandQueue& queue, std::span<const std::uint8_t> pattern) {
    const std::size_t n = pattern.size();
    expects(n == 1 || n == 2 || n == 4 || n == 8, "DeviceBuffer::fill: pattern");
    if (pages_) {
        queue.finish();
        std::byte* const begin = pages_->data() + front_bytes();
        for (std::uint64_t at = 0; at < payload_bytes(); at += n)
            std::memcpy(begin + at, pattern.data(), std::min<std::uint64_t>(n, payload_bytes() - at));
        return;
    }
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

void DeviceBuffer::load(const cl::CommandQueue& queue, const cl::Image2D& image) const {
    queue.enqueueCopyBufferToImage(pages_ ? payload_ : places_[place_].whole, image,
                                   pages_ ? 0 : front_bytes_, {0, 0, 0}, extents_of(image));
}

void DeviceBuffer::store(const cl::CommandQueue& queue, const cl::Image2D& image) const {
    queue.enqueueCopyImageToBuffer(image, pages_ ? payload_ : places_[place_].whole, {0, 0, 0},
                                   extents_of(image), pages_ ? 0 : front_bytes_);
}

void DeviceBuffer::copy(const cl::CommandQueue& queue, const DeviceBuffer& other) {
    expects(other.payload_bytes_ == payload_bytes_ && &other != this, "DeviceBuffer::copy: size");
    queue.enqueueCopyBuffer(other.payload_, payload_, 0, 0, payload_bytes_);
}

void DeviceBuffer::write_payload(const cl::CommandQueue& queue, std::span<const std::byte> host) {
    expects(host.size() == payload_bytes(), "DeviceBuffer::write_payload: size");
    queue.enqueueWriteBuffer(payload_, CL_FALSE, 0, host.size(), host.data());
}

void require_works_in_place(const cl::Context& context, const cl::CommandQueue& queue) {
    const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    constexpr std::uint64_t kOddBytes = 33;  // ends at the page boundary and starts unaligned
    const FencedPages pages(page_bytes, page_bytes);
    std::byte* const begin = pages.data() + page_bytes - kOddBytes;
    const auto refuse = [](const char* why) {
        throw ClError::refusal(std::string("this device cannot work between unreadable pages: ") + why,
                               "Leave out the check, or the experiments, that need it");
    };
    int status = CL_SUCCESS;
    const cl::Buffer buffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, kOddBytes, begin, &status);
    if (status != CL_SUCCESS) refuse("it does not accept host memory");
    const std::uint8_t value = 0x5A;
    queue.enqueueFillBuffer(buffer, value, 0, kOddBytes);
    queue.finish();
    const auto is_value = [&](std::byte b) { return b == std::byte{value}; };
    if (!std::all_of(begin, begin + kOddBytes, is_value)) refuse("it works in a copy of the host memory");
}

}  // namespace kwb
