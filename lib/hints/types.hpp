// Which words of OpenCL C belong to types.
#pragma once

#include <string_view>

namespace kwb::hints {

/// const, __local, static, …
bool is_qualifier(std::string_view word);

/// int, float4, size_t, event_t, …; not those that the source names itself.
bool is_builtin_type(std::string_view word);

/// A scalar integer type's name.
bool is_integer_type(std::string_view word);

/// Words that begin statements or operators and so are never names of variables.
bool is_keyword(std::string_view word);

}  // namespace kwb::hints
