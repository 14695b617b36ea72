// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/file.hpp"
#include "gui/arrangement.hpp"
#include "gui/bare_shell.hpp"
#include "gui/dialogs/modal.hpp"
#include "gui/draw_list_canvas.hpp"
#include "gui/fields.hpp"
#include "gui/gui_driver.hpp"
#include "gui/keys.hpp"
#include "gui/sketch.hpp"
#include "gui/stage.hpp"

namespace kwb::test {
namespace {

using namespace kwb::gui;

// The frame of the main window, tested without a window.

TEST_CASE("nothing overlaps, is cut or outside, at every size, scale and theme") {
    WindowlessStage stage;
    BareShell shell;
    GuiDriver driver(stage, shell);
    const std::pair<int, int> sizes[] = {{1024, 640}, {1600, 1000}, {2400, 1500}};
    for (const auto& [width, height] : sizes)
        for (const float scale : {0.75f, 1.0f, 1.5f, 2.5f})
            for (const kwb::gui::Theme theme : {kwb::gui::Theme::Dark, kwb::gui::Theme::Light}) {
                stage.resize(width, height);
                stage.look().set_scale(scale);
                stage.look().set_theme(theme);
                driver.settle();
                const auto& shown_width = width;
                CAPTURE(shown_width);
                CAPTURE(scale);
                CHECK(stage.look().probes().all().size() >= 5);
                for (const std::string& fault : check_layout(stage.look().probes(), static_cast<float>(width),
                                                             static_cast<float>(height)))
                    FAIL_CHECK(fault);
            }
}

TEST_CASE("what is typed right after Tab is in the field that Tab leads to") {
    struct Fields : BareShell {
        std::string texts[2];
        void draw_body() override {
            text_field("first", texts[0], {});
            text_field("second", texts[1], {});
        }
    } shell;
    WindowlessStage stage;
    GuiDriver driver(stage, shell);
    driver.click("first");
    driver.type("1");
    // A key in each frame, as in a busy window, and all in the same.
    for (const int frames : {0, 1}) {
        shell.texts[1].clear();
        inject_key(Key::Tab, true);
        driver.pump(1);
        inject_key(Key::Tab, false);
        for (const char digit : {'2', '3', '4'}) {
            inject_character(static_cast<unsigned>(digit));
            driver.pump(frames);
        }
        driver.settle();
        CHECK(shell.texts[0] == "1");
        CHECK(shell.texts[1] == "234");
        driver.key(shift(Key::Tab));
        driver.settle();
    }
}

TEST_CASE("the theme is switched by its button, which then offers the other one") {
    WindowlessStage stage;
    BareShell shell;
    GuiDriver driver(stage, shell);
    CHECK(driver.at("shell/theme").label.ends_with("Light theme"));
    driver.click("shell/theme");
    CHECK(stage.look().theme() == kwb::gui::Theme::Light);
    CHECK(driver.at("shell/theme").label.ends_with("Dark theme"));
}

TEST_CASE("Ctrl + and Ctrl − scale everything, Ctrl 0 goes back") {
    WindowlessStage stage;
    BareShell shell;
    GuiDriver driver(stage, shell);
    const float before = driver.at("shell/theme").full.GetHeight();
    driver.key(ctrl(Key::Equal));
    CHECK(stage.look().scale() == doctest::Approx(1.1));
    CHECK(driver.at("shell/version").label.starts_with("110 %"));
    driver.key(ctrl_shift(Key::Equal));  // how '+' is typed on a US keyboard
    driver.key(ctrl(Key::KeypadPlus));
    CHECK(stage.look().scale() == doctest::Approx(1.5));
    CHECK(driver.at("shell/theme").full.GetHeight() > before);
    driver.key(ctrl(Key::Minus));
    CHECK(stage.look().scale() == doctest::Approx(1.25));
    driver.key(ctrl(Key::Num0));
    CHECK(stage.look().scale() == 1);
    CHECK(driver.at("shell/theme").full.GetHeight() == before);
}

TEST_CASE("F11 asks the window for the full screen, Ctrl+Q ends") {
    int asked = 0;
    WindowlessStage stage;
    BareShell shell([&] { ++asked; });
    GuiDriver driver(stage, shell);
    driver.key(plain(Key::F11));
    CHECK(asked == 1);
    CHECK_FALSE(shell.wants_to_end());
    driver.key(ctrl(Key::Q));
    CHECK(shell.wants_to_end());
}

TEST_CASE("the button can be reached and pressed by keyboard") {
    WindowlessStage stage;
    BareShell shell;
    GuiDriver driver(stage, shell);
    driver.wait_until("the button has the keyboard", [&] {
        driver.key(plain(Key::Right));
        return driver.at("shell/theme").focused;
    });
    driver.key(plain(Key::Space));
    CHECK(stage.look().theme() == kwb::gui::Theme::Light);
}

// The list of keys is complete: it contains every key that the window handles, and F1 shows it.

namespace fs = std::filesystem;

/// Draws only the dialog of keys.
class KeysProgram : public Program {
public:
    void draw() override {
        Commands commands;
        dialog.draw(state_, commands);
    }
    KeysDialog dialog;

private:
    DeskState state_;
};

TEST_CASE("F1 lists each action with its key, and each gesture") {
    WindowlessStage stage;
    KeysProgram program;
    GuiDriver driver(stage, program);
    driver.key(plain(Key::F1));
    std::vector<std::pair<std::string, std::string>> rows;  // keys, description
    for (std::size_t row = 0; driver.has("keys/row/" + std::to_string(row) + "/keys"); ++row) {
        const std::string id = "keys/row/" + std::to_string(row);
        rows.emplace_back(driver.at(id + "/keys").label, driver.at(id + "/words").label);
    }
    const auto is_listed = [&](const std::string& keys, std::string_view words) {
        return std::any_of(rows.begin(), rows.end(), [&](const auto& row) {
            return row.first.starts_with(keys) && row.second == words;
        });
    };
    for (const KeyEntry& entry : key_table()) {
        CAPTURE(std::string(entry.words));
        CHECK(is_listed(keys_of(entry.action), entry.words));
    }
    for (const GestureEntry& entry : gesture_table()) {
        CAPTURE(std::string(entry.words));
        CHECK(is_listed(std::string(entry.gesture), entry.words));
    }
}

constexpr const char* kWordCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";

/// The displayed name of a key, from its name in the sources.
std::string read_name(const std::string& written) {
    if (written.size() == 1 || written.find_first_not_of("0123456789", 1) == std::string::npos)
        return written;
    static const std::map<std::string, std::string> kNames = {
        {"Slash", "/"},          {"Equal", "+"},        {"KeypadPlus", "+"},       {"Minus", "\u2212"},
        {"Left", "\u2190"},      {"Right", "\u2192"},   {"Up", "\u2191"},          {"Down", "\u2193"},
        {"Escape", "Esc"},       {"PageUp", "Page up"}, {"PageDown", "Page down"}, {"KeypadMinus", "\u2212"},
        {"KeypadEnter", "Enter"}};
    if (written.starts_with("Num")) return written.substr(3);
    const auto found = kNames.find(written);
    return found == kNames.end() ? written : found->second;
}

TEST_CASE("no key is handled anywhere in the window that the list of keys leaves out") {
    std::vector<std::string> listed;
    for (const KeyEntry& entry : key_table())
        for (const Chord& chord : entry.chords()) listed.push_back(to_string(chord));
    std::string gestures;
    for (const GestureEntry& entry : gesture_table()) gestures += std::string(entry.gesture) + "; ";

    std::size_t found = 0;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(KWB_GUI_SOURCES)) {
        const std::string name = entry.path().filename().string();
        if (entry.path().extension() != ".cpp" || name == "keys.cpp") continue;
        const std::string text = read_file(entry.path(), 1u << 20);
        constexpr std::string_view kBegin = "Key::";
        for (std::size_t at = text.find(kBegin); at != std::string::npos; at = text.find(kBegin, at + 1)) {
            if (at == 0 || std::string_view("({ ").find(text[at - 1]) == std::string_view::npos) continue;
            ++found;
            const std::size_t begin = at + kBegin.size(),
                              end = text.find_first_not_of(kWordCharacters, begin);
            const std::string key = read_name(text.substr(begin, end - begin));
            // Of plain(Key::X), ctrl(Key::X) …
            const std::size_t before = text.find_last_not_of(kWordCharacters, at - 2);
            const std::string maker = text[at - 1] == '(' ? text.substr(before + 1, at - 2 - before) : "";
            const std::string held = maker == "ctrl"         ? "Ctrl+"
                                     : maker == "ctrl_shift" ? "Ctrl+Shift+"
                                     : maker == "alt"        ? "Alt+"
                                     : maker == "shift"      ? "Shift+"
                                                             : "";
            CAPTURE(entry.path().string());
            CAPTURE(held + key);
            const bool is_caret_key = held.empty() || held == "Shift+";
            const bool is_gesture =
                is_caret_key && (gestures.find(key) != std::string::npos ||
                                 std::string("\u2190\u2192\u2191\u2193").find(key) != std::string::npos);
            CHECK((is_gesture || std::find(listed.begin(), listed.end(), held + key) != listed.end()));
        }
    }
    CHECK(found > 40);
}

TEST_CASE("each panel has its key") {
    CHECK(keys_of(focus_action(Panel::Experiment)) == "Ctrl+1");
    CHECK(keys_of(focus_action(Panel::History)) == "Ctrl+5");
    CHECK(keys_of(focus_action(Panel::Xray)) == "Ctrl+6");
    CHECK(keys_of(focus_action(Panel::Tune)) == "Ctrl+7");
    CHECK(keys_of(focus_action(Panel::Learn)) == "Ctrl+8");
    CHECK(keys_of(focus_action(Panel::Reasons)) == "Ctrl+9");
    for (const Panel panel : kAllPanels) CHECK(entry_of(focus_action(panel)).words == title_of(panel));
}

// Charts on ImGui's draw list, as far as this can be tested without pixels.

using gui::DrawListCanvas;

/// Call `draw` with a canvas at (50, 50) and its draw list, while the window is still open.
template <typename Draw>
void on_canvas(Draw draw) {
    WindowlessStage stage(800, 600);
    Sketch sketch([&] {
        ImDrawList& list = *ImGui::GetWindowDrawList();
        DrawListCanvas canvas(list, {50, 50});
        draw(canvas, list);
    });
    stage.draw(sketch);
}

plot::Rect bounds(const ImDrawList& list, int first) {
    plot::Point low{1e9f, 1e9f}, high{-1e9f, -1e9f};
    for (int i = first; i < list.VtxBuffer.Size; ++i) {
        const ImVec2 corner = list.VtxBuffer[i].pos;
        low = {std::min(low.x, corner.x), std::min(low.y, corner.y)};
        high = {std::max(high.x, corner.x), std::max(high.y, corner.y)};
    }
    return plot::rect_between(low, high);
}

TEST_CASE("a text covers the box that the canvas's rules give it, level and upright") {
    on_canvas([](DrawListCanvas& canvas, ImDrawList& list) {
        const plot::TextStyle style{.size_px = 12};
        for (const bool upright : {false, true})
            for (const plot::AlignX x : {plot::AlignX::Left, plot::AlignX::Center, plot::AlignX::Right})
                for (const plot::AlignY y : {plot::AlignY::Top, plot::AlignY::Middle, plot::AlignY::Bottom}) {
                    const plot::TextPlace place{x, y, upright};
                    const int first = list.VtxBuffer.Size;
                    canvas.text({200, 200}, "Eight words", style, plot::rgb(0), place);
                    REQUIRE(list.VtxBuffer.Size > first);
                    const float width = canvas.text_width("Eight words", style);
                    const plot::Rect box = plot::text_box({250, 250}, width, style, place);
                    CAPTURE(upright);
                    CAPTURE(static_cast<int>(x));
                    CAPTURE(static_cast<int>(y));
                    CHECK(box.holds(bounds(list, first), 2.5f));
                }
    });
}

TEST_CASE("an upright text beyond the clip of its level self is drawn all the same") {
    on_canvas([](DrawListCanvas& canvas, ImDrawList& list) {
        canvas.push_clip({0, 0, 20, 300});
        const int first = list.VtxBuffer.Size;
        canvas.text({2, 250}, "Time per run, in milliseconds", {}, plot::rgb(0), {.upright = true});
        CHECK(bounds(list, first).height > 100);
        canvas.pop_clip();
    });
}

TEST_CASE("a polyline of 100,000 points is drawn whole") {
    on_canvas([](DrawListCanvas& canvas, ImDrawList& list) {
        std::vector<plot::Point> points;
        for (int i = 0; i < 100'000; ++i)
            points.push_back(
                {static_cast<float>(i) * 0.005f, 100 + 50 * std::sin(static_cast<float>(i) * 0.001f)});
        const int first = list.VtxBuffer.Size;
        canvas.polyline(points, {plot::rgb(0x123456), 1.5f});
        const plot::Rect drawn = bounds(list, first);
        CHECK(drawn.left() < 51);
        CHECK(drawn.right() > 549);
    });
}

TEST_CASE("without textures an image is a frame, and its pixels are not asked for") {
    on_canvas([](DrawListCanvas& canvas, ImDrawList& list) {
        plot::Image image;
        image.columns = image.rows = 4;
        const int first = list.VtxBuffer.Size;
        canvas.image(image, {10, 10, 40, 40});  // calling its empty callback would throw
        CHECK(list.VtxBuffer.Size > first);
    });
}

TEST_CASE("bold is wider, larger is wider") {
    on_canvas([](DrawListCanvas& canvas, ImDrawList&) {
        const float normal = canvas.text_width("Throughput", {.size_px = 12});
        CHECK(canvas.text_width("Throughput", {.size_px = 12, .bold = true}) > normal);
        CHECK(canvas.text_width("Throughput", {.size_px = 24}) > 1.8f * normal);
        CHECK(canvas.text_width("", {}) == 0);
    });
}

}  // namespace
}  // namespace kwb::test
