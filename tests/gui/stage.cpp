// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gui/imgui_compat.hpp"
#include "gui/keys.hpp"
#include "gui/stage.hpp"

namespace kwb::test {

namespace {

gui::LookOptions with_probes(gui::LookOptions options) {
    options.probes = true;
    return options;
}

}  // namespace

WindowlessStage::WindowlessStage(int width, int height, gui::LookOptions options)
    : look_(with_probes(std::move(options))), width_(width), height_(height) {
    gui::install_key_map();
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;
    build_fonts();
}

void WindowlessStage::build_fonts() {
    unsigned char* pixels = nullptr;
    int width = 0, height = 0;
    ImGui::GetIO().Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
}

void WindowlessStage::resize(int width, int height) {
    width_ = width;
    height_ = height;
}

void WindowlessStage::draw(gui::Program& program) {
    if (look_.apply()) build_fonts();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = {static_cast<float>(width_), static_cast<float>(height_)};
    io.DeltaTime = 1.0f / 60;
    look_.probes().begin_frame();
    ImGui::NewFrame();
    program.draw();
    ImGui::Render();
}

namespace {

using gui::Probed;

std::string place(const ImRect& rect) {
    return fmt::format("({:.0f}, {:.0f}) to ({:.0f}, {:.0f})", rect.Min.x, rect.Min.y, rect.Max.x,
                       rect.Max.y);
}

bool overlap(const ImRect& one, const ImRect& other, float slack) {
    return std::min(one.Max.x, other.Max.x) - std::max(one.Min.x, other.Min.x) > slack &&
           std::min(one.Max.y, other.Max.y) - std::max(one.Min.y, other.Min.y) > slack;
}

class Check {
public:
    Check(float width, float height, const LayoutOptions& options)
        : width_(width), height_(height), slack_(options.slack) {}

    std::vector<std::string> run(const gui::Probes& probes) {
        for (const std::string& id : probes.duplicates())
            faults_.push_back(fmt::format("'{}' is the id of two widgets", id));
        std::vector<const std::pair<const std::string, Probed>*> seen;
        for (const auto& one : probes.all()) {
            check_one(one.first, one.second);
            if (one.second.visible && !one.second.container) seen.push_back(&one);
        }
        for (auto one = seen.begin(); one != seen.end(); ++one)
            for (auto other = std::next(one); other != seen.end(); ++other) check_pair(**one, **other);
        return std::move(faults_);
    }

private:
    void check_one(const std::string& id, const Probed& widget) {
        const ImRect& full = widget.full;
        if (!widget.visible) {
            if (!widget.scrolls_x && !widget.scrolls_y)
                faults_.push_back(fmt::format("'{}' at {} cannot be seen, nor scrolled to", id, place(full)));
            return;
        }
        const ImRect& seen = widget.rect;
        if (seen.Min.x < -slack_ || seen.Min.y < -slack_ || seen.Max.x > width_ + slack_ ||
            seen.Max.y > height_ + slack_)
            faults_.push_back(fmt::format("'{}' at {} is outside the window", id, place(seen)));
        const bool cut_x = seen.GetWidth() < full.GetWidth() - slack_ && !widget.scrolls_x;
        const bool cut_y = seen.GetHeight() < full.GetHeight() - slack_ && !widget.scrolls_y;
        if (cut_x || cut_y)
            faults_.push_back(
                fmt::format("'{}' at {} is cut: only {} can be seen", id, place(full), place(seen)));
        if (widget.label_width > full.GetWidth() + slack_)
            faults_.push_back(fmt::format("'{}' needs {:.0f} pixels for its label '{}' and has {:.0f}", id,
                                          widget.label_width, widget.label, full.GetWidth()));
        if (widget.label_height > full.GetHeight() + slack_)
            faults_.push_back(fmt::format("'{}' is {:.0f} pixels high, its label needs {:.0f}", id,
                                          full.GetHeight(), widget.label_height));
    }

    void check_pair(const std::pair<const std::string, Probed>& one,
                    const std::pair<const std::string, Probed>& other) {
        const Probed &a = one.second, &b = other.second;
        if (a.layer == b.layer && overlap(a.rect, b.rect, slack_))
            faults_.push_back(fmt::format("'{}' at {} overlaps '{}' at {}", one.first, place(a.rect),
                                          other.first, place(b.rect)));
    }

    float width_, height_, slack_;
    std::vector<std::string> faults_;
};

}  // namespace

std::vector<std::string> check_layout(const gui::Probes& probes, float window_width, float window_height,
                                      const LayoutOptions& options) {
    return Check(window_width, window_height, options).run(probes);
}

}  // namespace kwb::test
