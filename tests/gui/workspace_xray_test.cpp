// SPDX-License-Identifier: Apache-2.0
// X-ray in the whole window: observed while it is seen, and shown in the margin of the source.
#include <doctest/doctest.h>

#include "gui/workspace_scene.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
using Scene = WorkspaceScene;

void show_xray(Scene& scene) {
    scene.workspace->focus(Panel::Xray);
    scene.driver->settle();
}

void wait_for_xray(Scene& scene) {
    scene.driver->wait_until("X-ray has observed", [&] { return scene.driver->has("xray/table/0/title"); });
    scene.driver->settle();
}

TEST_CASE("a kernel is observed as soon as the panel is seen, not before, and the front source chooses it") {
    Scene scene("timed");
    scene.driver->settle();
    CHECK(!scene.state().observing);
    CHECK(scene.state().xrays.at(0).shown == nullptr);
    show_xray(scene);
    wait_for_xray(scene);
    CHECK(scene.says("xray/table/", "Accesses of mine"));
    scene.check_layout_now();
    scene.driver->click("source/tab/2");
    scene.driver->wait_until("the other one", [&] { return scene.says("xray/table/", "Accesses of other"); });
}

TEST_CASE("the margin of the source tells executions and accesses of a line") {
    Scene scene("timed");
    show_xray(scene);
    wait_for_xray(scene);
    const Document& document = scene.front();
    REQUIRE(scene.state().heat_of(document) != nullptr);
    // Line 9 of the sample is in sight; find it by moving down the margin.
    bool is_told = false;
    for (int i = 1; i < 60 && !is_told; ++i) {
        scene.driver->hover("source/text/gutter", 0.5, i / 60.0);
        scene.driver->pump();
        is_told = scene.says("source/text/heat", "executions by work-items");
    }
    CHECK(is_told);
}

TEST_CASE("the roofline asks X-ray about all kernels, and shows a second point of each") {
    Scene scene("timed");
    scene.run();
    scene.driver->click("times/tab/roofline");
    scene.driver->settle();
    scene.driver->wait_until("both are observed", [&] {
        return scene.state().xrays.at(0).shown != nullptr && scene.state().xrays.at(1).shown != nullptr;
    });
    scene.driver->settle();
    CHECK(scene.says("times/note/", "without caches"));
}

TEST_CASE("X-ray is a choice of the experiment") {
    Scene scene("timed");
    show_xray(scene);
    wait_for_xray(scene);
    scene.driver->click("experiment/xray");
    scene.driver->settle();
    CHECK(!scene.state().choices.xray);
    CHECK(scene.says("xray/off", "X-ray is off"));
    scene.driver->click("xray/on");
    scene.driver->settle();
    CHECK(scene.state().choices.xray);
    CHECK(scene.driver->has("xray/table/0/title"));
}

TEST_CASE("a missing compiler and a race are told in the panel") {
    Scene scene("no-clang");
    show_xray(scene);
    scene.driver->wait_until("it is said", [&] { return scene.says("xray/failed", "clang 14"); });
    Scene racy("races");
    show_xray(racy);
    wait_for_xray(racy);
    CHECK(racy.driver->has("xray/undefined/0/place"));
    racy.check_layout_now();
}

TEST_CASE(
    "a kernel that is right by luck: the cause is whole, and line, steps and meaning are a click away") {
    Scene scene("races");
    scene.resize(1366, 768);
    scene.run();
    CHECK(scene.label("answer/headline") == "other is right only by luck");
    CHECK(scene.label("answer/cause") ==
          "other: Nothing waits between line 11 (reads) and line 9 (writes)");  // not cut
    CHECK(scene.says("answer/verdict/1", "right only by luck"));
    scene.check_layout_now();

    CHECK(scene.state().selected == 1);
    scene.driver->click("workspace/tab/correctness");
    scene.driver->settle();
    CHECK(scene.says("correctness/verdict/sentence", "Nothing waits between"));
    CHECK(scene.driver->at("correctness/verdict/sentence").full.Max.y <
          scene.driver->at("correctness/map").full.Min.y);
    CHECK_FALSE(scene.driver->says("all within the error bound."));

    scene.driver->click("answer/fault/meaning");
    scene.driver->settle();
    CHECK(scene.says("answer/fault/meaning/", "A data race: two work-items use the same element"));
    scene.driver->key(plain(Key::Escape));
    scene.driver->click("answer/fault/place");
    scene.driver->settle();
    CHECK(scene.front().path() == scene.kernel_file(1));
    CHECK(scene.state().revealed.line == 10);

    scene.driver->click("answer/fault/race");
    scene.driver->wait_until("the step of the race", [&] { return scene.driver->has("xray/step/alarm"); });
    CHECK(scene.says("xray/step/place", "Line 11: load a"));
}

}  // namespace
}  // namespace kwb::test
