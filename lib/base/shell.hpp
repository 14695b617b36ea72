// Programs and words as a shell takes them.
#pragma once

#include <string>
#include <string_view>

namespace kwb {

/// `word` as one word of a POSIX shell: as it stands where nothing in it means anything, else in quotes.
/// "it's" → "'it'\''s'", "" → "''"
std::string quote_for_shell(std::string_view word);

/// @return  the first executable of this name in $PATH; empty if there is none
std::string find_in_path(std::string_view name);

}  // namespace kwb
