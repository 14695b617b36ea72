// What a compiler or a hint says, as it is shown: sentences for reading, excerpts of source in their columns.
#pragma once

#include <string_view>

namespace kwb::gui {

/// Lines that quote source, with a caret under a column, stand in the source's font; they are not wrapped,
/// for the caret would point at something else then.
void message_text(std::string_view id, std::string_view words);

/// The same as tooltip of the last item.
/// @param heading  a line above it
void message_tooltip(std::string_view heading, std::string_view words);

/// Does an excerpt begin with this line? It is followed by one of nothing but blanks and ^, ~.
/// @param lines  of a message, from that line on
bool begins_excerpt(std::string_view lines);

}  // namespace kwb::gui
