#include "gui/shell.hpp"

#include <utility>

#include "base/version.hpp"

namespace kwb::gui {
namespace {

/// A strip of the window without frame and scrolling.
class Strip {
public:
    Strip(const char* id, float height) {
        ImGui::PushStyleColor(ImGuiCol_ChildBg, look().colors().window.vec());
        ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, 0.0f);
        compat::begin_child(id, {0, height}, false,
                            ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
        ImGui::PopStyleVar();
        ImGui::PopStyleColor();
    }
    Strip(const Strip&) = delete;
    Strip& operator=(const Strip&) = delete;
    ~Strip() { ImGui::EndChild(); }
};

/// The next item, of this height, in the middle of the strip.
void center_vertically(float strip_height, float item_height) {
    ImGui::SetCursorPosY((strip_height - item_height) / 2);
}

}  // namespace

Shell::Shell(ShellActions actions) : actions_(std::move(actions)) {}

void Shell::draw() {
    handle_keys();
    const Tokens& tokens = look().tokens();
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(size);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0f);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(tokens.gap, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(tokens.gap_small, 0));
    ImGui::Begin("shell", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse);
    draw_heading();
    {
        const Strip body("shell/body", size.y - tokens.heading_height - tokens.status_height);
        ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(tokens.gap_small, tokens.gap_small));
        draw_body();
        ImGui::PopStyleVar();
    }
    draw_status();
    ImGui::End();
    ImGui::PopStyleVar(4);
}

void Shell::draw_body() {
    const Card card("start", {0, 0});
    if (card.visible)
        empty_state("start/empty", kIconChip, "Nothing has run yet",
                    "Open a kernel with Ctrl+O or drag a .cl file onto the window, then press F5 to time and "
                    "check it.");
}

void Shell::handle_keys() {
    Look& current = look();
    for (const Key key : {Key::Equal, Key::KeypadPlus})
        if (pressed(ctrl(key), true) || pressed(ctrl_shift(key), true)) current.step_scale(+1);
    for (const Key key : {Key::Minus, Key::KeypadMinus})
        if (pressed(ctrl(key), true) || pressed(ctrl_shift(key), true)) current.step_scale(-1);
    if (pressed(ctrl(Key::Num0))) current.set_scale(1);
    if (pressed(plain(Key::F11)) && actions_.toggle_full_screen) actions_.toggle_full_screen();
    if (pressed(ctrl(Key::Q))) ends_ = true;
}

void Shell::draw_heading() {
    Look& current = look();
    const Tokens& tokens = current.tokens();
    const Fonts& fonts = current.fonts();
    const Strip strip("shell/heading", tokens.heading_height);
    center_vertically(tokens.heading_height, compat::size_of(*fonts.title));
    text("shell/name", "Kernel Workbench", {.font = fonts.title});
    const bool dark = current.theme() == Theme::Dark;
    const char* label = dark ? "Light theme" : "Dark theme";
    const char* icon = dark ? kIconSun : kIconMoon;
    const float width = button_width(label, icon);
    if (const std::string words = heading(); !words.empty()) {
        ImGui::SameLine(0, tokens.gap);
        center_vertically(tokens.heading_height, compat::size_of(*fonts.body));
        text("shell/subject", words, {.tone = Tone::Muted});
    }
    ImGui::SameLine();
    ImGui::SetCursorPosX(ImGui::GetWindowWidth() - width);
    center_vertically(tokens.heading_height, ImGui::GetFrameHeight());
    if (button("shell/theme", label, {.icon = icon})) current.set_theme(dark ? Theme::Light : Theme::Dark);
}

void Shell::draw_status() {
    const Tokens& tokens = look().tokens();
    const Strip strip("shell/status", tokens.status_height);
    const FontScope font(look().fonts().small);
    const TextOptions muted = {.tone = Tone::Muted, .font = look().fonts().small};
    center_vertically(tokens.status_height, ImGui::GetFontSize());
    text("shell/state", status(), muted);
    const std::string right =
        std::to_string(static_cast<int>(look().scale() * 100 + 0.5f)) + " %   kwb " + kwb_version();
    ImGui::SameLine();
    ImGui::SetCursorPosX(ImGui::GetWindowWidth() - ImGui::CalcTextSize(right.c_str()).x);
    center_vertically(tokens.status_height, ImGui::GetFontSize());
    text("shell/version", right, muted);
}

}  // namespace kwb::gui
