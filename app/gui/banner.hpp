// A message on a tinted ground (a verdict, a fault, a question with its buttons), and what a compiler says.
#pragma once

#include <string>
#include <string_view>

#include "gui/widgets.hpp"

namespace kwb::gui {

/// Everything drawn during its lifetime lies in its box: `Banner banner(…); if (button(…)) …`. No child
/// windows in it.
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

/// Lines that quote source, with a caret under a column, stand in the source's font; they are not wrapped,
/// because the caret would then point at something else.
void message_text(std::string_view id, std::string_view words);

/// The same as tooltip of the last item.
/// @param heading  a line above it
void message_tooltip(std::string_view heading, std::string_view words);

/// Does an excerpt begin with this line? It is followed by one of nothing but blanks and ^, ~.
/// @param lines  of a message, from that line on
bool begins_excerpt(std::string_view lines);

}  // namespace kwb::gui
