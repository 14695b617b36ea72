// SPDX-License-Identifier: Apache-2.0
// One piece of memory at many addresses.
#include "base/repeated_memory.hpp"

#include <doctest/doctest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace kwb::test {
namespace {

TEST_CASE("what is written to one piece is in all of them, and in nothing around them") {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    constexpr std::size_t kPages = 9;
    void* const place =
        ::mmap(nullptr, kPages * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(place != MAP_FAILED);
    auto* const begin = static_cast<std::byte*>(place);
    // Pages 1 to 7 in pieces of two: the last one is shorter.
    REQUIRE(map_repeatedly(begin + page, 7 * page, 2 * page));
    std::memset(begin + 3 * page, 'a', page);
    std::memset(begin + 6 * page, 'b', page);
    for (const std::size_t piece : {1UL, 3UL, 5UL, 7UL}) CHECK(begin[piece * page + 5] == std::byte{'a'});
    for (const std::size_t piece : {2UL, 4UL, 6UL}) CHECK(begin[piece * page + 5] == std::byte{'b'});
    CHECK(begin[0] == std::byte{0});
    CHECK(begin[8 * page] == std::byte{0});
    ::munmap(place, kPages * page);
}

TEST_CASE("whether repeated pages are fast is measured once") {
    CHECK(has_fast_repeated_pages() == has_fast_repeated_pages());
}

}  // namespace
}  // namespace kwb::test
