// SPDX-License-Identifier: Apache-2.0
#include "gui/tab_order.hpp"

#include <algorithm>
#include <utility>

namespace kwb::gui {
namespace {

constexpr int kActivationFrames = 4;

}  // namespace

void TabOrder::begin_frame() {
    if (next_ && GImGui->NavId != next_->item) go_to(*next_);
    next_.reset();
    keep_typed();
    step_ = 0;
    takes_next_ = false;
    stops_.clear();
    for (const Key key : {Key::Tab, Key::Left, Key::Right, Key::Up, Key::Down})
        if (compat::is_pressed(key, false)) hides_help_ = false;
    for (const Key key : {Key::Escape, Key::F5, Key::F6})
        if (compat::is_pressed(key, false)) hides_help_ = true;
    const ImGuiContext& context = *GImGui;
    const ImGuiIO& io = ImGui::GetIO();
    if (io.KeyCtrl || io.KeyAlt || !compat::is_pressed(Key::Tab, true)) return;
    if (context.NavWindow != nullptr && (context.NavWindow->Flags & ImGuiWindowFlags_NoNavInputs) != 0)
        return;
    step_ = io.KeyShift ? -1 : +1;
    ImGui::NavMoveRequestCancel();
}

/// ImGui drops characters until the field is active, which takes it two frames.
void TabOrder::keep_typed() {
    if (awaited_ == 0) return;
    ImVector<ImWchar>& queue = ImGui::GetIO().InputQueueCharacters;
    typed_.insert(typed_.end(), queue.begin(), queue.end());
    queue.resize(0);
    if (GImGui->ActiveId != awaited_ && --patience_ > 0) return;
    for (const ImWchar character : std::exchange(typed_, {})) queue.push_back(character);
    awaited_ = 0;
}

void TabOrder::take_next() {
    ImGui::SetKeyboardFocusHere();
    hides_help_ = true;
    takes_next_ = compat::kWithdrawsFocus;
}

void TabOrder::offer_last_item(bool rests) {
    if (step_ == 0 && !takes_next_) return;
    const ImGuiContext& context = *GImGui;
    const ImGuiID item = ImGui::GetItemID();
    const ImGuiItemFlags flags = ImGui::GetItemFlags();
    ImGuiWindow* window = context.CurrentWindow;
    if (item == 0 || (flags & (ImGuiItemFlags_Disabled | ImGuiItemFlags_NoNav)) != 0) return;
    if ((window->Flags & ImGuiWindowFlags_NoNavFocus) != 0 ||
        (window->Flags & ImGuiWindowFlags_NoNavInputs) != 0)
        return;
    if (!stops_.empty() && stops_.back().item == item) return;
    const Stop stop{.item = item,
                    .focus_scope = compat::current_focus_scope(),
                    .window = window,
                    .rect = {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()},
                    .writes = !rests && (flags & ImGuiItemFlags_Inputable) != 0};
    if (std::exchange(takes_next_, false)) next_ = stop;
    if (step_ != 0) stops_.push_back(stop);
}

void TabOrder::end_frame() {
    if (step_ == 0) return;
    const ImGuiContext& context = *GImGui;
    if (context.NavWindow != nullptr)
        std::erase_if(stops_, [&](const Stop& stop) {
            return stop.window->RootWindow != context.NavWindow->RootWindow;
        });
    if (stops_.empty()) return;
    const auto here = std::find_if(stops_.begin(), stops_.end(),
                                   [&](const Stop& stop) { return stop.item == context.NavId; });
    const std::size_t count = stops_.size();
    std::size_t at = step_ > 0 ? 0 : count - 1;
    if (here != stops_.end()) {
        const auto index = static_cast<std::size_t>(here - stops_.begin());
        at = (index + (step_ > 0 ? 1 : count - 1)) % count;
    }
    next_ = stops_[at];  // in the next frame, so that the control loses focus as if the user had clicked
                         // elsewhere
    compat::hover_focus();
    step_ = 0;
}

void TabOrder::go_to(const Stop& stop) {
    ImGuiContext& context = *GImGui;
    if (!stop.window->WasActive) return;
    ImGui::ClearActiveID();
    ImGui::FocusWindow(stop.window);
    ImGui::SetNavID(stop.item, ImGuiNavLayer_Main, stop.focus_scope,
                    ImGui::WindowRectAbsToRel(stop.window, stop.rect));
    compat::show_focus_ring();
    ImGui::ScrollToRect(stop.window, stop.rect);
    if (!stop.writes) return;
    awaited_ = stop.item;
    patience_ = kActivationFrames;
    context.NavNextActivateId = stop.item;
    context.NavNextActivateFlags = ImGuiActivateFlags_PreferInput | ImGuiActivateFlags_TryToPreserveState;
}

void mend_keyboard() {
    compat::let_enter_press();
    ImGuiContext& context = *GImGui;
    if (!context.NavMoveScoringItems) return;
    ImRect& from = context.NavScoringRect;
    const float near = std::min(from.GetHeight(), ImGui::GetFontSize());
    if (context.NavMoveDir == ImGuiDir_Up) from.Max.y = from.Min.y + near;
    if (context.NavMoveDir == ImGuiDir_Down) from.Min.y = from.Max.y - near;
}

}  // namespace kwb::gui
