// Converts the output of a compiler to a Program.
#pragma once

#include <optional>

#include "source/compiler.hpp"
#include "source/syntax.hpp"
#include "source/text.hpp"

namespace kwb::source {

/// Never throws, whatever the answer; constructs that cannot be represented make a function unreadable.
/// @return  nullopt if the answer does not contain a complete tree of acceptable size
std::optional<Program> build_program(const SourceText& text, const CompilerAnswer& answer);

}  // namespace kwb::source
