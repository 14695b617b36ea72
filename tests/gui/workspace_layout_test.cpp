// SPDX-License-Identifier: Apache-2.0
// Panels that are put elsewhere, and layouts under names.
#include <doctest/doctest.h>

#include "gui/arrangement.hpp"
#include "gui/workspace_scene.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
using Scene = WorkspaceScene;

void open_layouts(Scene& scene) {
    scene.driver->click("workspace/view");
    scene.driver->settle();
    scene.driver->click("workspace/view/layouts");
    scene.driver->settle();
}

bool is_in(Scene& scene, std::string_view widget, std::string_view area) {
    const ImRect inner = scene.driver->at(widget).rect;
    const ImRect outer = scene.driver->at("workspace/area/" + std::string(area)).rect;
    return inner.Min.x >= outer.Min.x && inner.Max.x <= outer.Max.x && inner.Min.y >= outer.Min.y &&
           inner.Max.y <= outer.Max.y;
}

TEST_CASE("a tab is dragged onto another area, which is marked, and the panel stays there") {
    Scene scene("timed");
    scene.run();
    scene.driver->click("workspace/tab/history");
    scene.driver->drag("workspace/tab/history", "workspace/area/left");
    scene.driver->settle();
    CHECK(is_in(scene, "workspace/tab/history", "left"));
    CHECK(is_in(scene, "workspace/tab/experiment", "left"));
    CHECK(scene.driver->has("history/filter"));
    scene.check_layout_now();
    scene.open("timed");
    CHECK(is_in(scene, "workspace/tab/history", "left"));
    scene.driver->drag("workspace/tab/history", "workspace/area/right");
    scene.driver->settle();
    CHECK_FALSE(scene.driver->has("workspace/tab/experiment"));
    CHECK(is_in(scene, "workspace/tab/history", "right"));
}

TEST_CASE("a panel is moved by the menu of its title, also where it empties an area, and back by View") {
    Scene scene("timed");
    scene.driver->click("workspace/area/left/heading", 1);
    scene.driver->settle();
    CHECK(mentions(scene.label("workspace/move/label"), "Move Experiment to"));
    scene.check_layout_now();
    scene.driver->click("workspace/move/source");
    scene.driver->settle();
    CHECK_FALSE(scene.driver->has("workspace/area/left"));
    CHECK(is_in(scene, "workspace/tab/experiment", "source"));
    scene.check_layout_now();
    open_layouts(scene);
    scene.driver->click("workspace/place/experiment");
    scene.driver->settle();
    scene.driver->click("workspace/place/experiment/left");
    scene.driver->settle();
    CHECK(scene.driver->has("workspace/area/left"));
    CHECK(scene.state().settings.areas.empty());
}

TEST_CASE("a source that is moved to another area still shows the same lines") {
    Scene scene("timed");
    scene.driver->settle();
    const std::string folded = scene.label("source/front_matter/title");
    REQUIRE(folded.starts_with(kIconUp));
    open_layouts(scene);
    scene.driver->click("workspace/place/source");
    scene.driver->settle();
    scene.driver->click("workspace/place/source/left");
    scene.driver->settle();
    CHECK(is_in(scene, "source/front_matter", "left"));
    CHECK(scene.label("source/front_matter/title") == folded);
}

TEST_CASE("a click on a tab, and a drag that ends where it began, move nothing") {
    Scene scene("timed");
    scene.driver->click("workspace/tab/history");
    scene.driver->drag("workspace/tab/history", "workspace/tab/correctness");
    scene.driver->drag("workspace/tab/history", "shell/state");
    CHECK(scene.state().settings.areas.empty());
}

TEST_CASE("a layout is saved under a name, chosen, kept for the next start, and forgotten") {
    Scene scene("timed");
    scene.driver->drag("workspace/tab/history", "workspace/area/left");
    open_layouts(scene);
    CHECK_FALSE(scene.driver->at("workspace/layout/save").enabled);
    scene.driver->click("workspace/layout/name");
    scene.driver->type("Teaching");
    scene.driver->click("workspace/layout/save");
    scene.driver->settle();
    REQUIRE(scene.state().settings.layouts.size() == 1);
    scene.check_layout_now();
    scene.driver->click("workspace/layout/standard");
    scene.driver->settle();
    CHECK_FALSE(scene.driver->has("workspace/tab/experiment"));
    scene.open("timed");
    open_layouts(scene);
    CHECK(scene.label("workspace/layout/0") == "Teaching");
    scene.driver->click("workspace/layout/0");
    scene.driver->settle();
    CHECK(is_in(scene, "workspace/tab/history", "left"));
    open_layouts(scene);
    scene.driver->click("workspace/layout/0/forget");
    scene.driver->settle();
    CHECK(scene.state().settings.layouts.empty());
    CHECK(is_in(scene, "workspace/tab/history", "left"));
}

TEST_CASE("a narrow window has one area and nothing to move") {
    Scene scene("timed");
    scene.stage().resize(680, 700);
    scene.driver->settle();
    open_layouts(scene);
    CHECK(scene.driver->has("workspace/places/none"));
    CHECK_FALSE(scene.driver->has("workspace/place/experiment"));
    scene.check_layout_now();
}

TEST_CASE("a place that a window of this size does not have is ignored, and each form has its own") {
    const std::array<bool, kPanels> all = {true, true, true, true, true, true, true, true, true};
    const auto times_with = [&](float width, float height, const NamedList<std::string>& places) {
        for (const auto& column : arrange(width, height, all, places))
            for (const Area& area : column)
                if (area.has(Panel::Times)) return std::string(area.name);
        return std::string();
    };
    CHECK(place_key(1200, 800, Panel::Times) == "3/times");
    CHECK(times_with(1200, 800, {{"3/times", "source"}}) == "source");
    CHECK(times_with(800, 800, {{"3/times", "source"}}) == "main");
    CHECK(times_with(1200, 800, {{"3/times", "nowhere"}, {"", ""}, {"3/", "left"}}) == "times");
    for (const auto& [width, height] :
         {std::pair{500, 500}, {800, 500}, {1200, 500}, {1200, 900}, {2400, 900}}) {
        NamedList<std::string> places;
        const std::vector<Area> areas = areas_of(static_cast<float>(width), static_cast<float>(height));
        for (const Panel panel : kAllPanels)
            places.push_back({place_key(static_cast<float>(width), static_cast<float>(height), panel),
                              std::string(areas.back().name)});
        const Arrangement one = arrange(static_cast<float>(width), static_cast<float>(height), all, places);
        REQUIRE(one.size() == 1);
        CHECK(one[0][0].panels.size() == kPanels);
    }
}

TEST_CASE("a layout holds what is about panels, and leaves the rest of the settings alone") {
    Settings settings;
    settings.splits = {{"columns/left", 0.3}};
    settings.switches = {{"panel/history", false}, {"log", true}};
    settings.tabs = {{"area/right", "history"}, {"times", "sweep"}};
    settings.areas = {{"3/times", "left"}};
    const PanelLayout layout = layout_of(settings);
    apply_layout(settings, {});
    CHECK(settings.splits.empty());
    CHECK(settings.areas.empty());
    CHECK(settings.switches == NamedList<bool>{{"log", true}});
    CHECK(settings.tabs == NamedList<std::string>{{"times", "sweep"}});
    apply_layout(settings, layout);
    CHECK(layout_of(settings) == layout);
    CHECK(settings.tabs.size() == 2);
}

}  // namespace
}  // namespace kwb::test
