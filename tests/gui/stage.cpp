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
using gui::Rect;

std::string place(const Rect& rect) {
    return fmt::format("({:.0f}, {:.0f}) to ({:.0f}, {:.0f})", rect.min_x, rect.min_y, rect.max_x,
                       rect.max_y);
}

bool overlap(const Rect& one, const Rect& other, float slack) {
    return std::min(one.max_x, other.max_x) - std::max(one.min_x, other.min_x) > slack &&
           std::min(one.max_y, other.max_y) - std::max(one.min_y, other.min_y) > slack;
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
        const Rect& full = widget.full;
        if (!widget.visible) {
            if (!widget.scrolls_x && !widget.scrolls_y)
                faults_.push_back(fmt::format("'{}' at {} cannot be seen, nor scrolled to", id, place(full)));
            return;
        }
        const Rect& seen = widget.rect;
        if (seen.min_x < -slack_ || seen.min_y < -slack_ || seen.max_x > width_ + slack_ ||
            seen.max_y > height_ + slack_)
            faults_.push_back(fmt::format("'{}' at {} is outside the window", id, place(seen)));
        const bool cut_x = seen.width() < full.width() - slack_ && !widget.scrolls_x;
        const bool cut_y = seen.height() < full.height() - slack_ && !widget.scrolls_y;
        if (cut_x || cut_y)
            faults_.push_back(
                fmt::format("'{}' at {} is cut: only {} can be seen", id, place(full), place(seen)));
        if (widget.label_width > full.width() + slack_)
            faults_.push_back(fmt::format("'{}' needs {:.0f} pixels for its label '{}' and has {:.0f}", id,
                                          widget.label_width, widget.label, full.width()));
        if (widget.label_height > full.height() + slack_)
            faults_.push_back(fmt::format("'{}' is {:.0f} pixels high, its label needs {:.0f}", id,
                                          full.height(), widget.label_height));
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
