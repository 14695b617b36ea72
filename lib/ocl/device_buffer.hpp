// SPDX-License-Identifier: Apache-2.0
// Device memory: allocations around a payload, between guard zones or unreadable pages.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ocl/cl.hpp"

namespace kwb {

/// A range of this process's address space: unreadable, readable, then unreadable pages. The destructor
/// unmaps it.
class FencedPages {
public:
    /// @param fence_bytes     unreadable bytes on either side, a multiple of the page size; takes no memory
    /// @param bytes           readable and zeroed bytes, a multiple of the page size
    /// @param repeated_bytes  all readable bytes are this many bytes of memory, again and again, a multiple
    /// of
    ///                        the page size below `bytes`; 0: each byte is memory of its own
    /// @throws ClError  not enough address space (a limit, RLIMIT_AS), mappings (vm.max_map_count) or memory
    FencedPages(std::uint64_t fence_bytes, std::uint64_t bytes, std::uint64_t repeated_bytes = 0);
    FencedPages(const FencedPages&) = delete;
    FencedPages& operator=(const FencedPages&) = delete;
    ~FencedPages();

    /// All pages, the unreadable ones included.
    std::span<std::byte> all() const { return {begin_, 2 * fence_bytes_ + bytes_}; }
    std::byte* data() const { return begin_ + fence_bytes_; }
    /// The bytes at data() that are memory of their own.
    std::uint64_t own_bytes() const { return repeated_bytes_ > 0 ? repeated_bytes_ : bytes_; }

private:
    std::uint64_t fence_bytes_;
    std::uint64_t bytes_;
    std::uint64_t repeated_bytes_;
    std::byte* begin_;
};

/// One allocation: front, payload, back. Kernels get the payload.
/// Copies and fills are enqueued in order; they are complete once the queue has finished.
class DeviceBuffer {
public:
    /// Memory allocated by the driver: guard, payload, guard. The payload is a sub-buffer, so an
    /// out-of-bounds write next to it modifies a guard zone, which is detected when the whole allocation is
    /// read back.
    /// @param front_bytes  a multiple of the device's base alignment
    /// @throws ClError  the payload is empty, or larger than `device` allows for one buffer; states the sizes
    DeviceBuffer(const cl::Context& context, const cl::Device& device, std::uint64_t front_bytes,
                 std::uint64_t bytes, std::uint64_t back_bytes);

    /// Memory of this process that the device uses in place: front + payload + back are whole pages, and a
    /// kernel that accesses memory beyond them dies of SIGSEGV. For devices that work in host memory. The
    /// payload may have any address: kernels that assume a larger alignment may crash.
    /// @param fence_bytes, repeated_bytes  see FencedPages; a buffer that repeats is only written as a whole
    /// @throws ClError  as above, or not enough memory
    DeviceBuffer(const cl::Context& context, const cl::Device& device, std::uint64_t front_bytes,
                 std::uint64_t bytes, std::uint64_t back_bytes, std::uint64_t fence_bytes,
                 std::uint64_t repeated_bytes = 0);

    DeviceBuffer(const DeviceBuffer&) = delete;
    DeviceBuffer& operator=(const DeviceBuffer&) = delete;

    std::uint64_t payload_bytes() const { return payload_bytes_; }
    std::uint64_t front_bytes() const { return front_bytes_; }
    std::uint64_t back_bytes() const { return back_bytes_; }
    std::uint64_t whole_bytes() const { return front_bytes_ + payload_bytes_ + back_bytes_; }
    const cl::Buffer& payload() const { return payload_; }
    /// Null for memory allocated by the driver.
    const FencedPages* pages() const { return pages_.get(); }

    /// Copies the whole allocation; `host` has whole_bytes() bytes and must live until the queue has
    /// finished.
    void write(const cl::CommandQueue& queue, std::span<const std::byte> host);
    void read(const cl::CommandQueue& queue, std::span<std::byte> host) const;

    /// Fills the payload with repetitions of `pattern`; truncates the last one at its end.
    /// @param pattern  1, 2, 4 or 8 bytes
    void fill(const cl::CommandQueue& queue, std::span<const std::uint8_t> pattern);

    /// Replaces the payload; `host` has payload_bytes() bytes and must live until the queue has finished.
    void write_payload(const cl::CommandQueue& queue, std::span<const std::byte> host);

    /// Copies the payload to an image of the same size, or from it. Avoids the sub-buffer: PoCL 3.1 crashes.
    void load(const cl::CommandQueue& queue, const cl::Image2D& image) const;
    void store(const cl::CommandQueue& queue, const cl::Image2D& image) const;

    /// Copies the payload of another buffer of the same size.
    void copy(const cl::CommandQueue& queue, const DeviceBuffer& other);

    /// Moves the whole allocation to other memory, if its payload is small and the driver allocated it. The
    /// memory that it leaves is kept, and reused after kPlaces moves. payload() changes.
    /// How fast processors contend for a cache line depends on its physical address: the medians of two
    /// processes that ran the same kernel on 256 counters differed by up to 25 %. In a large buffer such
    /// differences average out.
    /// Source of the idea: C. Curtsinger and E. Berger, "Stabilizer: statistically sound performance
    /// evaluation", ASPLOS 2013.
    void move(const cl::CommandQueue& queue);

    /// The largest payload that moves.
    static constexpr std::uint64_t kMostMovedBytes = std::uint64_t{64} << 10;
    static constexpr std::size_t kPlaces = 16;

private:
    /// Memory of the driver, and the payload in it.
    struct Place {
        cl::Buffer whole;
        cl::Buffer payload;
    };

    Place make_place(const cl::Context& context) const;

    std::uint64_t front_bytes_;
    std::uint64_t payload_bytes_;
    std::uint64_t back_bytes_;
    std::unique_ptr<FencedPages> pages_;  ///< before the driver's buffers, which are released first
    std::vector<Place> places_;           ///< none with pages
    std::size_t place_ = 0;               ///< the current one of `places_`
    cl::Buffer payload_;
};

/// Tests that the device uses the given memory itself (CL_MEM_USE_HOST_PTR), at any address. OpenCL also
/// allows it to use a copy, which unreadable pages would not protect.
/// @throws ClError  it uses a copy, or rejects the memory
void require_works_in_place(const cl::Context& context, const cl::CommandQueue& queue);

}  // namespace kwb
