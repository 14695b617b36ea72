// SPDX-License-Identifier: Apache-2.0
// Reads a kernel's declarations: TOML in the first comment of the file or in a side-car.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "catalog/place.hpp"
#include "model/kernel_spec.hpp"

namespace kwb {

/// Extract the TOML from a kernel file: the text between `/*+++` and `+++*/` in the first comment.
/// @param file  for messages
/// @return  the TOML, padded with line breaks and spaces so that lines and columns match the file; empty if
///          the file has no front matter
/// @throws BadInput with the place: not in the first comment, not closed, or ended early by a `*/`
std::optional<std::string> extract_front_matter(const std::string& file, std::string_view source);

/// Parse the declarations of a kernel.
/// @param file  for messages: "file:line:column: what; remedy"
/// @param toml  from extract_front_matter(), or the content of a side-car
/// @return  a spec without name, file and source text
/// @throws BadInput: not TOML, unknown key (suggests the most similar one), wrong type, malformed expression
KernelSpec parse_front_matter(const std::string& file, std::string toml);

/// The place of every key, for errors that are only detected once the problem is known: "problem",
/// "params.TILE", "init.C", "launch.0.swap" (launches are counted from 0).
/// @param toml  must have been accepted by parse_front_matter()
NamedList<Place> find_places(const std::string& file, std::string toml);

}  // namespace kwb
