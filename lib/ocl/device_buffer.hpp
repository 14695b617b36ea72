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
    /// @throws ClError  the payload is empty, or larger than `device` allows for one buffer; states the sizes
    DeviceBuffer(const cl::Device& device, std::uint64_t front_bytes, std::uint64_t bytes,
                 std::uint64_t back_bytes);

    void set_payload(cl::Buffer payload) { payload_ = std::move(payload); }

private:
    std::uint64_t front_bytes_;
    std::uint64_t payload_bytes_;
    std::uint64_t back_bytes_;
    cl::Buffer payload_;
};

/// Memory allocated by the driver: guard, payload, guard. Kernels get the payload as a sub-buffer, so an
/// out-of-bounds write next to it modifies a guard zone, which is detected when the whole allocation is read
/// back.
class GuardedBuffer final : public DeviceBuffer {
public:
    /// @param front_bytes  a multiple of the device's base alignment
    GuardedBuffer(const cl::Context& context, const cl::Device& device, std::uint64_t front_bytes,
                  std::uint64_t bytes, std::uint64_t back_bytes);

    void write(const cl::CommandQueue& queue, std::span<const std::byte> host) override;
    void read(const cl::CommandQueue& queue, std::span<std::byte> host) const override;
    void fill(const cl::CommandQueue& queue, std::span<const std::uint8_t> pattern) override;

private:
    cl::Buffer whole_;
};

// Device memory next to unreadable pages.

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

    /// All pages, the unreadable ones included.
    std::span<std::byte> all() const { return {begin_, 2 * fence_bytes_ + bytes_}; }
    std::byte* data() const { return begin_ + fence_bytes_; }

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
