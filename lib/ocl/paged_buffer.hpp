// Device memory next to unreadable pages.
#pragma once

#include "ocl/device_buffer.hpp"

namespace kwb {

/// Address space of this process: unreadable, readable, then unreadable pages. Unmapped with the object.
class FencedPages {
public:
    /// @param fence_bytes  unreadable on either side, a multiple of the page size; costs no memory
    /// @param bytes        readable and zeroed, a multiple of the page size
    /// @throws ClError  no address space (a limit, RLIMIT_AS), or no memory
    FencedPages(std::uint64_t fence_bytes, std::uint64_t bytes);
    FencedPages(const FencedPages&) = delete;
    FencedPages& operator=(const FencedPages&) = delete;
    ~FencedPages();

    std::byte* data() const { return begin_ + fence_bytes_; }
    std::uint64_t fence_bytes() const { return fence_bytes_; }
    std::uint64_t bytes() const { return bytes_; }

private:
    std::uint64_t fence_bytes_;
    std::uint64_t bytes_;
    std::byte* begin_;
};

/// Memory of this process that the device uses in place: front + payload + back are whole pages, and a kernel
/// that reads or writes beyond them dies of SIGSEGV. For devices that work in the host's memory. The payload
/// may have any address: kernels that assume more alignment may crash.
class PagedBuffer final : public DeviceBuffer {
public:
    /// @param front_bytes, bytes, back_bytes  their sum is a multiple of the page size
    /// @param fence_bytes                     see FencedPages
    /// @throws ClError  no room, or a driver that would work in a copy
    PagedBuffer(const cl::Context& context, const cl::Device& device, std::uint64_t front_bytes,
                std::uint64_t bytes, std::uint64_t back_bytes, std::uint64_t fence_bytes);
    /// Releases the driver's buffer before the memory is unmapped.
    ~PagedBuffer() override { set_payload(cl::Buffer()); }

    /// These wait until the queue is empty and are done when they return.
    void write(const cl::CommandQueue& queue, std::span<const std::byte> host) override;
    void read(const cl::CommandQueue& queue, std::span<std::byte> host) const override;
    void fill(const cl::CommandQueue& queue, std::span<const std::uint8_t> pattern) override;

    const FencedPages& pages() const { return pages_; }

private:
    FencedPages pages_;
};

/// Test that the device really works in the memory it is given (CL_MEM_USE_HOST_PTR), at any address. OpenCL
/// also allows a copy, which unreadable pages would not protect.
/// @throws ClError  it does not
void require_works_in_place(const cl::Context& context, const cl::CommandQueue& queue);

}  // namespace kwb
