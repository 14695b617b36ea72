// SPDX-License-Identifier: Apache-2.0
// The launch as a picture, without a window.
#include <doctest/doctest.h>

#include "gui/desk_stage.hpp"
#include "gui/gui_driver.hpp"
#include "gui/panels/correctness_panel.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;

struct PictureScene {
    DeskState state = make_state();
    LaunchPicture picture;
    DeskProgram program{state, [this](const DeskState& s, Commands& c) { picture.draw(s, c); }};
    WindowlessStage stage{500, 1100};
    GuiDriver driver{stage, program};

    explicit PictureScene(LaunchShape launch) {
        state.choices.problem = "matmul";
        state.choices.sizes = {{"M", 60}, {"N", 40}, {"K", 20}};
        state.choices.contestants = {{"matmul/naive", {}, ""}};
        state.preview.contestants.resize(1);
        state.preview.contestants[0].label = "naive";
        state.preview.contestants[0].geometry = "4 × 8 work-groups";
        state.preview.contestants[0].launch = std::move(launch);
        driver.settle();
    }
    std::string item() { return driver.at("launch/item").label; }
};

TEST_CASE("a work-item of a matrix product is told with its element, its row of A and its column of B") {
    PictureScene scene({{48, 64}, {16, 8}, {"N", "M"}});
    CHECK(scene.item() ==
          "Work-item (18, 21): its place is C[21][18], which needs row 21 of A and column 18 of B.");
    scene.driver.click_at("launch/ndrange", 0.52, 0.52);  // the work-group changes, the place in it stays
    CHECK(scene.driver.at("launch/group").label == "Work-group (1, 4)");
    CHECK(scene.item() ==
          "Work-item (18, 37): its place is C[37][18], which needs row 37 of A and column 18 of B.");
    scene.driver.click_at("launch/items", 0.01, 0.01);
    CHECK(scene.picture.selected() == std::array<std::uint64_t, 2>{16, 32});
    scene.driver.click_at("launch/ndrange", 0.99, 0.5);
    scene.driver.click_at("launch/items", 0.99, 0.5);
    CHECK(scene.item().find("outside the problem") != std::string::npos);
}

TEST_CASE("where dimension 0 runs down the rows, the indices are told in the kernel's order") {
    PictureScene scene({{64, 48}, {8, 16}, {"M", "N"}});
    CHECK(scene.item() ==
          "Work-item (21, 18): its place is C[21][18], which needs row 21 of A and column 18 of B.");
}

TEST_CASE("the launch of the selected kernel is shown, and another one is selected with a click") {
    PictureScene scene({{48, 64}, {16, 8}, {"N", "M"}});
    scene.state.preview.contestants.push_back(scene.state.preview.contestants[0]);
    scene.state.choices.contestants.push_back({"matmul/tiled", {}, ""});
    scene.state.preview.contestants[1].label = "tiled";
    scene.state.kernel = 1;
    scene.driver.settle();
    CHECK(scene.driver.at("launch/heading").label == "Launch of tiled");
    scene.driver.click("launch/contestant/0");
    REQUIRE(scene.program.last<command::SelectKernel>() != nullptr);
    CHECK(scene.program.last<command::SelectKernel>()->contestant == 0);
}

TEST_CASE("the local memory of a work-group is named with its extents and its bytes") {
    LaunchShape launch{{48, 64}, {16, 8}, {"N", "M"}};
    launch.local_arrays = {{"As", {8, 16}, 512}, {"n", {}, 4}};
    PictureScene scene(launch);
    CHECK(scene.driver.at("launch/local").label ==
          "In local memory, once per work-group: As[8][16] and n, 516 bytes");
    CHECK(scene.driver.has("launch/local/As"));
    scene.state.preview.contestants[0].launch.local_arrays.clear();
    scene.driver.settle();
    CHECK_FALSE(scene.driver.has("launch/local"));
}

TEST_CASE("nothing is said about elements where there is not one work-item for each") {
    PictureScene scene({{16, 16}, {16, 16}, {"", ""}});
    CHECK(scene.item().find("only its source shows") != std::string::npos);
    CHECK_FALSE(scene.driver.has("launch/a"));
}

TEST_CASE("the work-group follows the choice at once, and shrinks the selection if need be") {
    PictureScene scene({{48, 64}, {16, 8}, {"N", "M"}});
    scene.driver.click_at("launch/ndrange", 0.99, 0.99);
    scene.state.preview.contestants[0].launch = {
        {40, 60}, {4, 4}, {"N", "M"}};  // the last element stays within
    scene.driver.settle();
    CHECK(scene.driver.at("launch/group").label == "Work-group (8, 14)");
    CHECK(scene.picture.selected()[0] < 40);
}

TEST_CASE("one dimension, three dimensions, several launches and the host's library have their sentences") {
    PictureScene line({{1024}, {64}, {"N"}});
    line.state.choices.problem = "copy";
    line.state.choices.sizes = {{"N", 1000}};
    line.driver.settle();
    CHECK(line.item() == "Work-item 322: the launch has one per element.");
    line.driver.click_at("launch/ndrange", 0.52, 0.5);
    CHECK(line.driver.at("launch/group").label == "Work-group (8, 0)");
    PictureScene cube({{64, 64, 64}, {}, {"", "", ""}});
    CHECK_FALSE(cube.driver.has("launch/items"));  // the driver chooses the work-group
    PictureScene none(LaunchShape{});
    CHECK(none.driver.at("launch/none").label.find("several launches") != std::string::npos);
    none.state.preview.contestants[0].geometry.clear();
    none.state.choices.contestants[0].kernel = kHostBlasName;
    none.driver.settle();
    CHECK(none.driver.at("launch/none").label.find("has no work-groups") != std::string::npos);
    none.state.preview.contestants.clear();
    none.driver.settle();
    CHECK(none.driver.has("launch/empty/title"));
}

TEST_CASE("the picture of a product leaves room for the words below it") {
    PictureScene scene({{48, 64}, {16, 8}, {"N", "M"}});
    scene.state.choices.sizes = {{"M", 60}, {"N", 40}, {"K", 80}};  // the work-group is between A and B
    for (const int height : {500, 600, 900}) {
        CAPTURE(height);
        scene.stage.resize(500, height);
        scene.driver.settle();
        const Probed& words = scene.driver.at("launch/item");
        CHECK(words.full.Max.y == words.rect.Max.y);
    }
}

TEST_CASE("the picture fits at every size and scale") {
    PictureScene scene({{48, 64}, {16, 8}, {"N", "M"}});
    at_every_size(scene.stage, [&](int width, int height, float) {
        scene.driver.settle();
        for (const std::string& fault :
             check_layout(scene.stage.look().probes(), static_cast<float>(width), static_cast<float>(height)))
            FAIL_CHECK(fault);
    });
}

}  // namespace
}  // namespace kwb::test
