// Checks that a kernel's source does not redefine its parameters: a #define in the source silently overrides
// the value from the command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kwb {

/// Check that `source` defines each of `names` only if it is not yet defined: inside `#ifndef NAME`,
/// `#if !defined(NAME)` or the `#else` of `#ifdef NAME`.
/// @param file   for the message
/// @param names  macros that are passed to the compiler as -DNAME=value
/// @throws BadInput "file:line:column: …" at the first unguarded #define or #undef
void check_param_guards(const std::string& file, std::string_view source,
                        const std::vector<std::string>& names);

}  // namespace kwb
