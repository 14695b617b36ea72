// SPDX-License-Identifier: Apache-2.0
// A chart in a panel: pointer, keyboard, menu, and the cost of a frame.
#include <doctest/doctest.h>

#include "gui/chart_widget.hpp"
#include "gui/gui_driver.hpp"
#include "gui/sample_state.hpp"
#include "gui/sketch.hpp"
#include "gui/stage.hpp"
#include "report/charts.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;

ChartedRun charted(const ShownRun& shown) {
    ChartedRun run;
    run.results = shown.run.results;
    run.labels = shown.labels;
    return run;
}

plot::Chart times_of(const ShownRun& shown) {
    return time_chart(charted(shown));
}

struct ChartStage {
    DeskState state = many_kernels();
    plot::Chart chart = times_of(*state.shown);
    std::uint64_t key = 1;
    PendingSave pending;
    ChartExports exports{pending};
    ChartWidget widget;
    Commands commands;
    ChartOptions options;
    WindowlessStage stage{1000, 700};
    Sketch sketch{[this] { widget.draw("chart", chart, key, options, exports, commands); }};
    GuiDriver driver{stage, sketch};

    void show_rounds() {
        chart = rounds_chart(charted(*state.shown));
        ++key;
        driver.settle();
    }
};

TEST_CASE("Ctrl and the wheel zoom at the pointer, a double click shows all again") {
    ChartStage f;
    f.driver.ctrl_wheel("chart", 2);
    REQUIRE(f.widget.view().x);
    CHECK(f.widget.view().x->span() < f.widget.layout().whole_x.span());
    f.driver.double_click("chart");
    CHECK_FALSE(f.widget.view().is_zoomed());
}

TEST_CASE("two quick clicks on the button of its menu are no double click on the chart") {
    ChartStage f;
    f.driver.ctrl_wheel("chart", 2);
    f.driver.click("chart/more");
    f.driver.key(plain(Key::Escape));
    f.driver.click("chart/more");
    CHECK(f.widget.view().is_zoomed());
}

TEST_CASE("the wheel alone scrolls the panel, whatever the zoom; with Ctrl it does not") {
    ChartStage f;
    float scrolled = 0;
    f.options.size = {0, 900};
    Sketch tall([&] {
        compat::begin_child("tall", {0, 0}, false);
        f.widget.draw("chart", f.chart, f.key, f.options, f.exports, f.commands);
        scrolled = ImGui::GetScrollY();
        ImGui::EndChild();
    });
    GuiDriver driver(f.stage, tall);
    driver.ctrl_wheel("chart", 2);
    CHECK(scrolled == 0);
    const plot::ChartView zoomed = f.widget.view();
    CHECK(zoomed.is_zoomed());
    driver.wheel("chart", -1);
    const float down = scrolled;
    CHECK(down > 0);
    driver.wheel("chart", 0.5);
    CHECK(scrolled < down);
    CHECK(f.widget.view() == zoomed);
}

TEST_CASE("dragging moves the chart by the pointer's distance") {
    ChartStage f;
    f.show_rounds();
    f.driver.ctrl_wheel("chart", 4);
    const plot::Range before = *f.widget.view().x;
    const double per_px = before.span() / f.widget.layout().plot.width;
    f.driver.drag_at("chart", 0.5, 0.5, 0.4, 0.5);
    const double moved = f.widget.view().x->low - before.low;
    CHECK(moved == doctest::Approx(per_px * 0.1 * 999).epsilon(0.03));
    CHECK(f.widget.view().x->span() == doctest::Approx(before.span()).epsilon(0.001));
}

TEST_CASE("plus, minus, arrows and Home act on the chart that has the keyboard") {
    ChartStage f;
    f.show_rounds();
    f.driver.click_at("chart", 0.5, 0.5);
    for (int i = 0; i < 3; ++i) f.driver.key(plain(Key::Equal));
    REQUIRE(f.widget.view().is_zoomed());
    const plot::Range zoomed = *f.widget.view().x;
    f.driver.key(plain(Key::Right));
    CHECK(f.widget.view().x->low > zoomed.low);
    CHECK(f.driver.at("chart").focused);
    f.driver.key(plain(Key::Left));
    CHECK(f.widget.view().x->low == doctest::Approx(zoomed.low));
    f.driver.key(plain(Key::Minus));
    REQUIRE(f.widget.view().is_zoomed());
    CHECK(f.widget.view().x->span() > zoomed.span());
    f.driver.key(plain(Key::Home));
    CHECK_FALSE(f.widget.view().is_zoomed());
}

