// A message on a tinted ground: a verdict, a fault, a question with its buttons.
#pragma once

#include <string>
#include <string_view>

#include "gui/widgets.hpp"

namespace kwb::gui {

/// What is drawn while it lives lies in its box: `Banner banner(…); if (button(…)) …`. No child windows in
/// it.
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

/// The same without anything in it.
void notice(std::string_view id, Tone tone, const char* icon, std::string_view title,
            std::string_view sentence);

}  // namespace kwb::gui
