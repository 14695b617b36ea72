// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "plot/count_map.hpp"

using namespace kwb::plot;

TEST_CASE("counts differ from none and from each other, whatever the largest is") {
    const Theme& theme = dark_theme();
    CHECK(count_color(0, 1000, 0, theme) == theme.grid);
    CHECK(count_color(1, 1000, 0, theme) != theme.grid);
    CHECK(count_color(1, 1, 0, theme) == theme.series_color(0));
    CHECK(count_color(1000, 1000, 0, theme) == theme.series_color(0));
    CHECK(count_color(2, 1000, 0, theme) != count_color(1, 1000, 0, theme));
    CHECK(count_color(5, 4, 0, theme) == theme.series_color(0));
}

TEST_CASE("the cell under a point is the one drawn there, at the edges too") {
    const Rect area{10, 20, 64, 32};
    for (std::size_t cell = 0; cell < 8 * 16; ++cell)
        CHECK(cell_at(area, 8, 16, cell_rect(area, 8, 16, cell).center()) == cell);
    CHECK(cell_at(area, 8, 16, {74, 52}) == 8 * 16 - 1);
    CHECK(cell_at(area, 8, 16, {75, 30}) == std::nullopt);
    CHECK(cell_at(area, 0, 0, {20, 30}) == std::nullopt);
}

TEST_CASE("a map keeps the shape of its cells as far as it can be seen") {
    const Size square = count_map_size(64, 64, {200, 100});
    CHECK(square.width == square.height);
    CHECK(square.height == 100);
    const Size line = count_map_size(1, 64, {200, 100});
    CHECK(line.width == 200);
    CHECK(line.height >= 12);
}

TEST_CASE("pictures with the same key have the same pixels") {
    const CountMap one{2, 2, {0, 1, 2, 3}, 3, 0};
    CountMap other = one;
    CHECK(count_picture(one, dark_theme()).key == count_picture(other, dark_theme()).key);
    CHECK(count_picture(one, dark_theme()).key != count_picture(one, light_theme()).key);
    other.most = 4;
    CHECK(count_picture(one, dark_theme()).key != count_picture(other, dark_theme()).key);
    other = one;
    other.counts[0] = 1;
    CHECK(count_picture(one, dark_theme()).key != count_picture(other, dark_theme()).key);
    CHECK(count_picture(one, dark_theme()).pixels().size() == 4);
}

TEST_CASE("a map in a page has its title and its largest count") {
    const std::string svg = count_map_svg({2, 2, {0, 1, 2, 321}, 321, 0}, "A: loads", 200, false);
    CHECK(svg.find("A: loads") != std::string::npos);
    CHECK(svg.find("321") != std::string::npos);
    CHECK(svg.find("data:image/png") != std::string::npos);
}
