// SPDX-License-Identifier: Apache-2.0
// Recordings of kwb-xray, followed with the debugger's commands, against what C++ computes.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "debug/views.hpp"
#include "process/xray/recorded.hpp"

namespace kwb::test {
namespace {

using debug::Moment;

constexpr ElementType kFloat{Scalar::Float32, 1};

}  // namespace

TEST_CASE("every value of a tiled product is that of C++, forwards and backwards, in each work-item") {
    const std::vector<std::int32_t> a = numbers(0), b = numbers(5);
    Recorded debug(kProduct, product_job(a, b), {1, 1});
    for (std::uint32_t item = 0; item < 16; ++item) {
        const std::uint64_t x = item % 4, y = item / 4;
        CHECK(debug(fmt::format("lane {},{}", x, y)) != "");
        debug("start");
        debug("break 9");
        std::vector<std::string> seen;
        std::int32_t sum = 0;
        for (std::uint64_t k = 0; k < 8; ++k) {
            debug("continue");
            const std::int32_t left = a[(4 + y) * 8 + k], right = b[k * 8 + 4 + x];
            CHECK(debug("print sum") == fmt::format("sum = {}", sum));
            CHECK(debug("print k0 + k") == fmt::format("k0 + k = {}", k));
            CHECK(debug("print a[y][k] * b[k][x]") == fmt::format("a[y][k] * b[k][x] = {}", left * right));
            seen.push_back(debug("print sum"));
            sum += left * right;
        }
        debug("continue");
        debug("end");
        const std::string element = fmt::format("C[{}]", (4 + y) * 8 + 4 + x);
        CHECK(debug("print " + element) == fmt::format("{} = {}", element, sum));
        for (std::size_t k = 8; k-- > 0;) {
            debug("reverse-continue");
            CHECK(debug("print sum") == seen[k]);
        }
        debug("delete");
    }
}

TEST_CASE("what a window shows of a moment: a value in all work-items, the variables, and memory") {
    const std::vector<std::int32_t> a = numbers(0), b = numbers(5);
    Recorded debug(kProduct, product_job(a, b), {1, 1});
    debug("lane 2,1");
    debug("break 9 if k0 == 4 && k == 2");
    debug("continue");
    const debug::Moves& moves = debug.console.moves();
    const auto lanes = debug::lane_values(debug.player, moves.scope(), "sum");
    REQUIRE(lanes.size() == 16);
    for (std::uint64_t item = 0; item < 16; ++item) {
        std::int32_t sum = 0;
        for (std::uint64_t k = 0; k < 6; ++k) sum += a[(4 + item / 4) * 8 + k] * b[k * 8 + 4 + item % 4];
        CAPTURE(item);
        CHECK(lanes[item].state == debug::LaneValue::State::Known);
        CHECK(lanes[item].text == std::to_string(sum));
        CHECK(lanes[item].number == sum);
    }
    CHECK_THROWS_WITH_AS(debug::lane_values(debug.player, moves.scope(), "sun"),
                         doctest::Contains("Did you mean sum?"), BadInput);

    const auto row = [&](const std::set<std::string>& unfolded, const std::string& expression) {
        for (const debug::VariableRow& one : debug::variable_rows(moves.scope(), unfolded))
            if (one.expression == expression) return one;
        return debug::VariableRow{};
    };
    CHECK(row({}, "k").value == "2");
    CHECK(row({}, "k").is_changed);
    CHECK_FALSE(row({}, "k0").is_changed);
    CHECK(row({}, "n").is_parameter);
    CHECK(row({}, "a").type == "int[4][4]");
    CHECK(row({}, "a").unfolds);
    CHECK(row({}, "a[1][2]").name.empty());
    CHECK(row({"a", "a[1]"}, "a[1][2]").value == std::to_string(a[5 * 8 + 6]));
    CHECK(row({"a", "a[1]"}, "a[1][2]").depth == 2);

    // Elements of the current tile, of which this step reads a[1][2] and b[2][2].
    const auto views = debug::memory_views(debug.player, moves.moment(), 3, 4);
    const auto view = std::ranges::find(views, "a", &debug::MemoryView::name);
    REQUIRE(view != views.end());
    CHECK(view->shape == "4 × 4");
    REQUIRE(view->cells.size() == 12);
    CHECK(view->first_row == 0);
    for (std::size_t cell = 0; cell < 12; ++cell) {
        CHECK(view->cells[cell].text == std::to_string(a[(4 + cell / 4) * 8 + 4 + cell % 4]));
        CHECK(view->cells[cell].is_read == (cell == 6));
        CHECK_FALSE(view->cells[cell].is_stored);
        CHECK(view->element_name(debug.player.recording(), cell) ==
              fmt::format("a[{}][{}]", cell / 4, cell % 4));
    }
    debug("last a[1][2]");
    const auto storing = debug::memory_views(debug.player, moves.moment(), 4, 4);
    const auto stored = std::ranges::find(storing, "a", &debug::MemoryView::name);
    REQUIRE(stored != storing.end());
    CHECK(stored->cells[6].is_stored);
    const auto input = std::ranges::find(storing, "A", &debug::MemoryView::name);
    REQUIRE(input != storing.end());
    CHECK(std::ranges::count(input->cells, true, &debug::MemoryView::Cell::is_read) == 1);
}

TEST_CASE("moves that leave a loop, and to the next barrier and back") {
    Recorded debug(kProduct, product_job(numbers(0), numbers(5)), {1, 1});
    debug("lane 1,1");
    debug("break 9");
    debug("continue");
    debug::Moves& moves = debug.console.moves();
    const auto line = [&] { return debug.player.site(moves.moment())->place.line; };
    moves.leave_loop();
    CHECK(line() == 10);
    CHECK(debug("print k0") == "k0 = 0");
    moves.go_to_barrier(debug::Direction::Forwards);
    CHECK(debug.player.interval(moves.moment()) == 2);
    const debug::Moment second = moves.moment();
    moves.go_to_barrier(debug::Direction::Forwards);
    CHECK(debug.player.interval(moves.moment()) == 3);
    moves.go_to_barrier(debug::Direction::Backwards);
    CHECK(moves.moment() == second);
    moves.go_to_barrier(debug::Direction::Backwards);
    moves.go_to_barrier(debug::Direction::Backwards);
    CHECK(moves.moment().step == 0);
    for (int i = 0; i < 6; ++i) moves.go_to_barrier(debug::Direction::Forwards);
    CHECK(moves.is_end());
}

TEST_CASE("a value leads to the line that stored it, and from there to what that line has read") {
    Recorded debug(kProduct, product_job(numbers(0), numbers(5)), {1, 1});
    debug("lane 1,2");
    debug("end");
    CHECK(debug("print C[6 * n + 5]") != "C[6 * n + 5] = not set yet");
    CHECK(debug("last C[6 * n + 5]").find("line 12 stores") == 0);
    CHECK(debug("print C[6 * n + 5]") == "C[6 * n + 5] = not set yet");
    CHECK(debug("origins").find("stored by line 9") != std::string::npos);
    CHECK(debug("last sum").find("line 9 stores") == 0);
    const std::string origins = debug("origins");
    CHECK(origins.find("a[2][3] = ") != std::string::npos);
    CHECK(origins.find("stored by line 5 in work-item (3, 2)") != std::string::npos);
    CHECK(debug("last a[2][3]").find("Work-item (3, 2): line 5 stores") == 0);
    CHECK(debug("origins").find("from before the launch") != std::string::npos);
    CHECK(debug("origins").find("n = 8, an argument") != std::string::npos);
}

TEST_CASE("all work-items are shown at the same execution of a line, and what has no value has none") {
    Recorded debug(kProduct, product_job(numbers(0), numbers(5)));
    CHECK(debug("print sum") == "sum = not set yet");
    CHECK(debug("print a[0][0]") == "a[0][0] = not set yet");
    CHECK(debug("print a") == "a = not set yet");
    debug("break 9 if k == 2");
    CHECK(debug("continue").find("Breakpoint 1") == 0);
    CHECK(debug("lanes k") == "2 2 2 2\n2 2 2 2\n2 2 2 2\n2 2 2 2");
    CHECK(debug("lanes get_local_id(0) + 4 * get_local_id(1)") ==
          " 0  1  2  3\n 4  5  6  7\n 8  9 10 11\n12 13 14 15");
    CHECK(debug("lane 3,1").find("9 →") != std::string::npos);
    CHECK(debug("print x + y") == "x + y = 4");
    CHECK(debug("info lane").find("1 barrier passed") != std::string::npos);
}

TEST_CASE("origins are members, components, elements of vectors, and what callers' pointers lead to") {
    const std::string source =
        "typedef struct { int begin, end; } Range;\n"                   // 1
        "void shift(int* to, const int* from) {\n"                      // 2
        "    for (int i = 0; i < 2; ++i) to[i] = from[i];\n"            // 3
        "}\n"                                                           // 4
        "kernel void f(global const int* A, global int* C, int n) {\n"  // 5
        "    Range range;\n"                                            // 6
        "    range.begin = 1;\n"                                        // 7
        "    range.end = n;\n"                                          // 8
        "    int sum = 0;\n"                                            // 9
        "    if (range.begin < range.end) {\n"                          // 10
        "        sum += 5;\n"                                           // 11
        "        int sum = 7;\n"                                        // 12
        "        C[7] = sum;\n"                                         // 13
        "    }\n"                                                       // 14
        "    int row[3] = {1, 2, 3};\n"                                 // 15
        "    shift(row + 1, row);\n"                                    // 16
        "    int4 v;\n"                                                 // 17
        "    v.z = row[2];\n"                                           // 18
        "    global const int4* at = (global const int4*)A + 1;\n"      // 19
        "    *(global int4*)C = *at;\n"                                 // 20
        "    C[4] = v.z + sum;\n"                                       // 21
        "}\n";
    XrayJob job;
    Launch launch = launch_over("f", {1}, {1});
    launch.arguments = {job.buffer("A", kInt, 8, std::vector<std::int32_t>{1, 2, 3, 4, 5, 6, 7, 8}),
                        job.buffer("C", kInt, 8, std::nullopt), whole(3)};
    job.launches = {launch};
    Recorded debug(source, job);
    const auto has = [&](const std::string& text, const std::string& line) {
        INFO(text);
        return ("\n" + text + "\n").find("\n" + line + "\n") != std::string::npos;
    };
    debug("advance 10");
    CHECK(has(debug("origins"), "range.begin = 1, stored by line 7"));
    CHECK(has(debug("origins"), "range.end = 3, stored by line 8"));
    debug("advance 11");
    // The inner one is declared below.
    CHECK(debug("print sum") == "sum = 0");
    CHECK(has(debug("origins"), "sum = 0, stored by line 9"));
    CHECK(debug("print row") == "row is declared in line 15, and not visible here");
    debug("advance 13");
    CHECK(debug("print sum") == "sum = 7");
    CHECK(debug("advance 18").find("18 →") != std::string::npos);
    CHECK(debug("last row[2]").find("line 3 stores 1 to row[2] of f, which held 3") == 0);
    CHECK(has(debug("origins"), "row[1] of f = 1, stored by line 3"));
    debug("advance 20");
    debug("advance 20");
    CHECK(debug("last at").find("line 19 stores &A[4] to at") == 0);
    debug("advance 20");
    CHECK(has(debug("origins"), "A[4 … 7] = 5, 6, 7, 8, from before the launch"));
    CHECK(has(debug("origins"), "at = &A[4], stored by line 19"));
    debug("advance 21");
    CHECK(has(debug("origins"), "v = (?, ?, 1, ?), stored by line 18"));
    CHECK(debug("print v") == "v = (?, ?, 1, ?)");
    CHECK(debug("last v.z").find("line 18 stores (?, ?, 1, ?) to v, which held no value yet") == 0);
    debug("advance 21");
    CHECK(debug("last C[2]").find("line 20 stores 5, 6, 7, 8 to C[0 … 3], which held no value yet") == 0);
    CHECK(debug("last v.x").find("line 17 declares v without a value") == 0);
}

TEST_CASE("a work-item that does not come to a line shows its last value before the barrier") {
    const std::string source =
        "kernel void f(global int* C) {\n"                 // 1
        "    int id = get_local_id(0), twice = 2 * id;\n"  // 2
        "    if (id == 1)\n"                               // 3
        "        C[0] = twice;\n"                          // 4
        "}\n";
    XrayJob job;
    Launch launch = launch_over("f", {3}, {3});
    launch.arguments = {job.buffer("C", kInt, 1, std::nullopt)};
    job.launches = {launch};
    Recorded debug(source, job);
    debug("lane 1");
    debug("advance 4");
    CHECK(debug("lanes twice") ==
          "0*  2 4*\n* does not come to this line: its last value before the next barrier");
    CHECK(debug("lane 2").find("Work-item 2 does not come to this line: this is its last one") == 0);
    CHECK(debug("print twice") == "twice = 4");
}

TEST_CASE("structures, vectors, private arrays, pointers and called functions have their values") {
    const std::string source =
        "typedef struct { float x; int2 v; } P;\n"                          // 1
        "float twice(float a) {\n"                                          // 2
        "    float b = a + a;\n"                                            // 3
        "    return b;\n"                                                   // 4
        "}\n"                                                               // 5
        "kernel void f(global const float* A, global float* C, int n) {\n"  // 6
        "    P p;\n"                                                        // 7
        "    p.x = 1.5f;\n"                                                 // 8
        "    p.v = (int2)(3, -4);\n"                                        // 9
        "    float4 q = (float4)(1, 2, 3, 4);\n"                            // 10
        "    float8 big = (float8)(7);\n"                                   // 11
        "    float copies[3];\n"                                            // 12
        "    for (int i = 0; i < 3; ++i) copies[i] = A[i] + q.y;\n"         // 13
        "    global const float* at = A + 2;\n"                             // 14
        "    float sum = twice(*at) + twice(copies[1]);\n"                  // 15
        "    ulong wide = 1ul << 40;\n"                                     // 16
        "    C[get_global_id(0)] = sum + p.x + big.s3 + (float)wide;\n"     // 17
        "}\n";
    XrayJob job;
    Launch launch = launch_over("f", {2}, {2});
    std::vector<std::int32_t> floats(4);
    const float values[] = {0.5F, 1.5F, 2.5F, 3.5F};
    std::memcpy(floats.data(), values, sizeof values);
    launch.arguments = {job.buffer("A", kFloat, 4, floats), job.buffer("C", kFloat, 2, std::nullopt),
                        whole(4)};
    job.launches = {launch};
    Recorded debug(source, job);
    CHECK(debug("print p") == "p = not set yet");
    debug("advance 9");
    CHECK(debug("print p") == "p = {x = 1.5, v = (?, ?)}");
    debug("advance 13");
    CHECK(debug("print p.v.y") == "p.v.y = -4");
    CHECK(debug("print q") == "q = (1, 2, 3, 4)");
    CHECK(debug("print big.s7") == "big.s7 = 7");
    CHECK(debug("print copies") == "copies = not set yet");
    CHECK(debug("advance 15").find("15 →") != std::string::npos);
    CHECK(debug("print copies") == "copies = {2.5, 3.5, 4.5}");
    CHECK(debug("print at") == "at = &A[2]");
    CHECK(debug("print *at + at[1]") == "*at + at[1] = 6");
    CHECK(debug("step").find("3 →") != std::string::npos);
    CHECK(debug("print a") == "a = 2.5");
    CHECK(debug("print b") == "b = not set yet");
    CHECK(debug("backtrace").find("#1 f at line 15") != std::string::npos);
    CHECK(debug("up").find("#1 f at line 15  (selected)") != std::string::npos);
    CHECK(debug("print q.x") == "q.x = 1");
    CHECK(debug("down").find("#0 twice at line 3  (selected)") != std::string::npos);
    CHECK(debug("finish").find("15 →") != std::string::npos);
    debug("step");
    CHECK(debug("print a") == "a = 3.5");  // the second call has variables of its own
    CHECK(debug("next").find("4 →") != std::string::npos);
    CHECK(debug("advance 17").find("17 →") != std::string::npos);
    CHECK(debug("print wide") == "wide = 1099511627776");
    CHECK(debug("print sum") == "sum = 12");
    CHECK(debug("reverse-next").find("16 →") != std::string::npos);
}

TEST_CASE("watchpoints stop at each change, in whichever work-item, in both directions") {
    const std::string source =
        "kernel void count(global int* H) {\n"                     // 1
        "    local int n;\n"                                       // 2
        "    if (get_local_id(0) == 0) n = 5;\n"                   // 3
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"                      // 4
        "    atomic_add(&n, (int)get_local_id(0));\n"              // 5
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"                      // 6
        "    if (get_local_id(0) == 1) H[get_group_id(0)] = n;\n"  // 7
        "}\n";
    XrayJob job;
    Launch launch = launch_over("count", {4}, {4});
    launch.arguments = {job.buffer("H", kInt, 1, std::nullopt)};
    job.launches = {launch};
    Recorded debug(source, job);
    CHECK(debug("watch n") == "Watchpoint 1: n = not set yet");
    CHECK(debug("continue").find("line 3 stores 5 to n, which held no value yet") != std::string::npos);
    std::string all;
    for (int i = 0; i < 3; ++i) all += debug("continue") + "\n";
    for (const char* const change : {"held 5", "held 8", "held 10"})
        CHECK(all.find(change) != std::string::npos);
    CHECK(debug("print n") == "n = 11");
    CHECK(debug("reverse-continue").find("which held 10") != std::string::npos);
    CHECK(debug("reverse-continue").find("which held 8") != std::string::npos);
    CHECK(debug("delete 1") == "");
    CHECK(debug("watch H[0]").find("Watchpoint 2") == 0);
    CHECK(debug("continue").find("line 7 stores 11 to H[0]") != std::string::npos);
}

TEST_CASE("a condition that has no value stops where it has none, and says why") {
    Recorded debug(kProduct, product_job(numbers(0), numbers(5)));
    debug("break 9 if 10 / (k - 1) == 10");
    CHECK(debug("continue").find("Breakpoint 1: 10 / (k - 1) == 10: a division by zero") == 0);
    CHECK(debug("print k") == "k = 1");
    CHECK(debug("continue").find("Breakpoint 1\n") == 0);
    CHECK(debug("print k") == "k = 2");
    debug("delete");
    CHECK(debug("break 9 if 10 / k == 5") == "Breakpoint 2 at line 9");  // k is 0 at first
    CHECK(debug("start") != "");
    CHECK(debug("continue").find("Breakpoint 2: 10 / k == 5: a division by zero") == 0);
    debug("delete");
    debug("break 9 if k != 0 && 10 / k == 5");
    debug("start");
    CHECK(debug("continue").find("Breakpoint 3\n") == 0);
    CHECK(debug("print k") == "k = 2");
    CHECK(debug("print k == 2 || 1 / (k - 2)") == "k == 2 || 1 / (k - 2) = 1");
    CHECK(debug("print k == 3 || 1 / (k - 2)").find("a division by zero") != std::string::npos);
}

TEST_CASE("a copy of the whole group, and a group that crashes, are recorded, too") {
    const std::string source =
        "kernel void copied(global const int* A, global int* C) {\n"                      // 1
        "    local int t[4];\n"                                                           // 2
        "    event_t done = async_work_group_copy(t, A, 4, 0);\n"                         // 3
        "    wait_group_events(1, &done);\n"                                              // 4
        "    C[get_local_id(0)] = t[3 - get_local_id(0)];\n"                              // 5
        "    volatile int zero = 0;\n"                                                    // 6
        "    if (get_local_id(0) == 2) C[0] = *(global int*)(size_t)(8 * (zero + 1));\n"  // 7
        "}\n";
    XrayJob job;
    Launch launch = launch_over("copied", {4}, {4});
    launch.arguments = {job.buffer("A", kInt, 4, std::vector<std::int32_t>{4, 5, 6, 7}),
                        job.buffer("C", kInt, 4, std::nullopt)};
    job.launches = {launch};
    Recorded debug(source, job);
    CHECK(debug("advance 5").find("5 →") != std::string::npos);
    CHECK(debug("print t") == "t = {4, 5, 6, 7}");
    CHECK(debug("origins").find("t[3] = 7, stored by line 3 for the whole group") != std::string::npos);
    CHECK(debug("last t[1]").find("stores 5 to t[1]") != std::string::npos);
}

TEST_CASE("what is printed is kept with its work-item, step and line") {
    XrayJob job;
    Launch launch = launch_over("prints", {4}, {4});
    launch.arguments = {job.buffer("Y", kFloat, 4, std::nullopt)};
    job.launches = {launch};
    Recorded debug(
        "kernel void prints(global float* Y) {\n"
        "    int x = get_local_id(0);\n"
        "    printf(\"begin\\n\");\n"
        "    printf(\"%d %5u|%-4x|%c %s %%\\n\", -x, 7u, 255, 'c', \"text\");\n"
        "    printf(\"%.2f %e %ld %hd %hhd\", x + 0.5f, 1.5, 1L << 40, (short)-2, (char)-3);\n"
        "    printf(\"%v4hlf %v2hld %v4hhd\\n\", (float4)(x, 1, 2, 3), (int2)(4, -5), (char4)(1, 2, 3, "
        "-4));\n"
        "    printf(\"%v8hlf %v4ld %v3hlu %v16hlx\\n\", (float8)(x), (long4)(1, 2, 3, 4), (uint3)(7, 8, 9), "
        "(uint16)(10));\n"
        "    Y[x] = x;\n"
        "}\n",
        job);
    CHECK(debug("lane 2") != "");
    CHECK(debug("advance 4") ==
          "printed: begin\n    4 →     printf(\"%d %5u|%-4x|%c %s %%\\n\", -x, 7u, 255, 'c', \"text\");");
    CHECK(debug("step").find("printed: -2     7|ff  |c text %\n") == 0);
    CHECK(debug("step").find("printed: 2.50 1.500000e+00 1099511627776 -2 -3\n") == 0);
    CHECK(debug("step").find("printed: 2.000000,1.000000,2.000000,3.000000 4,-5 1,2,3,-4\n") == 0);
    CHECK(
        debug("step").find(
            "printed: 2.000000,2.000000,2.000000,2.000000,2.000000,2.000000,2.000000,2.000000 1,2,3,4 7,8,9 "
            "a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a\n") == 0);
    CHECK(debug("reverse-step").find("printed") == std::string::npos);
    const std::string table = debug("info output 2");
    CHECK(std::count(table.begin(), table.end(), '\n') == 5);
    CHECK(table.find("           2        2      3  begin\n") != std::string::npos);
    const std::string all = debug("info output");
    CHECK(std::count(all.begin(), all.end(), '\n') == 20);
    CHECK(debug("info output 9").find("from 0 to 3") != std::string::npos);
}

TEST_CASE("what is typed wrong gets a sentence, and moves nothing") {
    Recorded debug(kProduct, product_job(numbers(0), numbers(5)));
    const Moment before = debug.console.moment();
    const std::vector<std::pair<std::string, std::string>> inputs = {
        {"stop", "there is no command stop. Did you mean step?"},
        {"print summ", "there is no variable summ here. Did you mean sum?"},
        {"print 1 / 0", "1 / 0: a division by zero at column 6"},
        {"print a[", "a[: something is missing at column 3"},
        {"print (1", "(1: ')' is missing at column 3"},
        {"print 1 2", "1 2: unexpected '2' at column 3"},
        {"print", "an expression is missing"},
        {"print n[0]", "only arrays and pointers have elements"},
        {"print n.x", ".x needs a structure or a vector"},
        {"print 0x", "'0x' is no number"},
        {"print exp(1)", "only work-item functions can be called, not exp"},
        {"break", "'' is no line: give a number, as in 53 if k == 9"},
        {"break 99", "there is no code at or after line 99"},
        {"break 9 if kk == 1", "there is no variable kk here. Did you mean k"},
        {"lane 4,0", "the work-group has 4 work-items in dimension 0, from 0 to 3"},
        {"lane a", "an index must be a whole number, not 'a'"},
        {"lane 1,1,1", "the work-group has 2 dimensions"},
        {"delete 7", "there is no breakpoint or watchpoint 7"},
        {"watch 3", "3 is no variable and no element"},
        {"info", "give one of: info locals"},
        {"reverse", "reverse is not unique"},
        {"finish", "nothing has called"},
        {"up", "nothing has called"},
    };
    for (const auto& input : inputs) {
        const std::string &typed = input.first, &wanted = input.second;
        const debug::ConsoleAnswer answer = debug.console.run(typed);
        CAPTURE(typed);
        CHECK(answer.is_error);
        CHECK_MESSAGE(answer.text.find(wanted) != std::string::npos, answer.text);
        CHECK(debug.console.moment() == before);
    }
    CHECK(debug("break 4").find("Breakpoint 1 at line 4") == 0);
    CHECK(debug("break 1") == "Breakpoint 2 at line 3: there is no code in line 1");
    CHECK(debug.console.run("quit").is_end);
}

}  // namespace kwb::test
