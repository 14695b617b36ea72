// Two sources side by side.
#include <doctest/doctest.h>

#include "gui/source_opened.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;

TEST_CASE("two sources stand side by side with their differences, and both scroll together") {
    std::string left, right;
    for (int i = 0; i < 200; ++i) {
        left += "int a" + std::to_string(i) + ";\n";
        right += i == 3 ? "int other;\nint added;\n" : i == 150 ? "" : "int a" + std::to_string(i) + ";\n";
    }
    Opened at(left);
    at.program.open("b.cl", right);
    at.driver.settle();
    at.driver.click("source/tab/1");
    at.driver.click("source/compare");
    at.driver.click("source/compare/2");
    CHECK(at.program.state.beside == DocumentId{2});
    CHECK(at.driver.at("source/diff/count").label == "2 differences");
    CHECK(at.driver.at("source/diff/left").label == "a.cl");
    CHECK(at.driver.at("source/diff/right").label == "b.cl");
    at.driver.click("source/diff/next");
    at.driver.key(plain(Key::F8));
    at.driver.wheel("source/diff", 100);
    at.driver.click("source/diff/end");
    CHECK_FALSE(at.program.state.beside.has_value());
    CHECK(at.driver.at("source/text").active);
}

TEST_CASE("a comparison steps from difference to difference and around") {
    std::vector<std::string> left, right;
    for (int i = 0; i < 300; ++i) {
        left.push_back("int a" + std::to_string(i) + ";");
        right.push_back(i % 100 == 50 ? "float b;" : left.back());
    }
    DiffView view;
    struct Showing : Program {
        explicit Showing(DiffView& shown) : view(shown) {}
        void draw() override {
            ImGui::SetNextWindowPos({0, 0});
            ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
            ImGui::Begin("w", nullptr, ImGuiWindowFlags_NoDecoration);
            view.draw("diff", "left", "right", ImGui::GetContentRegionAvail());
            ImGui::End();
        }
        std::string title() const override { return ""; }
        DiffView& view;
    } showing(view);
    WindowlessStage stage(800, 400);
    const DiffView::Texts texts{1, 1, 2, 1};
    CHECK_FALSE(view.holds(texts));
    view.compare(texts, left, right);
    CHECK(view.holds(texts));
    GuiDriver driver(stage, showing);
    CHECK(view.difference_count() == 3);
    const auto shows = [&](std::size_t row) {
        driver.settle();
        return view.first_visible_row() <= row && row < view.first_visible_row() + 20;
    };
    CHECK(shows(50));
    view.step(+1);
    view.step(+1);
    CHECK(shows(150));
    view.step(+1);
    CHECK(shows(250));
    view.step(+1);
    CHECK(shows(50));
    view.step(-1);
    CHECK(shows(250));
    driver.wheel("diff", 200);
    CHECK(view.first_visible_row() == 0);
}

}  // namespace
}  // namespace kwb::test
