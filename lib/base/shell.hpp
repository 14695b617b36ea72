// Words for a shell.
#pragma once

#include <string>
#include <string_view>

namespace kwb {

/// `word` as one word of a POSIX shell: as it stands where nothing in it means anything, else in quotes.
/// "it's" → "'it'\''s'", "" → "''"
std::string quote_for_shell(std::string_view word);

}  // namespace kwb
