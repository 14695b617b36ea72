// SPDX-License-Identifier: Apache-2.0
#include "judge/verify/stray_access.hpp"

#include <doctest/doctest.h>

#include "sample.hpp"
#include "support/words.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

const Layout& layout() {
    static const Layout layout =
        make_layout(matmul(256, 256, 256), {}, small_device(), {Placement::Kind::RightAligned});
    return layout;
}

/// A crash at `offset` bytes from the start of buffer 0, which is A.
Failure death(std::int64_t offset, FaultNote::Access access = FaultNote::Access::Read) {
    FaultNote fault;
    fault.access = access;
    fault.buffer = 0;
    fault.offset = offset;
    fault.address = 0x7f0000000000u + static_cast<std::uint64_t>(offset);
    return {Verdict::KernelCrashed, "the kernel crashed", {"launch", "SIGSEGV", {}, {}, {}}, fault};
}

Failure death_at(std::uint64_t address) {
    Failure failure = death(0);
    failure.fault->buffer.reset();
    failure.fault->address = address;
    return failure;
}

}  // namespace

TEST_CASE("a fault beside a buffer is out of bounds and names access, element and distance") {
    const Failure failure = explain_fault(death(65536 * 4), layout());
    CHECK(failure.verdict == Verdict::OutOfBounds);
    CHECK(failure.reason == "read element 65536 of A (valid 0 … 65535), one past the end");
    CHECK(failure.evidence.buffer == "A");
    CHECK(failure.evidence.access == "read");
    CHECK(failure.evidence.element == 65536);
    CHECK(failure.evidence.signal == "SIGSEGV");

    CHECK(explain_fault(death(-4, FaultNote::Access::Write), layout()).reason ==
          "wrote element -1 of A (valid 0 … 65535), one before the first");
    CHECK(explain_fault(death(-4, FaultNote::Access::Unknown), layout()).reason ==
          "read or wrote element -1 of A (valid 0 … 65535), one before the first");
    CHECK(has(explain_fault(death(65536 * 4 + 4'000'000'000), layout()).reason, "1000000001 past the end"));
}

TEST_CASE("any byte of an element stands for it, on both sides") {
    CHECK(find_stray_access(death(65536 * 4 + 3), layout())->element == 65536);
    CHECK(find_stray_access(death(65536 * 4 + 4), layout())->element == 65537);
    CHECK(find_stray_access(death(-1), layout())->element == -1);
    CHECK(find_stray_access(death(-4), layout())->element == -1);
    CHECK(find_stray_access(death(-5), layout())->element == -2);
}

TEST_CASE("an impossible fault note blames no buffer") {
    CHECK(!find_stray_access(death(0), layout()));
    CHECK(!find_stray_access(death(65535 * 4), layout()));
    Failure unknown_buffer = death(-4);
    unknown_buffer.fault->buffer = 99;
    CHECK(!find_stray_access(unknown_buffer, layout()));
    Failure no_note = death(-4);
    no_note.fault.reset();
    CHECK(!find_stray_access(no_note, layout()));
    CHECK(explain_fault(no_note, layout()).reason == "the kernel crashed");
}

TEST_CASE("a fault near no buffer stays a crash, with its address and the usual causes") {
    const Failure far = explain_fault(death_at(0x123456789000), layout());
    CHECK(far.verdict == Verdict::KernelCrashed);
    CHECK(has(far.reason, "0x123456789000"));
    CHECK(has(far.reason, "barrier"));

    const Failure null = explain_fault(death_at(8), layout());
    CHECK(null.verdict == Verdict::KernelCrashed);
    CHECK(has(null.reason, "NULL pointer (address 0x8)"));

    Failure vector = death_at(0);
    vector.fault->address_unknown = true;
    CHECK(is_of_unknown_address(vector));
    CHECK(has(explain_fault(vector, layout()).reason, "misaligned vector"));
}

TEST_CASE("a crash of the compiler is not the kernel's fault") {
    Failure failure = death_at(0x1000000);
    failure.verdict = Verdict::CompilerCrashed;
    CHECK(explain_fault(failure, layout()).reason == failure.reason);
    CHECK(!is_of_unknown_address(failure));
}

TEST_CASE("a work-item is told by its global ids") {
    CHECK(describe_work_item({64, 0}) == "by work-item (64, 0)");
}
