#include "ocl/paged_buffer.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"
#include "ocl/errors.hpp"

namespace kwb {
namespace {

ClError no_pages(const char* call, std::uint64_t bytes) {
    return ClError(call, CL_OUT_OF_HOST_MEMORY,
                   fmt::format("no {} of address space for a buffer between unreadable pages: {}",
                               format_bytes(bytes), std::generic_category().message(errno)),
                   "check without unreadable pages, or allow more address space (ulimit -v)");
}

}  // namespace

FencedPages::FencedPages(std::uint64_t fence_bytes, std::uint64_t bytes)
    : fence_bytes_(fence_bytes), bytes_(bytes) {
    const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    if (bytes % page_bytes != 0 || fence_bytes % page_bytes != 0)
        throw ClError::refusal(
            fmt::format("a buffer of {} bytes is no multiple of this machine's pages of {}", bytes,
                        page_bytes),
            "check without unreadable pages");
    const std::uint64_t all_bytes = 2 * fence_bytes + bytes;
    void* place = ::mmap(nullptr, all_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (place == MAP_FAILED) throw no_pages("mmap", all_bytes);
    begin_ = static_cast<std::byte*>(place);
    if (::mprotect(data(), bytes, PROT_READ | PROT_WRITE) != 0) {
        const ClError error = no_pages("mprotect", bytes);
        ::munmap(begin_, all_bytes);
        throw error;
    }
}

FencedPages::~FencedPages() {
    ::munmap(begin_, 2 * fence_bytes_ + bytes_);
}

PagedBuffer::PagedBuffer(const cl::Context& context, const cl::Device& device, std::uint64_t front_bytes,
                         std::uint64_t bytes, std::uint64_t back_bytes, std::uint64_t fence_bytes)
    : DeviceBuffer(front_bytes, bytes, back_bytes),
      pages_((require_room(device, front_bytes, bytes, back_bytes), fence_bytes), whole_bytes()) {
    set_payload(
        cl::Buffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, pages_.data() + front_bytes));
}

// The slack around the payload is not part of the cl_mem, so the host copies everything. This is correct
// because the device works in this memory (require_works_in_place).

void PagedBuffer::write(const cl::CommandQueue& queue, std::span<const std::byte> host) {
    expects(host.size() == whole_bytes(), "PagedBuffer::write: size");
    queue.finish();
    std::memcpy(pages_.data(), host.data(), host.size());
}

void PagedBuffer::read(const cl::CommandQueue& queue, std::span<std::byte> host) const {
    expects(host.size() == whole_bytes(), "PagedBuffer::read: size");
    queue.finish();
    std::memcpy(host.data(), pages_.data(), host.size());
}

void PagedBuffer::fill(const cl::CommandQueue& queue, std::span<const std::uint8_t> pattern) {
    expects(!pattern.empty(), "PagedBuffer::fill: pattern");
    queue.finish();
    std::byte* const begin = pages_.data() + front_bytes();
    std::uint64_t done = std::min<std::uint64_t>(pattern.size(), payload_bytes());
    std::memcpy(begin, pattern.data(), done);
    // Doubles the filled part in each step, so that large buffers are filled by large copies.
    while (done < payload_bytes()) {
        std::uint64_t next = std::min(done, payload_bytes() - done);
        std::memcpy(begin + done, begin, next);
        done += next;
    }
}

void require_works_in_place(const cl::Context& context, const cl::CommandQueue& queue) {
    const auto page_bytes = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    constexpr std::uint64_t kOddBytes = 33;  // ends at the page boundary and starts unaligned
    const FencedPages pages(page_bytes, page_bytes);
    std::byte* const begin = pages.data() + page_bytes - kOddBytes;
    const auto refuse = [](const char* why) {
        throw ClError::refusal(std::string("this device cannot work between unreadable pages: ") + why,
                               "check without unreadable pages");
    };
    int status = CL_SUCCESS;
    const cl::Buffer buffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, kOddBytes, begin, &status);
    if (status != CL_SUCCESS) refuse("it takes no memory from the host");
    const std::uint8_t value = 0x5A;
    queue.enqueueFillBuffer(buffer, value, 0, kOddBytes);
    queue.finish();
    const auto is_value = [&](std::byte b) { return b == std::byte{value}; };
    if (!std::all_of(begin, begin + kOddBytes, is_value)) refuse("it works in a copy of the host's memory");
}

}  // namespace kwb
