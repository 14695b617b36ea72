// SPDX-License-Identifier: Apache-2.0
// What a person does with the parts of the window, with the real program, a real judge and real X events.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "gui/x_probes.hpp"
#include "gui/x_seat.hpp"
#include "gui/x_selection.hpp"

namespace kwb::test {
namespace {

const std::string kFirst = "experiment/contestant/0", kSecond = "experiment/contestant/1";

/// Settings so small that a run is over at once.
const Home& prepared(const Home& home, int width, int height) {
    write_file(home.settings_file(),
               "window_width = " + std::to_string(width) + "\nwindow_height = " + std::to_string(height) +
                   "\nscale = 1.0\ntheme = \"dark\"\ntime_budget_ms = 20.0\nxray = false\n"
                   "[sizes]\nM = 48\nN = 48\nK = 48\n");
    return home;
}

/// The window as at the first start, with the first lesson.
struct Session {
    Home home;
    XSeat seat;
    ProbedWindow window;

    explicit Session(int width = 1600, int height = 1000) : window(seat, prepared(home, width, height)) {
        window.wait_for(kSecond + "/name", "tiled");
    }

    void run() {
        window.click("experiment/run");
        window.wait_for("times/chart");
    }

    void open_layouts() {
        window.click("workspace/view");
        window.click("workspace/view/layouts");
        window.wait_for("workspace/layout/standard");
    }
};

TEST_CASE("F9 presents without forms, and F9 again brings them back") {
    Session s;
    s.seat.key(XK_F9, true);
    s.window.wait_for("workspace/present/end");
    s.seat.key(XK_F9, false);
    CHECK_FALSE(s.window.has(kFirst));
    CHECK_FALSE(s.window.has("experiment/device"));
    CHECK(s.window.has("source/text"));
    s.seat.key(XK_F9, true);
    s.window.wait_for(kFirst);
    s.seat.key(XK_F9, false);
    CHECK_FALSE(s.window.has("workspace/present/end"));
    s.window.close();
}

TEST_CASE("an own kernel is dropped, told its arguments, run, found correct, and kept") {
    Session s;
    const fs::path file = s.home.file("theirs.cl");
    write_file(file,
               "__kernel void rows(const int one, const int two, const int three,\n"
               "                   __global const float* Amat, __global const float* Bmat,\n"
               "                   __global float* Cmat) {\n"
               "    int row = get_global_id(0);\n"
               "    if (row >= one) return;\n"
               "    for (int column = 0; column < two; column++) {\n"
               "        float sum = 0.0f;\n"
               "        for (int k = 0; k < three; k++) sum += Amat[row * three + k] * "
               "Bmat[k * two + column];\n"
               "        Cmat[row * two + column] = sum;\n"
               "    }\n"
               "}\n");
    drop(s.seat, s.window.window(), file);
    const std::string row = "experiment/contestant/2", own = row + "/own/";
    s.window.wait_for(own + "argument/one", "M ?");
    CHECK_FALSE(s.window.wait_for(own + "keep").enabled);
    s.window.click(own + "run");
    s.window.wait_for("times/chart");
    s.window.wait_for("results/cell/2/verdict", "correct");
    CHECK(s.window.has(row + "/verdict"));
    s.window.click(own + "keep");
    s.window.wait_until_gone(own + "keep");
    CHECK(read_file(file.string() + ".toml").find("rows") != std::string::npos);
    s.window.close();
}

TEST_CASE("a wrong element leads to the step that stored it, and from value to value to the cause") {
    Session s;
    s.window.click("experiment/xray");
    const fs::path file = s.home.file("short.cl");
    write_file(file,
               "/*+++\nproblem = 'matmul'\n[launch]\nkernel = 'short_sum'\nlocal = [8, 8]\n"
               "global = ['round_up(N, 8)', 'round_up(M, 8)']\n+++*/\n"
               "kernel void short_sum(global const float* A, global const float* B, global float* C,\n"  // 8
               "                      int M, int N, int K) {\n"                                          // 9
               "    int col = get_global_id(0), row = get_global_id(1);\n"                               // 10
               "    if (row >= M || col >= N) return;\n"                                                 // 11
               "    float sum = 0;\n"                                                                    // 12
               "    for (int k = 0; k < K - 1; ++k)\n"                                                   // 13
               "        sum += A[row * K + k] * B[k * N + col];\n"                                       // 14
               "    C[row * N + col] = sum;\n"                                                           // 15
               "}\n");
    drop(s.seat, s.window.window(), file);
    s.window.wait_for("experiment/contestant/2/name", "short");
    s.run();
    s.window.wait_for("results/cell/2/verdict", "wrong");
    s.window.click("workspace/tab/correctness");
    s.window.click("correctness/step");
    s.window.wait_for("values/wrong", "is wrong at size");
    s.window.wait_for("values/place", "line 15");
    s.window.wait_for("values/told", "Line 15 stores");
    // The line reads `sum`, whose last store is the last product that was added. The wheel scrolls the whole
    // view.
    s.window.wheel("values/told", -5);
    s.window.click("values/origin/0");
    s.window.wheel("values/origin/0", 20);
    s.window.wait_for("values/told", "Line 14 stores");
    s.window.wait_for("values/place", "line 14");
    s.window.click("values/start");
    s.window.wait_for("values/words", "step 1 of");
    s.window.click("values/step");
    s.window.wait_for("values/words", "step 2 of");
    s.window.click("values/back_one");
    s.window.wait_for("values/words", "step 1 of");
    // The same by keys.
    const auto has_moved = [&] {  // by one step or, as a held key repeats, by more
        wait_until("it is behind step 1",
                   [&] { return s.window.wait_for("values/words").label.find("step 1 of") != 0; });
    };
    s.seat.key(XK_F12, true);
    has_moved();
    s.seat.key(XK_F12, false);
    s.seat.chord(XK_Shift_L, XK_F12, [&] { s.window.wait_for("values/words", "step 1 of"); });
    s.seat.chord(XK_Control_L, XK_F12, has_moved);
    // The first store that differs from a kernel that is right.
    s.window.click("xray/compared");
    s.window.click("xray/compared/0");
    s.window.click("values/difference");
    s.window.wait_for("values/told", "differs from matmul/naive");
    s.window.wait_for("values/difference", "Next difference");
    s.window.close();
}

TEST_CASE("a hint of a lesson opens the exercise at the step where it looks") {
    Session s;
    s.window.click("experiment/xray");
    s.seat.chord(XK_Control_L, XK_8, [&] { s.window.wait_for("learn/next"); });
    s.window.wheel("learn/lesson/5", -20);
    s.window.wait_for("learn/lesson/16");
    s.window.click("learn/lesson/16");
    s.window.click("learn/hint");
    s.window.click("learn/hint/step");
    s.window.wait_for("values/place", "Work-item (5, 3): line 26");
    s.window.wait_for("values/words", "after 0 barriers");
    s.window.close();
}

TEST_CASE("a layout is saved under a name, left, and chosen again") {
    Session s;
    const auto history_is_in = [&](const std::string& area) {
        const auto tab = s.window.find("workspace/tab/history");
        const auto around = s.window.find("workspace/area/" + area);
        return tab && around && around->holds(*tab);
    };
    s.window.drag("workspace/tab/history", "workspace/area/left");
    wait_until("the history is at the left", [&] { return history_is_in("left"); });
    s.open_layouts();
    s.window.click("workspace/layout/name");
    s.seat.type("Teaching 1");
    s.window.click("workspace/layout/save");
    s.window.wait_for("workspace/layout/0", "Teaching 1");
    s.window.click("workspace/layout/standard");
    wait_until("the history is back", [&] { return history_is_in("right"); });
    s.open_layouts();
    s.window.click("workspace/layout/0");
    wait_until("the history is at the left again", [&] { return history_is_in("left"); });
    s.window.close();
    CHECK(s.home.says("\"3/history\" = \"left\""));
    CHECK(s.home.says("Teaching 1"));
}

TEST_CASE("rows of kernels change places by dragging") {
    Session s;
    s.window.wait_for(kFirst + "/name", "naive");
    s.window.drag(kFirst, kSecond);
    s.window.wait_for(kFirst + "/name", "tiled");
    s.window.wait_for(kSecond + "/name", "naive");
    s.window.close();
    const std::string kept = s.home.settings();
    CHECK(kept.find("name = \"matmul/tiled\"") < kept.find("name = \"matmul/naive\""));
}

TEST_CASE("a run is compared with an earlier one from the history, and no longer") {
    Session s;
    s.window.click("workspace/tab/history");
    s.run();
    s.window.wait_for("history/row/1");
    s.run();
    s.window.wait_for("history/row/2");
    s.window.wait_for("results/row/0");
    CHECK_FALSE(s.window.has("results/head/earlier"));
    s.window.hover("history/row/1", 0.3);
    s.window.click("history/row/1/more");
    s.window.click("history/compare");
    s.window.wait_for("history/compared", "Compared with");
    s.window.wait_for("times/run", "compared with");
    CHECK(s.window.wait_for("results/cell/0/earlier").label != "");
    s.window.click("history/stop_comparing");
    s.window.wait_until_gone("history/compared");
    CHECK_FALSE(s.window.has("results/head/earlier"));
    s.window.close();
}

TEST_CASE("the picture of the launch follows the work-group, and a click selects in it") {
    Session s;
    s.window.wait_for("launch/geometry", "3 \u00d7 3");
    s.window.click(kFirst);
    s.window.click(kFirst + "/local");
    s.window.click(kFirst + "/local/option/8x8");
    s.window.wait_for("launch/geometry", "6 \u00d7 6");
    s.window.click("launch/ndrange", 0.99, 0.01);
    s.window.wait_for("launch/group", "Work-group (5, 0)");
    s.window.click("launch/items", 0.01, 0.01);
    s.window.wait_for("launch/item", "Work-item (40, 0)");
    s.window.close();
}

TEST_CASE("Ctrl and the wheel zoom a chart, the wheel alone scrolls its panel") {
    Session s(1366, 480);
    s.run();
    const auto is_zoomed = [&] {  // as its menu says
        s.window.click("times/chart/more");
        const bool zoomed = s.window.wait_for("times/chart/fit").enabled;
        s.window.press(XK_Escape);
        s.window.wait_until_gone("times/chart/fit");
        return zoomed;
    };
    CHECK_FALSE(is_zoomed());
    s.seat.key(XK_Control_L, true);
    s.window.wheel("times/chart", 3);
    s.window.click("times/chart/more");  // when that is seen, so is the wheel, with Ctrl still down
    s.window.wait_for("times/chart/fit");
    s.seat.key(XK_Control_L, false);
    s.window.press(XK_Escape);
    s.window.wait_until_gone("times/chart/fit");
    CHECK(is_zoomed());
    const int before = s.window.wait_for("times/chart").top;
    CHECK_FALSE(s.window.has("results/row/1"));
    s.window.wheel("times/chart", -3);
    s.window.wait_for("results/row/1");
    CHECK(s.window.wait_for("times/chart").top <= before);
    s.window.close();
}

TEST_CASE("another problem is chosen in the bar, with its own kernels") {
    Session s;
    s.window.click("experiment/problem");
    s.window.click("experiment/problem/option/transpose");
    s.window.wait_for("experiment/problem", "ranspos");
    s.run();
    s.window.wait_for("times/run", "transpose");
    s.window.wait_for("results/cell/1/verdict", "correct");
    s.window.close();
    CHECK(s.home.says("problem = \"transpose\""));
    CHECK(s.home.says("name = \"transpose/"));
}

TEST_CASE("pointing at a kernel lights it up in the results, until the pointer is on another") {
    Session s;
    s.run();
    s.window.wait_for("results/cell/1/verdict", "correct");
    const auto color = [&] {
        const Seen row = s.window.wait_for("results/row/1");
        return s.seat.pixel(s.window.window(), row.right - 3, (row.top + row.bottom) / 2);
    };
    const unsigned long dark = color();
    s.window.hover(kSecond, 0.3);
    wait_until("it is lit", [&] { return color() != dark; });
    s.window.hover(kFirst, 0.3);
    wait_until("it is dark again", [&] { return color() == dark; });
    s.window.close();
}

}  // namespace
}  // namespace kwb::test
