// Device memory next to unreadable pages.
#pragma once

#include "ocl/device_buffer.hpp"

namespace kwb {

/// A range of this process's address space: unreadable, readable, then unreadable pages. The destructor
/// unmaps it.
class FencedPages {
public:
    /// @param fence_bytes  unreadable bytes on either side, a multiple of the page size; takes no memory
    /// @param bytes        readable and zeroed bytes, a multiple of the page size
    /// @throws ClError  not enough address space (a limit, RLIMIT_AS) or memory
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
/// that accesses memory beyond them dies of SIGSEGV. For devices that work in host memory. The payload may
/// have any address: kernels that assume a larger alignment may crash.
class PagedBuffer final : public DeviceBuffer {
public:
    /// @param front_bytes, bytes, back_bytes  their sum is a multiple of the page size
    /// @param fence_bytes                     see FencedPages
    /// @throws ClError  not enough memory, or the payload exceeds the limits of the device
    PagedBuffer(const cl::Context& context, const cl::Device& device, std::uint64_t front_bytes,
                std::uint64_t bytes, std::uint64_t back_bytes, std::uint64_t fence_bytes);
    /// Releases the driver's buffer before the memory is unmapped.
    ~PagedBuffer() override { set_payload(cl::Buffer()); }

    /// These wait until the queue is empty and are complete when they return.
    void write(const cl::CommandQueue& queue, std::span<const std::byte> host) override;
    void read(const cl::CommandQueue& queue, std::span<std::byte> host) const override;
    void fill(const cl::CommandQueue& queue, std::span<const std::uint8_t> pattern) override;

    const FencedPages& pages() const { return pages_; }

private:
    FencedPages pages_;
};

/// Tests that the device uses the memory that it is given (CL_MEM_USE_HOST_PTR), at any address. OpenCL also
/// allows it to use a copy, which unreadable pages would not protect.
/// @throws ClError  it uses a copy, or rejects the memory
void require_works_in_place(const cl::Context& context, const cl::CommandQueue& queue);

}  // namespace kwb
