// SPDX-License-Identifier: Apache-2.0
// Records that are too long for one part: the debugger goes from part to part as if there was one.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "debug/difference.hpp"
#include "process/xray/recorded.hpp"

namespace kwb::test {
namespace {

using debug::Comparer;

/// A loop of 60,000 steps, whose line 4 is `line`, in parts of so many events.
struct LongLoop {
    explicit LongLoop(const std::string& line, std::uint64_t part_events, std::int32_t n = 60'000) {
        job.source =
            "kernel void f(global int* C, int n) {\n"  // 1
            "    int sum = 5;\n"                       // 2
            "    for (int i = 0; i < n; ++i)\n"        // 3
            "        " +
            line +
            "\n"                 // 4
            "    C[0] = sum;\n"  // 5
            "}\n";
        Launch launch = launch_over("f", {1}, {1});
        launch.arguments = {job.buffer("C", kInt, 1, std::nullopt), whole(n)};
        job.launches = {launch};
        job.xray.aim = XrayAim::Record;
        job.xray.trace_group = {0};
        job.xray.part_events = part_events;
        next();
    }

    void next() {
        XrayAnswer answer = process.observe(Recorded::part_of(job, {end}));
        INFO(answer.failure);
        REQUIRE(answer.recording);
        CHECK(answer.recording->begin == end);
        end = answer.recording->end();
        player.emplace(std::make_shared<const Recording>(std::move(*answer.recording)));
        ++parts;
    }
    debug::RecordedSide side() const { return {*player, buffers}; }

