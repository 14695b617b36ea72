// From what a compiler printed to a Program.
#pragma once

#include <optional>

#include "source/compiler.hpp"
#include "source/syntax.hpp"
#include "source/text.hpp"

namespace kwb::source {

/// Never throws on any answer; what it cannot express makes a function unreadable.
/// @return  nothing if the answer holds no complete tree of bearable size
std::optional<Program> build_program(const SourceText& text, const CompilerAnswer& answer);

}  // namespace kwb::source
