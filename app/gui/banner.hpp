// A message with buttons in it, above what it is about.
#pragma once

#include <string>
#include <string_view>

#include "gui/widgets.hpp"

namespace kwb::gui {

/// Like notice(), and what is drawn while it lives lies in its box: `Banner banner(…); if (button(…)) …`.
/// No child windows in it.
class Banner {
public:
    /// @param tone  Danger, Warning, Success or Accent
    Banner(std::string_view id, Tone tone, const char* icon, std::string_view title,
           std::string_view sentence);
    Banner(const Banner&) = delete;
    Banner& operator=(const Banner&) = delete;
    ~Banner();

private:
    std::string id_;
    Tone tone_;
    ImVec2 corner_;
    float width_;
};

}  // namespace kwb::gui
