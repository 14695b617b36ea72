// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <sys/resource.h>

#include <cmath>
#include <fstream>

#include "device/runner/kernels.hpp"
#include "device/runner/runner_process.hpp"

using namespace kwb;
using namespace kwb::test;

// Buffers between inaccessible pages: an access past either end kills the runner, which reports the address.

namespace {

using Touch = FaultNote::Access;

// Kernels that read or write one element of several types at any index.
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

/// A runner with kTouch built and two buffers of `bytes` each.
RunnerProcess ready_runner(std::uint64_t bytes, Placement placement, Confined confined = Confined::No) {
    RunnerProcess runner({}, confined);
    const BuiltReply built = runner.build(kTouch);
    REQUIRE_MESSAGE(built.accepted, built.log);
    const std::vector<std::byte> zeros(bytes);
    runner.fill_buffers({zeros, zeros}, placement);
    return runner;
}

/// Access one element with one work-item.
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
                    const auto& shown_type = type;
                    CAPTURE(shown_type);
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
            const auto& shown_type = type;
            CAPTURE(shown_type);
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

TEST_CASE("an overrun by many work-items is reported at the first byte outside the buffer") {
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
        const auto& shown_by_in = by_in;
        CAPTURE(shown_by_in);
        const auto& shown_by_out = by_out;
        CAPTURE(shown_by_out);
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

TEST_CASE("a fault far from all buffers is reported with its address only") {
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

// With buffers between inaccessible pages, everything works as with guard zones.

namespace {

using Floats = std::vector<float>;

constexpr Placement kAll[] = {Placement::Guarded, Placement::RightAligned, Placement::LeftAligned};

RunnerProcess paged_runner(Confined confined = Confined::No) {
    RunnerProcess runner({}, confined);
    const BuiltReply built = runner.build(kKernels);
    REQUIRE_MESSAGE(built.accepted, built.log);
    return runner;
}

Floats count_to_17(std::size_t n) {
    Floats values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i % 17 + 1);
    return values;
}

/// The slack next to the payload is unchanged.
void check_slack(RunnerProcess& runner) {
    for (std::size_t i = 0; i < runner.shapes.size(); ++i) {
        const auto whole = runner.whole(i);
        CHECK(is_untouched(whole.first(runner.shapes[i].front_bytes)));
        CHECK(is_untouched(whole.last(runner.shapes[i].back_bytes)));
    }
}

std::size_t mapping_count(const RunnerProcess& runner) {
    std::ifstream maps("/proc/" + std::to_string(runner.child.pid()) + "/maps");
    std::size_t lines = 0;
    for (std::string line; std::getline(maps, line);) ++lines;
    return lines;
}

}  // namespace

TEST_CASE("correct kernels do the same at odd sizes wherever their buffers lie, confined or not") {
    for (const Confined confined : {Confined::No, Confined::Yes}) {
        RunnerProcess runner = paged_runner(confined);
        for (const Placement placement : kAll)
            for (const int n : {1, 7, 1003, 1024, 4099}) {
                CAPTURE(static_cast<int>(placement));
                CAPTURE(n);
                const auto size = static_cast<std::size_t>(n);
                const auto global = (static_cast<std::uint64_t>(n) + 63) / 64 * 64;
                const Floats in = count_to_17(size);
                runner.fill_buffers({bytes_of(in), bytes_of(Floats(size))}, placement);
                runner.execute(
                    one_launch("scale", {global}, {64},
                               {BufferArgument{0}, BufferArgument{1}, value(3.0f), value(n), value(0)}));
                Floats expected = in;
                for (float& x : expected) x *= 3;
                CHECK(runner.payload<float>(0) == in);
                CHECK(runner.payload<float>(1) == expected);
                check_slack(runner);
            }
    }
}

TEST_CASE("scratch, local memory and swapped buffers work between unreadable pages") {
    RunnerProcess runner = paged_runner();
    for (const Placement placement : kAll) {
        CAPTURE(static_cast<int>(placement));
        runner.fill_buffers({bytes_of(count_to_17(8)), bytes_of(Floats(8)), bytes_of(Floats(2))}, placement);
        auto request = one_launch("square", {8}, {4}, {BufferArgument{0}, BufferArgument{1}});
        request.launches.push_back({"sum_of_group",
                                    {8},
                                    {4},
                                    {BufferArgument{1}, LocalArgument{4 * sizeof(float)}, BufferArgument{2}},
                                    1,
                                    std::nullopt});
        runner.execute(request);
        CHECK(runner.payload<float>(2) == Floats{1 + 4 + 9 + 16, 25 + 36 + 49 + 64});
        check_slack(runner);

        runner.fill_buffers({bytes_of(std::vector<int>{0, 1, 2, 3, 4}), bytes_of(std::vector<int>(5))},
                            placement);
        request = one_launch("shift", {5}, {5}, {BufferArgument{0}, BufferArgument{1}, value(5)});
        request.launches[0].repeat = 3;
        request.launches[0].swap = {0, 1};
        runner.execute(request);
        CHECK(runner.payload<int>(1) == std::vector<int>{3, 4, 0, 1, 2});
    }
}

TEST_CASE("buffers between unreadable pages are filled, also by a cut pattern, and copied") {
    RunnerProcess runner = paged_runner();
    for (const Placement placement : kAll) {
        CAPTURE(static_cast<int>(placement));
        const Floats input = count_to_17(1003);
        runner.fill_buffers({bytes_of(Floats(1003)), bytes_of(input), std::vector<std::byte>(4101)},
                            placement);
        auto request = one_launch("half_written", {1003}, {}, {BufferArgument{0}});
        request.before_run = {{0, pattern(std::nanf("")), std::nullopt},
                              {2, {1, 2, 3, 4, 5, 6, 7, 8}, std::nullopt}};
        runner.execute(request);
        const Floats out = runner.payload<float>(0);
        std::size_t wrong = 0;
        for (std::size_t i = 0; i < out.size(); ++i)
            wrong += (i % 2 == 1 ? std::isnan(out[i]) : out[i] == 1) ? 0 : 1;
        CHECK(wrong == 0);
        const auto filled = runner.payload<std::uint8_t>(2);
        for (std::size_t i = 0; i < filled.size(); ++i) wrong += filled[i] == i % 8 + 1 ? 0 : 1;
        CHECK(wrong == 0);
        check_slack(runner);

        request = one_launch("add_one", {1}, {1}, {BufferArgument{0}});
        request.before_run = {{0, {}, 1}};
        runner.execute(request);
        Floats expected = input;
        expected[0] += 1;
        CHECK(runner.payload<float>(0) == expected);
        check_slack(runner);
    }
}

TEST_CASE("a buffer of the same shape stays between its pages, with its content") {
    RunnerProcess runner = paged_runner();
    runner.fill_buffers({bytes_of(Floats(5, 1.0f)), bytes_of(Floats(3))}, Placement::RightAligned);
    runner.shapes[1] = place(1, 40, Placement::RightAligned);
    runner.get<AllocatedReply>(BuffersRequest{runner.shapes, true, false});
    runner.shapes.pop_back();
    runner.execute(one_launch("add_one", {1}, {1}, {BufferArgument{0}}));
    CHECK(runner.payload<float>(0) == Floats{2, 1, 1, 1, 1});
    check_slack(runner);
}

TEST_CASE("300 changes between guarded and paged buffers leave no mapping behind") {
    RunnerProcess runner = paged_runner();
    const auto alternate = [&](int times) {
        for (int i = 0; i < times; ++i) {
            const Placement placement = i % 2 == 0 ? Placement::RightAligned : Placement::Guarded;
            runner.fill_buffers({bytes_of(Floats(1003)), bytes_of(Floats(7))}, placement, i % 4 == 0);
            runner.execute(one_launch("add_one", {7}, {7}, {BufferArgument{0}}));
        }
        return mapping_count(runner);
    };
    const std::size_t before = alternate(10);
    CHECK(alternate(300) < before + 20);
}

TEST_CASE("what cannot lie between unreadable pages is refused, and the runner goes on") {
    RunnerProcess runner = paged_runner();
    const auto refusal = [&](std::vector<BuffersRequest::Buffer> buffers) {
        const RunnerReply reply = runner.ask(BuffersRequest{std::move(buffers), true, false});
        REQUIRE(std::holds_alternative<FailedReply>(reply));
        return std::get<FailedReply>(reply).describe();
    };
    CHECK(refusal({{0, 0, 100, 0}}).find("page size of 4096") != std::string::npos);
    std::vector<BuffersRequest::Buffer> many;
    for (std::uint32_t id = 0; id < 300; ++id) many.push_back(place(id, 4, Placement::RightAligned));
    CHECK(refusal(many).find("256") != std::string::npos);
    runner.get<AllocatedReply>(BuffersRequest{});
#ifndef KWB_SANITIZE_ADDRESS  // which reserves the address space itself
    const rlimit little{std::uint64_t{8} << 30, std::uint64_t{8} << 30};
    REQUIRE(::prlimit(runner.child.pid(), RLIMIT_AS, &little, nullptr) == 0);
    CHECK(refusal({place(0, 8, Placement::RightAligned)}).find("address space") != std::string::npos);
#endif
    runner.fill_buffers({bytes_of(Floats(5))});
    runner.execute(one_launch("add_one", {5}, {5}, {BufferArgument{0}}));
    CHECK(runner.payload<float>(0) == Floats(5, 1.0f));
}
