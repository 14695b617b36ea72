// SPDX-License-Identifier: Apache-2.0
// Fonts, scale and colours.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/file.hpp"
#include "gui/bare_shell.hpp"
#include "gui/contrast.hpp"
#include "gui/fonts.hpp"
#include "gui/stage.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;
namespace fs = std::filesystem;

/// Non-ASCII characters that the window uses.
constexpr unsigned kSigns[] = {U'\u00d7', U'\u00b2', U'\u00b3', U'\u00b5', U'\u00b1', U'\u00b7',
                               U'\u00e4', U'\u00df', U'\u2026', U'\u2013', U'\u2014', U'\u2212',
                               U'\u2264', U'\u2265', U'\u2248', U'\u2190', U'\u2191', U'\u2192',
                               U'\u2193', U'\u2070', U'\u2078', U'\u207b', U'\u03b1', U'\u201c'};

std::string hex(unsigned code_point) {
    std::string text = "U+";
    for (int shift = 12; shift >= 0; shift -= 4) text += "0123456789ABCDEF"[code_point >> shift & 15];
    return text;
}

TEST_CASE("every text has a contrast of 4.5 : 1 on every ground, in both themes") {
    for (const kwb::gui::Theme theme : {kwb::gui::Theme::Dark, kwb::gui::Theme::Light}) {
        const Palette& p = palette(theme);
        CAPTURE(theme == kwb::gui::Theme::Dark);
        const std::pair<const char*, Color> texts[] = {{"text", p.text},           {"muted", p.text_muted},
                                                       {"accent", p.accent_text},  {"danger", p.danger},
                                                       {"undefined", p.undefined}, {"warning", p.warning},
                                                       {"success", p.success}};
        const std::pair<const char*, Color> grounds[] = {
            {"window", p.window}, {"surface", p.surface}, {"raised", p.raised}, {"popup", p.popup}};
        for (const auto& [text_name, text_color] : texts)
            for (const auto& [ground_name, ground] : grounds) {
                const auto& shown_text_name = text_name;
                CAPTURE(shown_text_name);
                const auto& shown_ground_name = ground_name;
                CAPTURE(shown_ground_name);
                CHECK(contrast_ratio(text_color, ground) >= 4.5);
            }
        for (const Color accent : {p.accent, p.accent_hovered, p.accent_active})
            CHECK(contrast_ratio(p.on_accent, accent) >= 4.5);
        for (const Color ground : {p.raised_hovered, p.raised_active, p.selection})
            CHECK(contrast_ratio(p.text, ground) >= 4.5);
        for (const Color ground : {p.raised_hovered, p.selection})
            CHECK(contrast_ratio(p.text_muted, ground) >= 4.5);
        CHECK(contrast_ratio(p.danger, p.danger_tint) >= 4.5);
        CHECK(contrast_ratio(p.undefined, p.undefined_tint) >= 4.5);
        CHECK(contrast_ratio(p.warning, p.warning_tint) >= 4.5);
        CHECK(contrast_ratio(p.success, p.success_tint) >= 4.5);
        for (const Color ground : {p.danger_tint, p.undefined_tint, p.warning_tint, p.success_tint}) {
            CHECK(contrast_ratio(p.text, ground) >= 4.5);
            CHECK(contrast_ratio(p.text_muted, ground) >= 4.5);
        }
        for (const Color ground : {p.window, p.surface, p.raised})
            CHECK(contrast_ratio(p.focus_ring, ground) >= 3);
        for (const Color ground : {p.surface, p.raised})
            CHECK(contrast_ratio(p.text_disabled, ground) >= 2.5);
    }
}

/// CIELAB 1976, white point D65, of what an eye sees. The eyes and the steps are those of
/// tests/unit/plot/palette_test.cpp.
std::array<double, 3> seen(const double (&sight)[3][3], Color color) {
    double light[3] = {}, rgb[3] = {};
    for (int i = 0; i < 3; ++i) {
        const double channel = (color.rgb >> (16 - 8 * i) & 0xff) / 255.0;
        light[i] = channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    }
    for (int i = 0; i < 3; ++i)
        rgb[i] =
            std::clamp(sight[i][0] * light[0] + sight[i][1] * light[1] + sight[i][2] * light[2], 0.0, 1.0);
    const auto f = [](double t) { return t > 0.008856 ? std::cbrt(t) : 7.787 * t + 16.0 / 116; };
    const double x = f((0.4124 * rgb[0] + 0.3576 * rgb[1] + 0.1805 * rgb[2]) / 0.9505);
    const double y = f(0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]);
    const double z = f((0.0193 * rgb[0] + 0.1192 * rgb[1] + 0.9505 * rgb[2]) / 1.089);
    return {116 * y - 16, 500 * (x - y), 200 * (y - z)};
}