TEST_CASE("the menu opens by the space bar on the chart that has the keyboard, and by the right button") {
    ChartStage f;
    f.driver.click_at("chart", 0.5, 0.5);
    f.driver.key(plain(Key::Left));  // does nothing except switch to keyboard navigation
    f.driver.key(plain(Key::Space));
    CHECK(f.driver.has("chart/save_svg"));
    f.driver.key(plain(Key::Escape));
    CHECK_FALSE(f.driver.has("chart/save_svg"));
    f.driver.click("chart", 1);
    CHECK(f.driver.has("chart/save_svg"));
}

TEST_CASE("a click on a legend entry switches its series, and again brings it back") {
    ChartStage f;
    f.show_rounds();
    REQUIRE(f.driver.has("chart/legend/naive"));
    f.driver.click("chart/legend/naive");
    CHECK_FALSE(f.widget.view().shows("naive"));
    f.driver.click("chart/legend/naive");
    CHECK(f.widget.view().shows("naive"));
    // The same with the menu, which the keyboard can use.
    f.driver.click("chart/more");
    f.driver.click("chart/series/vector4");
    CHECK_FALSE(f.widget.view().shows("vector4"));
}

TEST_CASE("a bar shows its values while the pointer is on it, and nothing next to it") {
    ChartStage f;
    const plot::BarShape& bar = f.widget.layout().bars.front();
    const ImRect chart = f.driver.at("chart").full;
    f.driver.hover("chart", (bar.rect.center().x) / chart.GetWidth(),
                   (bar.rect.center().y) / chart.GetHeight());
    REQUIRE(f.driver.has("chart/tooltip/0"));
    CHECK(f.driver.at("chart/tooltip/0").label.find("naive") != std::string::npos);
    f.driver.park_pointer();
    CHECK_FALSE(f.driver.has("chart/tooltip/0"));
}

TEST_CASE("a layout is made once for the same data, view and size, and anew for others") {
    ChartStage f;
    f.driver.settle();
    const unsigned long made = f.widget.layouts_made();
    f.driver.pump(20);
    CHECK(f.widget.layouts_made() == made);
    ++f.key;
    f.driver.pump(2);
    CHECK(f.widget.layouts_made() == made + 1);
    f.stage.resize(900, 600);
    f.driver.settle();
    CHECK(f.widget.layouts_made() > made + 1);
}

TEST_CASE("the view stays when the data grows") {
    ChartStage f;
    f.driver.ctrl_wheel("chart", 3);
    const plot::ChartView before = f.widget.view();
    f.chart = times_of(*many_kernels(60).shown);
    ++f.key;
    f.driver.settle();
    CHECK(f.widget.view() == before);
}

TEST_CASE("saving as SVG asks for a file, and writes the picture that was seen when it was asked") {
    ChartStage f;
    f.options.file_name = "matmul times";
    f.driver.click("chart/more");
    f.driver.click("chart/save_svg");
    REQUIRE(f.commands.size() == 1);
    const auto& dialog = std::get<command::OpenDialog>(f.commands.front());
    CHECK(dialog.name == "matmul-times.svg");
    FolderListing listing;
    listing.purpose = dialog.purpose;
    listing.extensions = dialog.extensions;
    listing.name = dialog.name;
    CHECK(f.pending.is_for(listing));
    listing.extensions = {".json"};
    CHECK_FALSE(f.pending.is_for(listing));
    f.chart = plot::Chart();  // another run has replaced it
    f.pending.finish("/tmp/picture.svg", f.commands);
    const auto& bytes = std::get<command::ExportBytes>(f.commands.back());
    CHECK(bytes.path == "/tmp/picture.svg");
    CHECK(bytes.bytes.find("<svg") != std::string::npos);
    CHECK(bytes.bytes.find("register-blocked") != std::string::npos);
    const std::size_t given = f.commands.size();
    f.pending.finish("/tmp/again", f.commands);  // no save is pending any more
    CHECK(f.commands.size() == given);
}

