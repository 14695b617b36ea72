// What a kernel file says about itself, in TOML inside its first comment or in a file beside it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "catalog/place.hpp"
#include "model/kernel_spec.hpp"

namespace kwb {

/// Cut the TOML out of a kernel file: what stands between `/*+++` and `+++*/` in the first comment.
/// @param file    for messages
/// @return  the TOML moved by line breaks and blanks so that every place is that of the file; nothing if the
///          file has no front matter
/// @throws  BadInput with the place: not in the first comment, not closed, or cut short by a `*/`
std::optional<std::string> extract_front_matter(const std::string& file, std::string_view source);

/// Read the declarations of a kernel.
/// @param file  for messages: "file:line:column: what; remedy"
/// @param toml  from extract_front_matter(), or a whole side-car
/// @return  a spec without name, file and source text
/// @throws  BadInput: no TOML, unknown key (with the nearest), wrong kind, malformed expression
KernelSpec parse_front_matter(const std::string& file, std::string toml);

/// Where the keys stand, for what only turns out wrong beside a problem: "problem", "params.TILE", "init.C",
/// "launch.0.swap" (launches are counted from 0).
/// @param toml  one that parse_front_matter() took
NamedList<Place> find_places(const std::string& file, std::string toml);

}  // namespace kwb
