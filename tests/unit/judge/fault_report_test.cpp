#include "judge/processes/fault_report.hpp"

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

/// The death of a kernel at `offset` bytes from the start of buffer number 0, which is A.
Loss death(std::int64_t offset, FaultNote::Access access = FaultNote::Access::Read) {
    FaultNote fault;
    fault.access = access;
    fault.buffer = 0;
    fault.offset = offset;
    fault.address = 0x7f0000000000u + static_cast<std::uint64_t>(offset);
    return {Verdict::KernelCrashed, "the kernel crashed", {"launch", "SIGSEGV", {}, {}, {}}, fault};
}

Loss death_at(std::uint64_t address) {
    Loss loss = death(0);
    loss.fault->buffer.reset();
    loss.fault->address = address;
    return loss;
}

}  // namespace

TEST_CASE("a fault beside a buffer is out of bounds and names access, element and distance") {
    const Loss loss = explain_fault(death(65536 * 4), layout());
    CHECK(loss.verdict == Verdict::OutOfBounds);
    CHECK(loss.reason == "read element 65536 of A (valid 0 … 65535), one past the end");
    CHECK(loss.evidence.buffer == "A");
    CHECK(loss.evidence.access == "read");
    CHECK(loss.evidence.element == 65536);
    CHECK(loss.evidence.signal == "SIGSEGV");

    CHECK(explain_fault(death(-4, FaultNote::Access::Write), layout()).reason ==
          "wrote element -1 of A (valid 0 … 65535), one before the first");
    CHECK(explain_fault(death(-4, FaultNote::Access::Unknown), layout()).reason ==
          "read or wrote element -1 of A (valid 0 … 65535), one before the first");
    CHECK(has(explain_fault(death(65536 * 4 + 4'000'000'000), layout()).reason, "1000000001 past the end"));
}

TEST_CASE("any byte of an element stands for it, on both sides") {
    CHECK(find_trespass(death(65536 * 4 + 3), layout())->element == 65536);
    CHECK(find_trespass(death(65536 * 4 + 4), layout())->element == 65537);
    CHECK(find_trespass(death(-1), layout())->element == -1);
    CHECK(find_trespass(death(-4), layout())->element == -1);
    CHECK(find_trespass(death(-5), layout())->element == -2);
}

TEST_CASE("a note that cannot be, accuses no buffer") {
    CHECK(!find_trespass(death(0), layout()));
    CHECK(!find_trespass(death(65535 * 4), layout()));
    Loss unknown_buffer = death(-4);
    unknown_buffer.fault->buffer = 99;
    CHECK(!find_trespass(unknown_buffer, layout()));
    Loss no_note = death(-4);
    no_note.fault.reset();
    CHECK(!find_trespass(no_note, layout()));
    CHECK(explain_fault(no_note, layout()).reason == "the kernel crashed");
}

TEST_CASE("a fault near no buffer stays a crash, with its address and the usual causes") {
    const Loss far = explain_fault(death_at(0x123456789000), layout());
    CHECK(far.verdict == Verdict::KernelCrashed);
    CHECK(has(far.reason, "0x123456789000"));
    CHECK(has(far.reason, "barrier"));

    const Loss null = explain_fault(death_at(8), layout());
    CHECK(null.verdict == Verdict::KernelCrashed);
    CHECK(has(null.reason, "NULL pointer (address 0x8)"));

    Loss vector = death_at(0);
    vector.fault->address_unknown = true;
    CHECK(is_of_unknown_address(vector));
    CHECK(has(explain_fault(vector, layout()).reason, "misaligned vector"));
}

TEST_CASE("a crash of the compiler is not the kernel's fault") {
    Loss loss = death_at(0x1000000);
    loss.verdict = Verdict::CompilerCrashed;
    CHECK(explain_fault(loss, layout()).reason == loss.reason);
    CHECK(!is_of_unknown_address(loss));
}

TEST_CASE("a work-item is told by its global ids") {
    CHECK(describe_work_item({64, 0}) == "by work-item (64, 0)");
}
