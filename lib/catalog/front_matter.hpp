// What a kernel file says about itself: TOML in its first comment or in a side-car.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "catalog/place.hpp"
#include "model/kernel_spec.hpp"

namespace kwb {

/// Cut the TOML out of a kernel file: the text between `/*+++` and `+++*/` in the first comment.
/// @param file    for messages
/// @return  the TOML, preceded by line breaks and spaces so that its places are those of the file; nothing if
///          the file has no front matter
/// @throws  BadInput with the place: not in the first comment, not closed, or cut short by a `*/`
std::optional<std::string> extract_front_matter(const std::string& file, std::string_view source);

/// Read the declarations of a kernel.
/// @param file  for messages: "file:line:column: what; remedy"
/// @param toml  from extract_front_matter(), or a whole side-car
/// @return  a spec without name, file and source text
/// @throws  BadInput: not TOML, unknown key (with the nearest), wrong kind, malformed expression
KernelSpec parse_front_matter(const std::string& file, std::string toml);

/// Where the keys are, for errors that only show with a problem at hand: "problem", "params.TILE", "init.C",
/// "launch.0.swap" (launches are counted from 0).
/// @param toml  that parse_front_matter() accepted
NamedList<Place> find_places(const std::string& file, std::string toml);

}  // namespace kwb
