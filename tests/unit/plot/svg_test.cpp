#include "plot/svg_canvas.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "plot/draw.hpp"
#include "plot/png.hpp"
#include "sample_charts.hpp"
#include "support/xml_check.hpp"

namespace kwb::plot {
namespace {

using kwb::test::find_xml_fault;

std::size_t count(std::string_view text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

TEST_CASE("the check of XML finds what is wrong") {
    CHECK(find_xml_fault("<a><b x=\"1\"/>text</a>\n").empty());
    for (const char* bad : {"", "<a>", "<a></b>", "<a x=1/>", "<a x=\"1\" x=\"2\"/>", "<a>&nbsp;</a>",
                            "<a>\x01</a>", "<a/><b/>", "<a>x & y</a>", "x<a/>", "<a x=\"<\"/>"}) {
        CAPTURE(bad);
        CHECK_FALSE(find_xml_fault(bad).empty());
    }
}

TEST_CASE("every chart is well-formed, in both themes and at several sizes") {
    for (const auto& [name, chart] : test::sample_charts())
        for (const Size size : {Size{220, 140}, Size{700, 400}})
            for (const bool dark : {false, true}) {
                CAPTURE(name);
                const std::string svg = render_svg(chart, {.size = size, .dark = dark});
                CHECK(find_xml_fault(svg) == "");
                CHECK(count(svg, "\"nan") + count(svg, " nan") + count(svg, "inf\"") == 0);
                CHECK(count(svg, " id=") == 0);
                CHECK(count(svg, "aria-label=") == 1);
            }
}

TEST_CASE("a bar chart has a rectangle a bar and a dot a sample") {
    const std::string svg = render_svg(test::time_bars(5, 10), {.size = {700, 400}});
    CHECK(count(svg, "rx=\"3\"") == 4);
    CHECK(count(svg, "<circle") == 40);
    CHECK(count(svg, ">wrong</text>") == 1);
    CHECK(count(svg, "rotate(-90)") == 0);
    CHECK(count(render_svg(test::sweep_lines(2)), "rotate(-90)") == 1);
}

TEST_CASE("names may hold anything") {
    Chart chart = test::sweep_lines(2);
    chart.title = "<script>alert('&\"')</script> \x01 \xFF \xEF\xBF\xBF größer";
    chart.series[0].name = "]]> & \n tab\t";
    const std::string svg = render_svg(chart);
    CHECK(find_xml_fault(svg) == "");
    CHECK(svg.find("<script") == std::string::npos);
    CHECK(svg.find("größer") != std::string::npos);
}

TEST_CASE("clips that were left open are closed, and a pop too many does no harm") {
    SvgCanvas canvas({100, 100});
    canvas.push_clip({0, 0, 50, 50});
    canvas.push_clip({0, 0, 0, 0});
    CHECK(find_xml_fault(canvas.finish()) == "");
    canvas.pop_clip();
    canvas.pop_clip();
    canvas.pop_clip();
    CHECK(find_xml_fault(canvas.finish()) == "");
}

TEST_CASE("coordinates that are no numbers draw nothing") {
    SvgCanvas canvas({100, 100});
    const std::string before = canvas.finish();
    const std::vector<Point> points = {{1, 2}, {NAN, 3}};
    canvas.line({NAN, 0}, {1, 1}, {});
    canvas.polyline(points, {});
    canvas.fill_polygon(points, {});
    canvas.fill_rect({0, 0, HUGE_VALF, 1}, {});
    canvas.stroke_circle({0, NAN}, 2, {});
    canvas.text({NAN, 0}, "x", {}, {}, {});
    CHECK(canvas.finish() == before);
}

TEST_CASE("pictures are embedded as PNG and enlarged by a whole number") {
    SvgCanvas canvas({100, 100});
    canvas.image({1, 3, 2, [] { return std::vector<Color>(6, rgb(0x123456)); }}, {0, 0, 30, 20});
    const std::string svg = canvas.finish();
    CHECK(find_xml_fault(svg) == "");
    CHECK(svg.find("data:image/png;base64,iVBORw0KGgo") != std::string::npos);
    const std::vector<Color> pixels = {rgb(1), rgb(2)};
    CHECK(enlarged(pixels, 2, 1, 2) ==
          std::vector<Color>{rgb(1), rgb(1), rgb(2), rgb(2), rgb(1), rgb(1), rgb(2), rgb(2)});
    CHECK_THROWS_AS(encode_png(pixels, 3, 1), ContractError);
    CHECK_THROWS_AS(encode_png({}, 0, 0), ContractError);
}

TEST_CASE("a PNG says its size") {
    const std::string png = encode_png(std::vector<Color>(300 * 2), 300, 2);
    CHECK(png.substr(1, 3) == "PNG");
    CHECK(static_cast<unsigned char>(png[18]) == 1);
    CHECK(static_cast<unsigned char>(png[19]) == 44);
    CHECK(static_cast<unsigned char>(png[23]) == 2);
}

TEST_CASE("base64 of the standard's examples") {
    // RFC 4648, section 10.
    CHECK(base64("") == "");
    CHECK(base64("f") == "Zg==");
    CHECK(base64("fo") == "Zm8=");
    CHECK(base64("foobar") == "Zm9vYmFy");
}

TEST_CASE("wider letters, more letters and bold ones are wider") {
    CHECK(average_text_width_em("iii", false) < average_text_width_em("mmm", false));
    CHECK(average_text_width_em("ab", false) < average_text_width_em("ab", true));
    CHECK(average_text_width_em("ä", false) == doctest::Approx(0.64));
    CHECK(average_text_width_em("", false) == 0);
    CHECK(average_text_width_em("\xFF\xC3", false) >= 0);
}

}  // namespace
}  // namespace kwb::plot
