// SPDX-License-Identifier: Apache-2.0
#include "gui/gui_driver.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "base/text.hpp"

namespace kwb::test {
namespace {

std::string name(std::string_view id) {
    return "'" + std::string(id) + "'";
}

/// Decode the character at `at`, and advance `at` past it. The text must be valid UTF-8.
unsigned next_code_point(std::string_view text, std::size_t& at) {
    const auto byte = [&](std::size_t i) {
        return static_cast<unsigned>(static_cast<unsigned char>(text.at(i)));
    };
    const unsigned first = byte(at);
    const std::size_t length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    unsigned value = length == 1 ? first : first & (0x7fu >> length);
    for (std::size_t i = 1; i < length; ++i) value = value << 6 | (byte(at + i) & 0x3f);
    at += length;
    return value;
}

}  // namespace

GuiDriver::GuiDriver(Stage& stage, gui::Program& program) : stage_(stage), program_(program) {
    park_pointer();
    settle();
}

void GuiDriver::pump(int frames) {
    for (int i = 0; i < frames; ++i) stage_.draw(program_);
}

void GuiDriver::wait_until(const std::string& what, const std::function<bool()>& condition,
                           double patience_ms) {
    const auto deadline =
        std::chrono::steady_clock::now() + std::chrono::duration<double, std::milli>(patience_ms);
    while (!condition()) {
        if (std::chrono::steady_clock::now() > deadline) throw CannotAct("waited in vain until " + what);
        pump();
    }
}

bool GuiDriver::has(std::string_view id) const {
    return stage_.look().probes().find(id) != nullptr;
}

const gui::Probed& GuiDriver::at(std::string_view id) const {
    const gui::Probes& probes = stage_.look().probes();
    if (const gui::Probed* found = probes.find(id); found != nullptr) return *found;
    std::vector<std::string> ids;
    for (const auto& [known, probed] : probes.all()) ids.push_back(known);
    throw CannotAct("there is no " + name(id) + "." + did_you_mean(id, ids));
}

bool GuiDriver::says(std::string_view words) const {
    return std::ranges::any_of(stage_.look().probes().all(), [&](const auto& probed) {
        return probed.second.label.find(words) != std::string::npos;
    });
}

void GuiDriver::move_to(std::string_view id, double share_x, double share_y, bool to_act) {
    if (!at(id).visible) throw CannotAct(name(id) + " is scrolled away or hidden");
    // Repeat, because hovering may move widgets.
    for (int attempt = 0; attempt < 2; ++attempt) {
        const ImRect rect = at(id).rect;
        gui::inject_pointer(rect.Min.x + static_cast<float>(share_x) * (rect.GetWidth() - 1),
                            rect.Min.y + static_cast<float>(share_y) * (rect.GetHeight() - 1));
        pump(2);
    }
    const gui::Probed& target = at(id);
    if (!to_act) return;
    if (!target.enabled) throw CannotAct(name(id) + " is greyed out");
    if (target.hovered) return;
    std::string instead;
    for (const auto& [other, probed] : stage_.look().probes().all())
        if (probed.hovered && !probed.container) instead = "; " + name(other) + " is in front of it";
    throw CannotAct("a press would not reach " + name(id) + instead);
}

void GuiDriver::press(int button) {
    gui::inject_button(button, true);
    pump(2);
    gui::inject_button(button, false);
    settle();
}

void GuiDriver::click(std::string_view id, int button) {
    click_at(id, 0.5, 0.5, button);
}

void GuiDriver::click_at(std::string_view id, double share_x, double share_y, int button) {
    move_to(id, share_x, share_y, true);
    press(button);
}

void GuiDriver::double_click(std::string_view id) {
    move_to(id, 0.5, 0.5, true);
    press(0);
    press(0);
}

void GuiDriver::hover(std::string_view id, double share_x, double share_y) {
    move_to(id, share_x, share_y, false);
}

void GuiDriver::wheel(std::string_view id, double steps_up) {
    move_to(id, 0.5, 0.5, true);
    gui::inject_wheel(0, static_cast<float>(steps_up));
    settle();
}

void GuiDriver::ctrl_wheel(std::string_view id, double steps_up) {
    gui::inject_modifiers(true, false, false);
    pump();
    wheel(id, steps_up);
    gui::inject_modifiers(false, false, false);
    pump();
}

void GuiDriver::drag(std::string_view from, std::string_view to) {
    move_to(from, 0.5, 0.5, true);
    const ImRect target = at(to).rect;
    gui::inject_button(0, true);
    pump(2);
    gui::inject_pointer((target.Min.x + target.Max.x) / 2, (target.Min.y + target.Max.y) / 2);
    pump(2);
    gui::inject_button(0, false);
    settle();
}

void GuiDriver::drag_at(std::string_view id, double from_x, double from_y, double to_x, double to_y) {
    move_to(id, from_x, from_y, true);
    const ImRect rect = at(id).rect;
    gui::inject_button(0, true);
    pump(2);
    constexpr int kSteps = 4;  // intermediate positions, like a real drag
    for (int step = 1; step <= kSteps; ++step) {
        const double share = static_cast<double>(step) / kSteps;
        gui::inject_pointer(
            rect.Min.x + static_cast<float>(from_x + (to_x - from_x) * share) * (rect.GetWidth() - 1),
            rect.Min.y + static_cast<float>(from_y + (to_y - from_y) * share) * (rect.GetHeight() - 1));
        pump();
    }
    gui::inject_button(0, false);
    settle();
}

void GuiDriver::type(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        gui::inject_character(next_code_point(text, at));
        pump();
    }
    pump();
}

void GuiDriver::key(const gui::Chord& chord) {
    gui::inject_modifiers(chord.ctrl, chord.shift, chord.alt);
    pump();
    gui::inject_key(chord.key, true);
    pump();
    gui::inject_key(chord.key, false);
    pump();
    gui::inject_modifiers(false, false, false);
    settle();
}

void GuiDriver::park_pointer() {
    gui::inject_pointer(-100, -100);
    settle();
}

}  // namespace kwb::test
