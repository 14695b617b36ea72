// SPDX-License-Identifier: Apache-2.0
// Where tooltips appear.
#include <doctest/doctest.h>

#include "gui/stage.hpp"
#include "gui/tooltip.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;

const ImVec2 kScreen = {1000, 700}, kBox = {200, 60};

ImRect box_at(const ImRect& about, const ImRect& answer = {}, ImVec2 size = kBox) {
    const ImVec2 corner =
        place_tooltip(size, {.about = about, .answer = answer, .left = about.Min.x, .screen = kScreen});
    return {corner.x, corner.y, corner.x + size.x, corner.y + size.y};
}

TEST_CASE("a tooltip stands below what it explains, within the screen") {
    const WindowlessStage stage(1000, 700);
    const ImRect button(10, 10, 90, 40);
    CHECK(box_at(button).Min.x == 10);
    CHECK(box_at(button).Min.y == 40 + tokens().hair);
    CHECK(box_at({950, 10, 990, 40}).Max.x == 1000);
    CHECK(box_at({10, 650, 90, 690}).Max.y == 650 - tokens().hair);  // above
}

TEST_CASE("a tooltip covers neither the answer nor what it explains") {
    const WindowlessStage stage(1000, 700);
    const ImRect answer(0, 50, 1000, 150);
    CHECK(box_at({10, 10, 90, 40}, answer).Min.y == 150 + tokens().hair);
    CHECK(box_at({900, 60, 990, 90}, answer).Min.y == 150 + tokens().hair);  // it is in the answer
    for (const ImRect& about : {ImRect(0, 0, 500, 690), ImRect(500, 0, 1000, 690), ImRect(10, 160, 90, 690),
                                ImRect(400, 10, 480, 40), ImRect(0, 200, 1000, 300)}) {
        const ImRect box = box_at(about, answer, {200, 100});
        CAPTURE(about.Min.x);
        CAPTURE(about.Min.y);
        CHECK_FALSE(box.Overlaps(about));
        CHECK((!box.Overlaps(answer) || about.Overlaps(answer)));
        CHECK(ImRect({0, 0}, kScreen).Contains(box));
    }
}

TEST_CASE("the tooltip of a row stands beside its list, or past its end, and covers no other row") {
    const WindowlessStage stage(1000, 700);
    const auto box_of_row = [](const ImRect& list) {
        const float y = list.GetCenter().y;
        const ImVec2 corner = place_tooltip(kBox, {.about = {list.Min.x, y, list.Max.x, y + 20},
                                                   .list = list,
                                                   .left = list.Min.x,
                                                   .screen = kScreen});
        return ImRect(corner.x, corner.y, corner.x + kBox.x, corner.y + kBox.y);
    };
    CHECK(box_of_row({0, 100, 300, 400}).Min.x == 300 + tokens().hair);
    CHECK(box_of_row({0, 100, 300, 400}).Min.y == 250);  // of the row
    CHECK(box_of_row({700, 100, 1000, 400}).Max.x == 700 - tokens().hair);
    CHECK(box_of_row({0, 100, 1000, 400}).Min.y == 400 + tokens().hair);
    CHECK(box_of_row({0, 400, 1000, 700}).Max.y == 400 - tokens().hair);
    CHECK(box_of_row({0, 0, 1000, 700}).Min.y == 370 + tokens().hair);  // no room: below the row
}

TEST_CASE("a tooltip without room anywhere stays on the screen") {
    const WindowlessStage stage(1000, 700);
    CHECK(ImRect({0, 0}, kScreen).Contains(box_at({0, 0, 1000, 700})));
}

}  // namespace
}  // namespace kwb::test