TEST_CASE("a chart is copied as text: as SVG, or as a table without the hidden series") {
    ChartStage f;
    f.driver.click("chart/more");
    f.driver.click("chart/copy_svg");
    const std::string picture = ImGui::GetClipboardText();
    CHECK(picture.find("<svg") != std::string::npos);
    CHECK(picture.find("register-blocked") != std::string::npos);
    f.driver.click("chart/more");
    f.driver.click("chart/copy_table");
    const std::string table = ImGui::GetClipboardText();
    CHECK(table.starts_with("name\ttime of one run [ms]\t"));
    CHECK(table.find("\nnaive\t182") != std::string::npos);
    f.show_rounds();
    f.driver.click("chart/legend/naive");
    f.driver.click("chart/more");
    f.driver.click("chart/copy_table");
    const std::string rounds = ImGui::GetClipboardText();
    CHECK(rounds.find("naive") == std::string::npos);
    CHECK(rounds.find("vector4 [%]") != std::string::npos);
    CHECK(f.commands.empty());
}

TEST_CASE("a chart is copied as a picture, and where that fails a sentence says why") {
    ChartStage f;
    std::string copied;
    f.exports = ChartExports(
        f.pending, [](const ChartPicture& picture) { return "PNG of " + picture.chart.title; },
        [&](std::string png) {
            copied = std::move(png);
            return std::string(copied.ends_with("nothing") ? "There is no clipboard." : "");
        });
    f.driver.click("chart/more");
    f.driver.click("chart/copy_picture");
    CHECK(copied == "PNG of " + f.chart.title);
    CHECK(f.commands.empty());
    f.chart.title = "nothing";
    f.driver.click("chart/more");
    f.driver.click("chart/copy_picture");
    REQUIRE(f.commands.size() == 1);
    CHECK(std::get<command::Tell>(f.commands[0]).sentence == "There is no clipboard.");
    f.exports = ChartExports(f.pending);
    f.driver.click("chart/more");
    CHECK_FALSE(f.driver.at("chart/copy_picture").enabled);
}

TEST_CASE("pointing at a bar or at a name lights up its kernel, and nothing else does") {
    ChartStage f;
    Hovered hovered;
    f.options.hovered = &hovered;
    const auto lit = [&] {
        hovered.end_frame();
        f.driver.pump();
        hovered.end_frame();
        return hovered.lit();
    };
    const auto lit_at = [&](plot::Point at) {
        const ImRect chart = f.driver.at("chart").full;
        f.driver.hover("chart", static_cast<double>(at.x / chart.GetWidth()),
                       static_cast<double>(at.y / chart.GetHeight()));
        return lit();
    };
    for (const std::size_t i : {0u, 5u}) CHECK(lit_at(f.widget.layout().bars[i].rect.center()) == i);
    CHECK(lit_at({f.widget.layout().plot.right() - 3, f.widget.layout().plot.bottom() - 3}) == std::nullopt);
    f.show_rounds();
    const plot::LegendEntry& entry = f.widget.layout().legend.at(3);
    CHECK(lit_at(entry.rect.center()) == entry.color_slot);
    f.driver.park_pointer();
    CHECK_FALSE(lit());
}

TEST_CASE("without something that renders, PNG is greyed out") {
    ChartStage f;
    f.driver.click("chart/more");
    CHECK_FALSE(f.driver.at("chart/save_png").enabled);
    CHECK(f.driver.at("chart/save_svg").enabled);
}

TEST_CASE("the button in the corner covers nothing, however long the title is") {
    ChartStage f;
    f.chart.title =
        "A title that is so long that it would go on below the button in the upper right corner, "
        "were it not for the room that is made";
    f.chart.subtitle = "and a subtitle behind it";
    ++f.key;
    f.driver.settle();
    const ImRect button = f.driver.at("chart/more").full, chart = f.driver.at("chart").full;
    const plot::Rect inside = {button.Min.x - chart.Min.x, button.Min.y - chart.Min.y, button.GetWidth(),
                               button.GetHeight()};
    for (const plot::PlacedText& text : f.widget.layout().texts) CHECK_FALSE(text.box.overlaps(inside));
    for (const std::string& fault : check_layout(f.stage.look().probes(), 1000, 700)) FAIL_CHECK(fault);
}

TEST_CASE("a chart too small to see draws nothing and harms nothing") {
    ChartStage f;
    f.stage.resize(40, 30);
    f.driver.settle();
    f.stage.resize(300, 200);
    f.driver.settle();
    CHECK(f.driver.has("chart"));
}

TEST_CASE("file names are made of letters, digits and hyphens") {
    CHECK(file_name_of("matmul: Speed-up, 1024") == "matmul-Speed-up-1024");
    CHECK(file_name_of("../..") == "chart");
    CHECK(file_name_of("") == "chart");
}

}  // namespace
}  // namespace kwb::test
