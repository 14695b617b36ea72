#include "ipc/arena.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "base/error.hpp"

using namespace kwb;

namespace {

/// As a runner would get it.
Arena borrow(const Arena& arena) {
    return Arena::adopt(Fd(::fcntl(arena.fd(), F_DUPFD_CLOEXEC, 0)));
}

}  // namespace

TEST_CASE("what one side writes the other reads") {
    Arena owner = Arena::create();
    owner.grow(100'000);
    Arena borrower = borrow(owner);
    borrower.require(100'000);
    std::memcpy(borrower.range(99'990, 5).data(), "hello", 5);
    CHECK(std::memcmp(owner.range(99'990, 5).data(), "hello", 5) == 0);
}

TEST_CASE("growing keeps the content, and never shrinks") {
    Arena arena = Arena::create();
    arena.grow(10);
    arena.range(0, 1)[0] = std::byte{42};
    arena.grow(10'000'000);
    arena.grow(5);
    CHECK(arena.range(0, 10'000'000)[0] == std::byte{42});
    CHECK(arena.range(9'999'999, 1)[0] == std::byte{0});
}

TEST_CASE("a borrower cannot take pages away, nor forbid the owner to grow or write") {
    Arena owner = Arena::create();
    owner.grow(100'000);
    CHECK(::ftruncate(owner.fd(), 10) != 0);
    CHECK(errno == EPERM);
    for (const int seal : {F_SEAL_GROW, F_SEAL_WRITE, F_SEAL_SEAL}) {
        CHECK(::fcntl(owner.fd(), F_ADD_SEALS, seal) != 0);
        CHECK(errno == EPERM);
    }
    owner.grow(200'000);
    owner.range(150'000, 1)[0] = std::byte{1};
}

TEST_CASE("a borrower that grew the file does no harm") {
    Arena owner = Arena::create();
    owner.grow(100);
    CHECK(::ftruncate(owner.fd(), 1 << 20) == 0);
    owner.grow(200);
    CHECK(owner.range(0, 200).size() == 200);
}

TEST_CASE("nothing beyond the shared memory can be asked for") {
    Arena owner = Arena::create();
    owner.grow(100);
    Arena borrower = borrow(owner);
    CHECK_THROWS_AS(borrower.require(101), ProtocolError);
    borrower.require(100);
    CHECK_NOTHROW(borrower.range(100, 0));
    CHECK_THROWS_AS(borrower.range(0, 101), ContractError);
    CHECK_THROWS_AS(borrower.range(101, 0), ContractError);
    CHECK_THROWS_AS(borrower.range(50, SIZE_MAX - 10), ContractError);
    CHECK_THROWS_AS(Arena().range(0, 1), ContractError);
}

TEST_CASE("a moved arena keeps its memory") {
    Arena first = Arena::create();
    first.grow(100);
    first.range(0, 1)[0] = std::byte{7};
    Arena second = std::move(first);
    CHECK(second.range(0, 1)[0] == std::byte{7});
    Arena third;
    third = std::move(second);
    CHECK(third.range(0, 1)[0] == std::byte{7});
    CHECK(third.fd() >= 0);
}
