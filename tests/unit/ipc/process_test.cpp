// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

#include "base/error.hpp"
#include "base/fd.hpp"
#include "ipc/arena.hpp"
#include "ipc/captured_output.hpp"
#include "ipc/child.hpp"

using namespace kwb;

// --- captured output ---

namespace {

struct Source {
    Pipe pipe = make_pipe();

    Source() { ::fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK); }
    void print(const std::string& text) {
        REQUIRE(::write(pipe.write.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()));
    }
};

}  // namespace

TEST_CASE("output is kept in order and handed out once") {
    Source source;
    OutputCapture capture;
    source.print("one\n");
    capture.drain(source.pipe.read.get());
    source.print("two\n");
    capture.drain(source.pipe.read.get());
    CHECK(capture.take() == "one\ntwo\n");
    CHECK(capture.take() == "");
}

TEST_CASE("nothing to read, a closed pipe and no pipe are all quiet") {
    Source source;
    OutputCapture capture;
    capture.drain(source.pipe.read.get());
    source.pipe.write.reset();
    capture.drain(source.pipe.read.get());
    capture.drain(-1);
    CHECK(capture.take() == "");
}

TEST_CASE("beyond the cap output is counted, not kept, and never left in the pipe") {
    Source source;
    OutputCapture capture;
    for (int i = 0; i < 5; ++i) {
        source.print(std::string(30'000, static_cast<char>('a' + i)));
        capture.drain(source.pipe.read.get());
    }
    char byte = 0;
    CHECK(::read(source.pipe.read.get(), &byte, 1) < 0);
    const std::string text = capture.take();
    const std::size_t cut = 150'000 - OutputCapture::kKeptBytes;
    CHECK(text.substr(0, OutputCapture::kKeptBytes).find_first_not_of("abc") == std::string::npos);
    CHECK(text.substr(OutputCapture::kKeptBytes) ==
          "\n[… " + std::to_string(cut) + " more bytes of output were not kept]\n");
    CHECK(capture.take() == "");
    source.print("again");
    capture.drain(source.pipe.read.get());
    CHECK(capture.take() == "again");
}

TEST_CASE("a single byte too many is one byte") {
    Source source;
    OutputCapture capture;
    for (const std::size_t bytes : {OutputCapture::kKeptBytes / 2, OutputCapture::kKeptBytes / 2 + 1}) {
        source.print(std::string(bytes, 'a'));
        capture.drain(source.pipe.read.get());
    }
    CHECK(capture.take().ends_with("a\n[… 1 more byte of output was not kept]\n"));
}

TEST_CASE("many captures together keep no more than one") {
    Source source;
    OutputCapture all;
    for (int i = 0; i < 4; ++i) {
        OutputCapture capture;
        source.print(std::string(20'000, static_cast<char>('a' + i)));
        capture.drain(source.pipe.read.get());
        all.append(std::move(capture));
    }
    const std::string text = all.take();
    CHECK(text.find('d') == 60'000);
    CHECK(text.substr(OutputCapture::kKeptBytes) == "\n[… " +
                                                        std::to_string(80'000 - OutputCapture::kKeptBytes) +
                                                        " more bytes of output were not kept]\n");
}

TEST_CASE("bytes that are no UTF-8 are replaced") {
    Source source;
    OutputCapture capture;
    source.print("a\xFFz");
    capture.drain(source.pipe.read.get());
    CHECK(capture.take() == "a\xEF\xBF\xBDz");
}

// --- ipc/arena.hpp ---

namespace {

/// Map the arena again, as a runner does.
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

// --- ipc/child.hpp ---

TEST_CASE("drivers get the variables that locate and configure them, and nothing personal") {
    for (const char* name :
         {"PATH", "LANG", "LC_ALL", "TZ", "LD_LIBRARY_PATH", "OCL_ICD_VENDORS", "POCL_DEVICES",
          "CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES", "ZE_AFFINITY_MASK", "ASAN_OPTIONS", "UBSAN_OPTIONS",
          "KWB_FAKE_RUNNER_MODE", "KWB_CAPTURE_FOLDER"})
        CHECK_MESSAGE(is_for_drivers(name), name);
    for (const char* name :
         {"HOME", "TMPDIR", "USER", "SSH_AUTH_SOCK", "AWS_SECRET_ACCESS_KEY", "GITHUB_TOKEN", "DISPLAY",
          "XAUTHORITY", "LD_PRELOAD", "KWB_CACHE_DIR", "PATHS", "MY_PATH", ""})
        CHECK_MESSAGE(!is_for_drivers(name), name);
}

TEST_CASE("the drivers' part of our environment keeps its values, with whatever is in them") {
    ::setenv("POCL_TEST", "a=b c", 1);
    ::setenv("TEST_TOKEN", "secret", 1);
    const NamedList<std::string> kept = driver_environment();
    REQUIRE(find_named(kept, "POCL_TEST") != nullptr);
    CHECK(*find_named(kept, "POCL_TEST") == "a=b c");
    CHECK(find_named(kept, "TEST_TOKEN") == nullptr);
    ::unsetenv("POCL_TEST");
    ::unsetenv("TEST_TOKEN");
}