TEST_CASE("comments and errors in a source look like nothing else, with and without full colour vision") {
    // Other kinds of words are told apart by the words themselves, but a word looks the same in a comment.
    using editor::SpanKind;
    constexpr double kSights[4][3][3] = {
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
        {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
        {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
        {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}}};
    for (const kwb::gui::Theme theme : {kwb::gui::Theme::Dark, kwb::gui::Theme::Light})
        for (const auto& sight : kSights)
            for (const SpanKind one : {SpanKind::Comment, SpanKind::Error})
                for (int kind = 0; kind <= static_cast<int>(SpanKind::Error); ++kind) {
                    if (kind == static_cast<int>(one)) continue;
                    CAPTURE(kind);
                    CAPTURE(theme == kwb::gui::Theme::Dark);
                    const auto& colors = palette(theme).source;
                    const auto a = seen(sight, {colors[static_cast<std::size_t>(one)]});
                    const auto b = seen(sight, {colors[static_cast<std::size_t>(kind)]});
                    CHECK(std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]) >= 13);
                }
}

TEST_CASE("all colours of the window stand in one table") {
    const fs::path sources = KWB_GUI_SOURCES;
    const auto is_color = [](const std::string& text, std::size_t at) {
        std::size_t digits = 0;
        while (at + 2 + digits < text.size() &&
               std::isxdigit(static_cast<unsigned char>(text[at + 2 + digits])))
            ++digits;
        return digits == 6;
    };
    std::size_t in_table = 0;
    for (const auto& entry : fs::recursive_directory_iterator(sources)) {
        // The program's icon is a picture.
        if (entry.path().extension() != ".cpp" || entry.path().filename() == "gl_pictures.cpp") continue;
        const std::string text = read_file(entry.path());
        for (std::size_t at = text.find("0x"); at != std::string::npos; at = text.find("0x", at + 2)) {
            if (!is_color(text, at)) continue;
            CAPTURE(entry.path().string());
            CAPTURE(text.substr(at, 8));
            if (entry.path().filename() == "look.cpp")
                ++in_table;
            else
                CHECK(false);
        }
    }
    CHECK(in_table > 40);
}

TEST_CASE("the contrast of black and white is 21, of a color and itself 1") {
    CHECK(contrast_ratio({0x000000}, {0xffffff}) == doctest::Approx(21));
    CHECK(contrast_ratio({0x336699}, {0x336699}) == doctest::Approx(1));
    // 4.54 : 1; the lightest grey on white that meets WCAG AA.
    CHECK(contrast_ratio({0x767676}, {0xffffff}) == doctest::Approx(4.54).epsilon(0.002));
}

TEST_CASE("distances are whole pixels at every scale, and never vanish") {
    for (const float scale : {0.75f, 1.0f, 1.1f, 1.5f, 2.5f}) {
        const Tokens tokens = scaled(Tokens{}, scale);
        CHECK(tokens.gap == std::round(tokens.gap));
        CHECK(tokens.border >= 1);
    }
    CHECK(scaled(Tokens{}, 2).gap == 2 * Tokens{}.gap);
}

TEST_CASE("every sign and every icon that the window shows has a picture") {
    WindowlessStage stage;
    const Fonts& fonts = stage.look().fonts();
    REQUIRE(fonts.has_icons);
    CHECK(fonts.missing.empty());
    for (const unsigned sign : kSigns) {
        CAPTURE(hex(sign));
        for (const ImFont* font : {fonts.body, fonts.strong, fonts.title, fonts.small, fonts.mono})
            CHECK(compat::has_glyph(*font, sign));
    }
    for (const unsigned icon : kIconCodePoints) {
        CAPTURE(hex(icon));
        CHECK(compat::has_glyph(*fonts.body, icon));
        CHECK(compat::has_glyph(*fonts.strong, icon));
    }
}

TEST_CASE(
    "every character of every shipped kernel and of what explains it has a picture in the source's font") {
    WindowlessStage stage;
    const ImFont& mono = *stage.look().fonts().mono;
    const fs::path project = fs::path(KWB_GUI_SOURCES).parent_path().parent_path();
    std::size_t files = 0;
    for (const fs::path& folder : {project / "kernels", project / "docs", project / "README.md"}) {
        std::vector<fs::path> texts = {folder};
        if (fs::is_directory(folder)) {
            texts.clear();
            for (const auto& entry : fs::recursive_directory_iterator(folder)) texts.push_back(entry.path());
        }
        for (const fs::path& text : texts) {
            if (text.extension() != ".cl" && text.extension() != ".h" && text.extension() != ".md") continue;
            ++files;
            CAPTURE(text.string());
            const std::string bytes = read_file(text);
            for (std::size_t at = 0; at < bytes.size();) {
                unsigned code_point = 0;
                const int length = ImTextCharFromUtf8(&code_point, &bytes[at], bytes.data() + bytes.size());
                at += static_cast<std::size_t>(std::max(1, length));
                if (code_point < 0x80) continue;
                CAPTURE(hex(code_point));
                CHECK(compat::has_glyph(mono, code_point));
            }
        }
    }
    CHECK(files >= 3);
    // Characters that users may type: polytonic and monotonic Greek, Cyrillic, box drawing.
    for (const unsigned sign : {0x2016u, 0x3ccu, 0x3ceu, 0x1f71u, 0x416u, 0x2502u, 0x2588u, 0x2225u, 0x20acu})
        CHECK(compat::has_glyph(mono, sign));
}

