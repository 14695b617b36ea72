// Buffers between unreadable pages: what lies beside them kills the runner, which tells where.
#include <doctest/doctest.h>

#include "device/runner/runner_process.hpp"

using namespace kwb;
using namespace kwb::test;

namespace {

using Touch = FaultNote::Access;

// For elements of several sizes: read or write one of them, wherever it lies.
constexpr const char* kTouch = R"(
#define TOUCH(T) \
kernel void read_##T(global const T* in, global T* out, long at) { out[0] = in[at]; } \
kernel void write_##T(global const T* in, global T* out, long at) { out[at] = in[0]; }
TOUCH(char)
TOUCH(float)
TOUCH(float4)
// As people write them: every work-item does a part, some of them too much.
kernel void shift(global const float* in, global float* out, int by_in, int by_out) {
    int i = get_global_id(0);
    out[i + by_out] = in[i + by_in];
}
)";

constexpr std::uint64_t kElements = 1003;
constexpr std::uint32_t kIn = 0;
constexpr std::uint32_t kOut = 1;

/// kTouch built, and two buffers of `bytes` each.
RunnerProcess ready_runner(std::uint64_t bytes, Placement placement, Confined confined = Confined::No) {
    RunnerProcess runner({}, confined);
    const BuiltReply built = runner.build(kTouch);
    REQUIRE_MESSAGE(built.accepted, built.log);
    const std::vector<std::byte> zeros(bytes);
    runner.fill_buffers({zeros, zeros}, placement);
    return runner;
}

/// Touch one element with one work-item.
ExecuteRequest touch(const std::string& access, const std::string& type, std::int64_t element) {
    return one_launch(access + "_" + type, {1}, {1},
                      {BufferArgument{kIn}, BufferArgument{kOut}, value(element)});
}

void check_death(const Death& death, Touch access, std::uint32_t buffer, std::int64_t offset) {
    CHECK(death.status == "SIGSEGV");
    CHECK(death.stages.back() == "launch");
    CHECK(death.fault_is_last);
    REQUIRE(death.faults.size() == 1);
    const FaultNote& fault = death.faults.front();
    CHECK(fault.access == access);
    REQUIRE(fault.buffer);
    CHECK(*fault.buffer == buffer);
    CHECK(fault.offset == offset);
    CHECK(!fault.address_unknown);
    CHECK(fault.address != 0);
    CHECK(!fault.work_item);
}

struct Type {
    const char* name;
    std::uint32_t bytes;
};
constexpr Type kTypes[] = {{"char", 1}, {"float", 4}, {"float4", 16}};

}  // namespace

TEST_CASE("one element past the end of a right-aligned buffer, or before a left-aligned one, is told") {
    for (const Confined confined : {Confined::No, Confined::Yes})
        for (const auto& [type, bytes] : kTypes)
            for (const bool is_write : {false, true})
                for (const bool is_past : {false, true}) {
                    CAPTURE(static_cast<int>(confined));
                    CAPTURE(type);
                    CAPTURE(is_write);
                    CAPTURE(is_past);
                    const std::int64_t element = is_past ? std::int64_t{kElements} : -1;
                    RunnerProcess runner =
                        ready_runner(kElements * bytes,
                                     is_past ? Placement::RightAligned : Placement::LeftAligned, confined);
                    const Death death = runner.die(touch(is_write ? "write" : "read", type, element));
                    check_death(death, is_write ? Touch::Write : Touch::Read, is_write ? kOut : kIn,
                                element * bytes);
                }
}

TEST_CASE("the first and the last element may be touched, and the slack shows what is written there") {
    for (const auto& [type, bytes] : kTypes)
        for (const Placement placement : {Placement::RightAligned, Placement::LeftAligned}) {
            CAPTURE(type);
            const bool is_right = placement == Placement::RightAligned;
            RunnerProcess runner = ready_runner(kElements * bytes, placement);
            const std::int64_t beside = is_right ? -1 : std::int64_t{kElements};
            for (const std::int64_t element : {std::int64_t{0}, std::int64_t{kElements} - 1, beside})
                for (const char* access : {"read", "write"}) {
                    CAPTURE(element);
                    runner.execute(touch(access, type, element));
                    const auto whole = runner.whole(kOut);
                    const auto& shape = runner.shapes[kOut];
                    const auto slack =
                        is_right ? whole.first(shape.front_bytes) : whole.last(shape.back_bytes);
                    if (element == beside && std::string(access) == "write") {
                        const auto n = static_cast<std::size_t>(bytes);
                        const auto written = is_right ? slack.last(n) : slack.first(n);
                        CHECK(std::ranges::count(written, std::byte{0}) == bytes);
                        CHECK(is_untouched(is_right ? slack.first(slack.size() - n) : slack.subspan(n)));
                    } else {
                        CHECK(is_untouched(slack));
                    }
                }
        }
}

TEST_CASE("what many work-items do together is told at the first byte beyond") {
    struct {
        Placement placement;
        int by_in, by_out;
        Touch access;
        std::int64_t offset;
    } cases[] = {{Placement::RightAligned, 1, 0, Touch::Read, kElements * 4},
                 {Placement::RightAligned, 0, 1, Touch::Write, kElements * 4},
                 {Placement::LeftAligned, -1, 0, Touch::Read, -4},
                 {Placement::LeftAligned, 0, -1, Touch::Write, -4}};
    for (const auto& [placement, by_in, by_out, access, offset] : cases) {
        CAPTURE(by_in);
        CAPTURE(by_out);
        RunnerProcess runner = ready_runner(kElements * 4, placement);
        const Death death =
            runner.die(one_launch("shift", {kElements}, {},
                                  {BufferArgument{kIn}, BufferArgument{kOut}, value(by_in), value(by_out)}));
        check_death(death, access, access == Touch::Read ? kIn : kOut, offset);
    }
}

TEST_CASE("400 KB and 4 GB beyond a buffer are told as offsets in that buffer") {
    for (const std::int64_t element : {std::int64_t{100'000}, std::int64_t{1'000'000'000}})
        for (const std::int64_t sign : {1, -1})
            for (const bool is_write : {false, true}) {
                CAPTURE(element * sign);
                CAPTURE(is_write);
                RunnerProcess runner = ready_runner(kElements * 4, Placement::RightAligned);
                const Death death = runner.die(touch(is_write ? "write" : "read", "float", element * sign));
                check_death(death, is_write ? Touch::Write : Touch::Read, is_write ? kOut : kIn,
                            element * sign * 4);
            }
}

TEST_CASE("beyond everything there is no buffer, but an address") {
    RunnerProcess runner = ready_runner(kElements * 4, Placement::RightAligned);
    const Death death = runner.die(touch("read", "float", -(std::int64_t{1} << 44)));
    CHECK(death.status == "SIGSEGV");
    REQUIRE(death.faults.size() == 1);
    CHECK(death.faults[0].access == Touch::Read);
    CHECK(!death.faults[0].buffer);
    CHECK(death.faults[0].offset == 0);
    CHECK(!death.faults[0].address_unknown);
    CHECK(death.faults[0].address > kPageBytes);
}
