// The words of OpenCL C.
#pragma once

#include <string_view>

#include "editor/highlight.hpp"

namespace kwb::editor {

/// @param word  letters, digits and _, no digit first
/// @return  Keyword, Type, Qualifier, Builtin, Macro or Identifier
/// Source: OpenCL C 3.0 specification, chapters 6.3 (types), 6.7 to 6.10 (qualifiers), 6.15 (built-ins).
SpanKind kind_of_word(std::string_view word);

}  // namespace kwb::editor