TEST_CASE("source is set in characters of one width") {
    WindowlessStage stage;
    ImFont& mono = *stage.look().fonts().mono;
    const auto width = [&](const char* text) {
        return compat::text_size(mono, compat::size_of(mono), text, text + std::string(text).size()).x;
    };
    CHECK(width("iiii") == width("WWWW"));
}

TEST_CASE("a new scale reloads the fonts between frames, within its limits") {
    WindowlessStage stage;
    BareShell shell;
    Look& current = stage.look();
    stage.draw(shell);
    CHECK(compat::size_of(*current.fonts().body) == 14);
    current.set_scale(2);
    CHECK(compat::size_of(*current.fonts().body) == 14);
    stage.draw(shell);
    CHECK(compat::size_of(*current.fonts().body) == 28);
    CHECK(current.tokens().gap == 24);
    current.set_content_scale(1.5f);
    stage.draw(shell);
    CHECK(compat::size_of(*current.fonts().body) == 42);
    current.set_scale(100);
    CHECK(current.scale() == kMostScale);
    current.set_scale(0);
    CHECK(current.scale() == kLeastScale);
    current.set_scale(std::nanf(""));
    CHECK(current.scale() == 1);
}

TEST_CASE("texts have four sizes, and distances are multiples of one unit") {
    WindowlessStage stage;
    const Fonts& fonts = stage.look().fonts();
    for (ImFont* const font :
         {fonts.small, fonts.body, fonts.strong, fonts.mono, fonts.title, fonts.headline}) {
        const float size = compat::size_of(*font);
        CAPTURE(size);
        CHECK((size == 12 || size == 14 || size == 18 || size == 28));
    }
    const Tokens& tokens = stage.look().tokens();
    for (const float length :
         {tokens.hair, tokens.gap_small, tokens.gap, tokens.gap_large, tokens.rounding_card,
          tokens.heading_height, tokens.status_height, tokens.scrollbar, tokens.grip, tokens.icon_gap,
          compat::size_of(*fonts.body) + 2 * tokens.control_padding_y})
        CHECK(std::fmod(length, 4) == 0);
}

TEST_CASE("increasing and decreasing the scale go through the same steps") {
    WindowlessStage stage;
    Look& current = stage.look();
    for (int i = 0; i < 20; ++i) current.step_scale(+1);
    CHECK(current.scale() == kMostScale);
    for (int i = 0; i < 20; ++i) current.step_scale(-1);
    CHECK(current.scale() == kLeastScale);
    current.step_scale(+1);
    current.step_scale(+1);
    CHECK(current.scale() == 1);
}

TEST_CASE("without any font file everything is drawn all the same, without icons") {
    WindowlessStage stage(800, 600, {.fonts = {}});
    BareShell shell;
    stage.draw(shell);
    stage.draw(shell);
    const Fonts& fonts = stage.look().fonts();
    CHECK_FALSE(fonts.has_icons);
    CHECK(fonts.missing.size() == 3);
    CHECK(with_icon(kIconPlay, "Run") == "Run");
    CHECK(stage.look().probes().find("shell/theme") != nullptr);
}

TEST_CASE("a font file that is damaged is passed over") {
    const fs::path damaged = fs::temp_directory_path() / "kwb-damaged-font.ttf";
    const fs::path sound = debian_font_files().regular.front();
    REQUIRE(fs::is_regular_file(sound));
    SUBCASE("cut in the middle") {
        fs::copy_file(sound, damaged, fs::copy_options::overwrite_existing);
        fs::resize_file(damaged, fs::file_size(sound) / 2);
    }
    SUBCASE("empty") {
        std::ofstream(damaged).flush();
    }
    SUBCASE("something else") {
        std::ofstream(damaged) << "not a font at all, but long enough for a header";
    }
    {
        FontFiles files = debian_font_files();
        files.regular = {damaged, sound};
        const WindowlessStage stage(800, 600, {.fonts = files});
        files.regular = {damaged};
        WindowlessStage other(800, 600, {.fonts = files});
        CHECK(other.look().fonts().missing.size() == 1);
    }
    fs::remove(damaged);
}

TEST_CASE("there is no look without a context") {
    CHECK_THROWS_AS(gui::look(), ContractError);
}

}  // namespace
}  // namespace kwb::test
