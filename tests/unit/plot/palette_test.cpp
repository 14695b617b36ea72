// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "plot/count_map.hpp"
#include "plot/palette.hpp"

// --- plot/palette.hpp ---

namespace kwb::plot {
namespace {

using Vec = std::array<double, 3>;
using Matrix = std::array<Vec, 3>;

Vec linear(Color color) {
    const auto channel = [](std::uint8_t byte) {
        const double c = byte / 255.0;
        return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    };
    return {channel(color.r), channel(color.g), channel(color.b)};
}

/// Contrast ratio of relative luminances, 1 … 21. Source: WCAG 2.1, "contrast ratio".
double contrast(Color a, Color b) {
    const auto luminance = [](Color color) {
        const Vec light = linear(color);
        return 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
    };
    const auto [darker, lighter] = std::minmax({luminance(a), luminance(b)});
    return (lighter + 0.05) / (darker + 0.05);
}

/// CIELAB 1976, white point D65.
Vec lab(const Vec& rgb) {
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = f((0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.9505);
    const double y = f(0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]);
    const double z = f((0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.089);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

double distance(const Vec& a, const Vec& b) {
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

Vec seen(const Matrix& sight, const Vec& rgb) {
    Vec result{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t j = 0; j < 3; ++j) result[i] += sight[i][j] * rgb[j];
        result[i] = std::min(1.0, std::max(0.0, result[i]));
    }
    return result;
}

/// Full dichromacy. Source: Machado, Oliveira and Fernandes, "A physiologically-based model for simulation of
/// color vision deficiency", IEEE Transactions on Visualization and Computer Graphics 15, 2009, table of
/// severity 1.0.
constexpr Matrix kNormal = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
constexpr Matrix kProtanopia = {
    {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix kDeuteranopia = {
    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix kTritanopia = {
    {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
constexpr std::array<Matrix, 4> kSights = {kNormal, kProtanopia, kDeuteranopia, kTritanopia};

TEST_CASE("every two series can be told apart, with and without full colour vision") {
    for (const Theme* theme : {&light_theme(), &dark_theme()})
        for (const Matrix& sight : kSights)
            for (std::size_t i = 0; i < kSeriesColors; ++i)
                for (std::size_t j = 0; j < i; ++j) {
                    CAPTURE(theme->dark);
                    CAPTURE(i);
                    CAPTURE(j);
                    CHECK(distance(lab(seen(sight, linear(theme->series[i]))),
                                   lab(seen(sight, linear(theme->series[j])))) >= 13);
                }
}

TEST_CASE("the colours of verdicts can be told apart, with and without full colour vision") {
    for (const Theme* theme : {&light_theme(), &dark_theme()})
        for (const Matrix& sight : kSights) {
            const Color meanings[] = {theme->good, theme->bad, theme->undefined, theme->warning,
                                      theme->accent};
            for (const Color& one : meanings)
                for (const Color& other : meanings) {
                    CAPTURE(theme->dark);
                    if (&one < &other)
                        CHECK(distance(lab(seen(sight, linear(one))), lab(seen(sight, linear(other)))) >= 13);
                }
        }
}

TEST_CASE("non-contestants have a colour unlike any series, also with colour vision deficiency") {
    for (const Theme* theme : {&light_theme(), &dark_theme()})
        for (const Matrix& sight : kSights)
            for (const Color color : theme->series)
                CHECK(distance(lab(seen(sight, linear(theme->series_color(kNeutralSlot)))),
                               lab(seen(sight, linear(color)))) >= 13);
    CHECK(series_dashes(kNeutralSlot).empty());
}

TEST_CASE("series, texts and muted texts have the contrast that WCAG asks for") {
    CHECK(contrast(rgb(0xFFFFFF), rgb(0x000000)) == doctest::Approx(21));
    for (const Theme* theme : {&light_theme(), &dark_theme()})
        for (const Color ground : {theme->background, theme->panel}) {
            CAPTURE(theme->dark);
            for (const Color color : theme->series) CHECK(contrast(color, ground) >= 3);
            CHECK(contrast(theme->text, ground) >= 7);
            CHECK(contrast(theme->muted, ground) >= 4.5);
            for (const Color color :
                 {theme->good, theme->bad, theme->undefined, theme->warning, theme->accent})
                CHECK(contrast(color, ground) >= 4.5);
        }
}

TEST_CASE("the bound is a border in the error map: the step there is larger than anywhere else") {
    const ErrorColors map = error_colors(1e-4, 100);
    for (const Matrix& sight : kSights) {
        const auto look = [&](double value) { return lab(seen(sight, linear(map.at(value)))); };
        const double border = distance(look(1), look(1.0001));
        CHECK(border > 30);
        for (double value = 1e-4; value < 90; value *= 1.05)
            if (value * 1.05 <= 1 || value > 1) CHECK(distance(look(value), look(value * 1.05)) < border / 2);
    }
}

TEST_CASE("infinity and what is no number have colours of their own") {
    const ErrorColors map = error_colors(1e-3, 10);
    CHECK(map.at(HUGE_VAL) == kInfinityColor);
    CHECK(map.at(std::nan("")) == kNanColor);
    for (double value = 0; value < 10; value += 0.01) {
        CHECK(distance(lab(linear(map.at(value))), lab(linear(kInfinityColor))) > 20);
        CHECK(distance(lab(linear(map.at(value))), lab(linear(kNanColor))) > 12);
    }
}

TEST_CASE("error colours hold their values and the bound, and their range is never empty") {
    for (const double low : {0.0, 1e-30, 1e-3, 1.0, 7.0, 1e20})
        for (const double high : {low, low * 3, low + 1e6}) {
            const ErrorColors map = error_colors(low, high);
            CHECK(map.range.low < map.range.high);
            CHECK(map.range.contains(1));
            CHECK(map.at(low).a == 255);
        }
    // Values beyond the range are clamped.
    const ErrorColors map = error_colors(1e-3, 100);
    CHECK(map.at(0) == map.at(1e-3));
    CHECK(map.at(1e9) == map.at(100));
}

TEST_CASE("slots beyond the colours repeat them with other dashes") {
    const Theme& theme = dark_theme();
    CHECK(theme.series_color(9) == theme.series_color(1));
    CHECK(series_dashes(1).empty());
    CHECK_FALSE(series_dashes(9).empty());
    CHECK(series_marker(3) != series_marker(4));
}

}  // namespace
}  // namespace kwb::plot

// --- plot/count_map.hpp ---

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
