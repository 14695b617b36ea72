#include "gui/dialogs/modal.hpp"

#include <algorithm>

#include "gui/look.hpp"

namespace kwb::gui {

Modal::Modal(const char* id, ImVec2 size)
    : visible([&] {
          const Tokens& tokens = look().tokens();
          if (!ImGui::IsPopupOpen(id)) ImGui::OpenPopup(id);
          const ImVec2 window = ImGui::GetIO().DisplaySize;
          const float margin = 2 * tokens.gap;
          const float width = std::min(size.x, window.x - margin), most = window.y - margin;
          ImGui::SetNextWindowPos({window.x / 2, window.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
          ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize |
                                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoCollapse |
                                   ImGuiWindowFlags_NoSavedSettings;
          if (size.y > 0) {
              ImGui::SetNextWindowSize({width, std::min(size.y, most)});
              flags |= ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
          } else {
              ImGui::SetNextWindowSizeConstraints({width, 0}, {width, most});
              flags |= ImGuiWindowFlags_AlwaysAutoResize;
          }
          ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(tokens.gap_large, tokens.gap_large));
          const bool shown = ImGui::BeginPopupModal(id, nullptr, flags);
          ImGui::PopStyleVar();
          return shown;
      }()) {}

Modal::~Modal() {
    if (visible) ImGui::EndPopup();
}

bool modal_is_open() {
    return ImGui::GetTopMostPopupModal() != nullptr;
}

}  // namespace kwb::gui