    std::vector<std::string> buffers = {"C"};
    XrayJob job;
    XrayProcess process;
    std::uint64_t end = 0;
    int parts = 0;
    std::optional<debug::Player> player;
};

debug::Comparison compare(LongLoop& ours, LongLoop& theirs) {
    Comparer comparer(ours.side(), theirs.side(), "the other");
    while (const auto side = comparer.next()) {
        LongLoop& one = side == Comparer::Side::Ours ? ours : theirs;
        one.next();
        comparer.add(*side, one.side());
    }
    return comparer.take();
}

}  // namespace

TEST_CASE("a record in parts answers as the whole one, in both directions") {
    const XrayJob job = product_job(numbers(0), numbers(5));
    XrayJob in_parts = job;
    in_parts.xray.part_events = 500;
    Recorded whole(kProduct, job, {1, 1}), parted(kProduct, in_parts, {1, 1});
    REQUIRE(whole.player.recording().is_whole());
    REQUIRE_FALSE(parted.player.recording().is_whole());
    CHECK(parted.console.greeting().find("It does too much to be recorded at once") != std::string::npos);
    const std::vector<std::string> script = {"end",
                                             "print sum",
                                             "last sum",
                                             "origins",
                                             "last a[y][3]",
                                             "origins",
                                             "reverse-step",
                                             "info locals",

                                             "start",
                                             "break 9 if k == 2",
                                             "continue",
                                             "print sum",
                                             "backtrace",
                                             "continue",
                                             "continue",
                                             "reverse-continue",
                                             "print k0",
                                             "continue all",
                                             "backtrace",
                                             "continue all",
                                             "reverse-continue all",
                                             "reverse-continue all",
                                             "delete",
                                             "watch b[1][2]",
                                             "start",
                                             "continue",
                                             "continue",
                                             "continue",
                                             "reverse-continue",
                                             "reverse-continue",
                                             "delete",
                                             "start",
                                             "next 30",
                                             "info locals",
                                             "reverse-next 29",
                                             "backtrace",
                                             "following sum",
                                             "following sum",
                                             "following C[0]",
                                             "last C[0]",
                                             "advance 12",
                                             "print sum",
                                             "step",
                                             "step",
                                             "step",
                                             "reverse-step",
                                             "start",
                                             "watch sum",
                                             "continue",
                                             "continue",
                                             "continue",
                                             "continue",
                                             "reverse-continue",
                                             "delete",
                                             "step 1000",
                                             "reverse-step 1000"};
    for (const std::string& command : script) {
        CAPTURE(command);
        CHECK(parted(command) == whole(command));
        CHECK(parted.console.moment() == whole.console.moment());
    }
    CHECK(parted.turns > 5);
}

TEST_CASE("calls, and work-items that end before others, are the same in parts") {
    const std::string source =
        "int twice(int x) {\n"                               // 1
        "    return 2 * x;\n"                                // 2
        "}\n"                                                // 3
        "int more(int x) {\n"                                // 4
        "    int y = twice(x);\n"                            // 5
        "    return y + 1;\n"                                // 6
        "}\n"                                                // 7
        "kernel void f(global int* C) {\n"                   // 8
        "    int sum = 0, n = 10 * get_local_id(0);\n"       // 9
        "    for (int k = 0; k < n; ++k) sum += more(k);\n"  // 10
        "    C[get_local_id(0)] = sum;\n"                    // 11
        "}\n";
    XrayJob job;
    Launch launch = launch_over("f", {4}, {4});
    launch.arguments = {job.buffer("C", kInt, 4, std::nullopt)};
    job.launches = {launch};
    XrayJob in_parts = job;
    in_parts.xray.part_events = 60;
    Recorded whole(source, job), parted(source, in_parts);
    const std::vector<std::string> script = {"break 2",
                                             "continue all",
                                             "backtrace",
                                             "up",
                                             "print y",
                                             "continue",
                                             "finish",
                                             "backtrace",
                                             "finish",
                                             "backtrace",
                                             "delete",
                                             "break 6 if x == 15",
                                             "continue all",
                                             "backtrace",
                                             "continue all",
                                             "backtrace",
                                             "info locals",
                                             "up",
                                             "info locals",
                                             "reverse-continue all",
                                             "backtrace",
                                             "delete",
                                             "end",
                                             "last sum",
                                             "backtrace",
                                             "watch C[1]",
                                             "reverse-continue",
                                             "backtrace"};
    for (const std::string& command : script) {
        CAPTURE(command);
        CHECK(parted(command) == whole(command));
        CHECK(parted.console.moment() == whole.console.moment());
    }
    CHECK(parted.turns > 3);
}

TEST_CASE("a loop that is too long for one part is followed to its end, and back to its beginning") {
    XrayJob job;
    Launch launch = launch_over("f", {1}, {1});
    launch.arguments = {job.buffer("C", kInt, 1, std::nullopt), whole(60'000)};
    job.launches = {launch};
    job.xray.part_events = 40'000;
    Recorded debug(
        "kernel void f(global int* C, int n) {\n"  // 1
        "    int sum = 5, odd = 0;\n"              // 2
        "    for (int i = 0; i < n; ++i) {\n"      // 3
        "        sum = sum * 3 + i;\n"             // 4
        "        if (i == 7) odd = i;\n"           // 5
        "    }\n"                                  // 6
        "    C[0] = sum;\n"                        // 7
        "}\n",
        job);
    std::uint32_t sum = 5;
    for (std::uint32_t i = 0; i < 50'000; ++i) sum = sum * 3 + i;
    debug("break 4 if i == 50000");
    CHECK(debug("continue").find("Breakpoint 1") == 0);
    CHECK(debug.turns > 0);
    CHECK(debug("print sum") == fmt::format("sum = {}", static_cast<std::int32_t>(sum)));
    CHECK(debug("last odd").find("line 5 stores 7 to odd, which held 0") == 0);
    CHECK(debug("print i") == "i = 7");
    CHECK(debug("continue").find("Breakpoint 1") == 0);
    CHECK(debug("print odd") == "odd = 7");
    debug("delete");
    for (std::uint32_t i = 50'000; i < 60'000; ++i) sum = sum * 3 + i;
    debug("end");
    CHECK(debug("print C[0]") == fmt::format("C[0] = {}", static_cast<std::int32_t>(sum)));
}

TEST_CASE("records in parts are compared part by part, up to the first difference") {
    LongLoop ours("sum = sum * 3 + (i == 50000 ? 0 : i);", 40'000), theirs("sum = sum * 3 + i;", 25'000);
    const debug::Comparison found = compare(ours, theirs);
    REQUIRE(found.differences.size() == 1);
    const debug::Difference& first = found.differences.front();
    std::uint32_t sum = 5;
    for (std::uint32_t i = 0; i < 50'000; ++i) sum = sum * 3 + i;
    CHECK(first.name == "sum");
    CHECK(first.here == std::to_string(static_cast<std::int32_t>(sum * 3)));
    CHECK(first.there == std::to_string(static_cast<std::int32_t>(sum * 3 + 50'000)));
    CHECK(first.here_line == "4");
    CHECK(found.is_part);
    CHECK(ours.parts > 2);
    CHECK(ours.player->has(first.moment));
    const debug::Moment moment = ours.player->moment_of(static_cast<std::uint32_t>(
        first.event - ours.player->recording().begin + ours.player->recording().earlier.size()));
    CHECK(moment == first.moment);
    CHECK(ours.player->site(moment)->place.line == 4);
}

TEST_CASE("records in parts that do the same are compared to their ends, and what one lacks is found there") {
    {
        LongLoop ours("sum = sum * 3 + i;", 40'000), theirs("sum = i + 3 * sum;", 25'000);
        const debug::Comparison found = compare(ours, theirs);
        CHECK(found.differences.empty());
        CHECK_FALSE(found.is_part);
        CHECK(found.compared == 5);  // i, sum, the arguments and C[0]
        CHECK(debug::no_difference_text(found).find("both store the same to 5 variables and elements") !=
              std::string::npos);
    }
    LongLoop ours("if (i < 59990) sum += 1;", 40'000), theirs("if (i < 59995) sum += 1;", 25'000);
    const debug::Comparison found = compare(ours, theirs);
    const auto lacking = std::ranges::find(found.differences, "sum", &debug::Difference::name);
    REQUIRE(lacking != found.differences.end());
    CHECK(
        debug::differences_text(found, lacking->moment, ours.player->recording())
            .find(
                "sum differs from the other in work-item 0: there line 4 stores 59996, here nothing does") !=
        std::string::npos);
    CHECK(std::ranges::count(found.differences, "C[0]", &debug::Difference::name) == 1);
}

TEST_CASE("kernels with other variables are compared by what they store last, once both have ended") {
    LongLoop ours("sum += 2;", 40'000);
    LongLoop theirs("{ int a = 2, b = a, c = b; sum += i == 50000 ? a + 1 : c; }", 25'000);
    const debug::Comparison found = compare(ours, theirs);
    CHECK_FALSE(found.has_variables);
    REQUIRE(found.differences.size() == 1);
    CHECK(found.differences.front().name == "C[0]");
    CHECK(found.differences.front().here == "120005");
    CHECK(found.differences.front().there == "120006");
}

TEST_CASE("a part that follows another one is the same as one that is recorded alone") {
    const std::string source =
        "int twice(int x) { return 2 * x; }\n"                              // 1
        "kernel void f(global const int* A, global int* C, int n) {\n"      // 2
        "    local int t[64];\n"                                            // 3
        "    int sum = 0;\n"                                                // 4
        "    for (int k = 0; k < n; ++k) {\n"                               // 5
        "        event_t done = async_work_group_copy(t, A + k, 64, 0);\n"  // 6
        "        wait_group_events(1, &done);\n"                            // 7
        "        sum += twice(t[get_local_id(0) + k]);\n"                   // 8
        "        barrier(CLK_LOCAL_MEM_FENCE);\n"                           // 9
        "    }\n"                                                           // 10
        "    C[get_global_id(0)] = sum;\n"                                  // 11
        "}\n";
    XrayJob job;
    Launch launch = launch_over("f", {4}, {4});
    launch.arguments = {job.buffer("A", kInt, 128, numbers(0)), job.buffer("C", kInt, 4, std::nullopt),
                        whole(20)};
    job.launches = {launch};
    Recorded::prepared(source, job, {0});
    job.xray.part_events = 100;  // fewer than the events of a copy
    const auto facts = [](const Recording& part) {
        std::string text = fmt::format("{} {} {} {} {}, unfinished", part.begin, part.end(), part.barriers,
                                       part.goes_on, part.regions.size());
        for (const std::uint32_t item : part.unfinished) text += fmt::format(" {}", item);
        text += '\n';
        for (std::size_t i = 0; i < part.events.size(); ++i) {
            const RecordedEvent& event = part.events[i];
            const bool is_earlier = i < part.earlier.size();
            // Pointers have other bytes in each process, so that others of their stores count as changes.
            if (is_earlier && event.bytes == 8) continue;
            const bool has_value = event.kind == RecordedKind::Read || event.stores();
            // What a private variable held before its first store may be left over from the engine.
            const std::size_t value = event.value + (event.stores() ? event.bytes : 0);
            text += fmt::format("{} {} {} {} {} {}\n",
                                is_earlier ? part.earlier[i] : part.begin + i - part.earlier.size(),
                                static_cast<int>(event.kind), event.item, event.site, event.bytes,
                                has_value && event.bytes == 4 ? part.values[value] : 0);
        }
        return text;
    };
    XrayProcess one_after_the_other;
    std::uint64_t from = 0;
    int parts = 0;
    for (bool goes_on = true; goes_on; ++parts) {
        job.xray.record_from = from;
        const XrayAnswer here = one_after_the_other.observe(job), alone = observe(job);
        REQUIRE(here.recording);
        REQUIRE(alone.recording);
        CHECK(here.recording->begin == from);
        const bool is_same = facts(*here.recording) == facts(*alone.recording);
        CHECK_MESSAGE(is_same, "the part from ", from);
        goes_on = here.recording->goes_on;
        from = here.recording->end();
    }
    CHECK(parts > 5);
}

}  // namespace kwb::test
