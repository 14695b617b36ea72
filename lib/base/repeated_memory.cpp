// SPDX-License-Identifier: Apache-2.0
#include "base/repeated_memory.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <limits>

namespace kwb {
namespace {

constexpr std::size_t kPages = 32;       ///< fewer than the nearest TLB of any CPU has entries
constexpr std::size_t kLinesOfPage = 4;  ///< cache lines of a page that are read
constexpr std::size_t kLineDistance = 1024;
constexpr double kSlow = 2;  ///< measured: 15 times as slow on Zen 5, equal where it works

/// The least time of several walks over the same lines of pages that are `stride` apart.
double walk_ns(const std::byte* begin, std::size_t stride) {
    constexpr int kWalks = 40, kRepeats = 20;
    double least = std::numeric_limits<double>::infinity();
    for (int walk = 0; walk < kWalks; ++walk) {
        const auto start = std::chrono::steady_clock::now();
        for (int repeat = 0; repeat < kRepeats; ++repeat)
            for (std::size_t page = 0; page < kPages; ++page)
                for (std::size_t line = 0; line < kLinesOfPage; ++line)
                    (void)*reinterpret_cast<const volatile unsigned*>(begin + page * stride +
                                                                      line * kLineDistance);
        const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
        least = std::min(least, time.count());
    }
    return least;
}

bool measure_repeated_pages() {
    const auto page_bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t bytes = kPages * page_bytes;
    void* const place = ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (place == MAP_FAILED) return false;
    auto* const begin = static_cast<std::byte*>(place);
    const bool is_fast =
        map_repeatedly(begin, bytes, page_bytes) && walk_ns(begin, page_bytes) <= kSlow * walk_ns(begin, 0);
    ::munmap(begin, bytes);
    return is_fast;
}

}  // namespace

bool map_repeatedly(std::byte* begin, std::size_t bytes, std::size_t piece_bytes) {
    void* const first = ::mmap(begin, std::min(bytes, piece_bytes), PROT_READ | PROT_WRITE,
                               MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (first == MAP_FAILED) return false;
    // With an old size of 0, mremap() maps shared memory once more, and leaves the old mapping.
    for (std::size_t at = piece_bytes; at < bytes; at += piece_bytes)
        if (::mremap(first, 0, std::min(piece_bytes, bytes - at), MREMAP_MAYMOVE | MREMAP_FIXED,
                     begin + at) == MAP_FAILED)
            return false;
    return true;
}

bool has_fast_repeated_pages() {
    static const bool is_fast = measure_repeated_pages();
    return is_fast;
}

}  // namespace kwb
