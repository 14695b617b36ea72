#include "gui/look.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/error.hpp"
#include "gui/icons.hpp"

namespace kwb::gui {
namespace {

constexpr float kSteps[] = {0.75f, 0.9f, 1, 1.1f, 1.25f, 1.5f, 1.75f, 2, 2.25f, 2.5f};

}  // namespace

Look::Look(const LookOptions& options)
    : files_(options.fonts), theme_(options.theme), scale_(1), content_scale_(1) {
    set_scale(options.scale);
    set_content_scale(options.content_scale);
    probes_.set_enabled(options.probes);
    context_ = ImGui::CreateContext();
    ImGui::SetCurrentContext(context_);
    ImGuiIO& io = ImGui::GetIO();
    io.UserData = this;
    io.IniFilename = nullptr;  // the layout is kept with the other settings
    io.LogFilename = nullptr;
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
    io.ConfigInputTextCursorBlink = false;  // a blinking caret would need frames for ever
    io.ConfigWindowsMoveFromTitleBarOnly = true;
    apply();
}

Look::~Look() {
    ImGui::DestroyContext(context_);
}

void Look::set_theme(Theme theme) {
    style_changed_ = style_changed_ || theme != theme_;
    theme_ = theme;
}

void Look::set_scale(float scale) {
    const float allowed = std::isnan(scale) ? 1 : std::clamp(scale, kLeastScale, kMostScale);
    fonts_changed_ = fonts_changed_ || allowed != scale_;
    scale_ = allowed;
}

void Look::step_scale(int direction) {
    constexpr float kSlack = 0.01f;
    if (direction > 0) {
        const auto* above =
            std::find_if(std::begin(kSteps), std::end(kSteps), [&](float s) { return s > scale_ + kSlack; });
        if (above != std::end(kSteps)) set_scale(*above);
    } else if (direction < 0) {
        const auto below = std::find_if(std::rbegin(kSteps), std::rend(kSteps),
                                        [&](float s) { return s < scale_ - kSlack; });
        if (below != std::rend(kSteps)) set_scale(*below);
    }
}

void Look::set_content_scale(float scale) {
    const float allowed = std::isnan(scale) ? 1 : std::clamp(scale, 0.75f, 2.4f);
    fonts_changed_ = fonts_changed_ || allowed != content_scale_;
    content_scale_ = allowed;
}

bool Look::apply() {
    const bool fonts_too = fonts_changed_;
    if (fonts_too || style_changed_) {
        tokens_ = scaled(Tokens{}, pixels());
        ImGui::GetStyle() = make_style(theme_, tokens_);
    }
    if (fonts_too) fonts_ = load_fonts(files_, pixels());
    fonts_changed_ = style_changed_ = false;
    return fonts_too;
}

Look& look() {
    expects(ImGui::GetCurrentContext() != nullptr && ImGui::GetIO().UserData != nullptr,
            "look: the current context has none");
    return *static_cast<Look*>(ImGui::GetIO().UserData);
}

std::string with_icon(const char* icon, std::string_view label) {
    if (!look().fonts().has_icons) return std::string(label);
    return std::string(icon) + "  " + std::string(label);
}

}  // namespace kwb::gui
